/** Signing in: at a provider, with a token that is pasted, or as somebody whom a demo offers. */
import { useEffect, useRef } from 'preact/hooks';
import { BRAND, heard, say } from '../../words/words.ts';
import { Button } from '../controls/Button.tsx';
import { Icon } from '../controls/Icon.tsx';
import { Dialog } from './Dialog.tsx';

/** The ways to sign in. */
export interface Door {
  /** Why the latest attempt failed. */
  readonly problem: string | undefined;
  readonly people: readonly Person[];
  /** The host of an OpenID provider. */
  readonly host: string | undefined;
  readonly enter: (token: string) => void;
  readonly leave: () => void;
}

export interface Person {
  readonly user_id: number;
  readonly name: string;
  readonly about: string;
  readonly token: string;
}

export function SignInPage(door: Door) {
  return (
    <main class="door">
      <div class="door-card">
        <h1 class="door-title">{BRAND}</h1>
        <p class="door-about">{say('Search tables as you type.')}</p>
        <SignInForm {...door} />
      </div>
    </main>
  );
}

/** Over the UI, which keeps its rows and the typed text. */
export function SignInAgain({ reason, ...door }: Door & { readonly reason: string }) {
  return (
    <Dialog title={say('Sign in again')} close={undefined}>
      <p class="dialog-text">
        {heard(reason)} {say('Nothing you typed will be lost.')}
      </p>
      <SignInForm {...door} />
    </Dialog>
  );
}

function SignInForm({ problem, people, host, enter, leave }: Door) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <>
      {host !== undefined && (
        <>
          <Button look="is-primary is-wide" onClick={leave}>
            {say('Sign in with {host}', { host })}
          </Button>
          <p class="or">{say('or')}</p>
        </>
      )}
      {people.length > 0 && (
        <section aria-label={say('Demo users')}>
          <h2 class="people-title">{say('This is a demo. Continue as')}</h2>
          {people.map(({ user_id, name, about, token }) => (
            <button type="button" class="person" key={user_id} onClick={() => enter(token)}>
              <span class="person-mark" aria-hidden="true">
                {name.charAt(0)}
              </span>
              <span class="person-text">
                <strong>{name}</strong>
                <span class="dim">{heard(about)}</span>
              </span>
              <Icon name="right" />
            </button>
          ))}
          <p class="or">{say('or')}</p>
        </section>
      )}
      <form
        class="token-form"
        onSubmit={(event) => {
          event.preventDefault();
          enter(field.current?.value ?? '');
        }}
      >
        <label class="label" for="token">
          {say('Token')}
        </label>
        <input
          ref={field}
          id="token"
          class="input mono"
          type="password"
          autocomplete="off"
          spellcheck={false}
          placeholder="eyJ…"
          aria-invalid={problem !== undefined}
          aria-describedby="token-help"
        />
        <p id="token-help" class={problem ? 'problem' : 'dim'} role={problem ? 'alert' : undefined}>
          {problem ? say(problem) : say('Stored in this tab until you close it, never in a URL.')}
        </p>
        <Button type="submit" look="is-primary is-wide">
          {say('Sign in')}
        </Button>
      </form>
    </>
  );
}
