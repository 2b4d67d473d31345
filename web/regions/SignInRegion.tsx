/** Signing in, as the service offers it. */
import { goToProvider } from '../data/service/openId.ts';
import type { OpenIdProvider } from '../data/service/provider.ts';
import { service } from '../data/service/service.ts';
import { notSignedIn, signIn } from '../data/service/session.ts';
import { useAnswer } from '../parts/controls/useAnswer.ts';
import { type Door, type Person, SignInAgain, SignInPage } from '../parts/dialogs/SignIn.tsx';
import { say } from '../words/words.ts';

interface Offered {
  readonly people: readonly Person[] | null;
  readonly openid: OpenIdProvider | null;
}

const NOTHING: Offered = { people: null, openid: null };

/** @param again why somebody has to sign in again, over the UI; undefined: the page shows nothing else */
export function SignInRegion({ again }: { readonly again?: string | undefined }) {
  const [{ people, openid } = NOTHING] = useAnswer(
    (signal) => service.get<Offered>('/page/sign-in', { signal }),
    [],
  );
  const host = openid ? new URL(openid.issuer).host : undefined;
  const leave = (provider: OpenIdProvider) =>
    goToProvider(provider).catch((error: Error) => {
      notSignedIn.value = say('Could not reach {host}: {why}.', {
        host: host!,
        why: error.message,
      });
    });
  const door: Door = {
    ...{ problem: notSignedIn.value, host, people: people ?? [] },
    enter(token) {
      notSignedIn.value = signIn(token);
    },
    leave: () => void (openid && leave(openid)),
  };
  return again === undefined ? <SignInPage {...door} /> : <SignInAgain {...door} reason={again} />;
}
