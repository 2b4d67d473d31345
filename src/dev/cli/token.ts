/**
 * `npm run token -- --user 1 [--admin] [--expires 8h]`: prints a token for local use.
 *
 * Signed with AUTH_JWT_SECRET, or else with the secret the demo keeps in DATA_DIR.
 */
import { parseArgs } from 'node:util';
import { mintToken } from '../../auth/mint.ts';
import { MAX_LIFE_S } from '../../auth/token.ts';
import { ConfigError, readConfig } from '../../config.ts';
import { demoSecret } from '../demoSecret.ts';
import { sentenceFor } from './sentence.ts';

const USAGE = 'usage: npm run token -- --user <id> [--admin] [--expires <n>s|m|h|d, default 8h]';
const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** A command line that cannot be understood; the message says what is wrong. */
class UsageError extends Error {}

function request(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      user: { type: 'string' },
      admin: { type: 'boolean', default: false },
      expires: { type: 'string', default: '8h' },
    },
  });
  if (values.user === undefined || !/^(0|[1-9]\d{0,14})$/.test(values.user)) {
    throw new UsageError('--user takes the id of a user, such as 1');
  }
  const [, count, unit] = /^(\d{1,9})([smhd])$/.exec(values.expires) ?? [];
  const lifeS = Number(count) * (SECONDS[unit ?? ''] ?? Number.NaN);
  if (!(lifeS > 0 && lifeS <= MAX_LIFE_S)) {
    throw new UsageError('--expires takes a time such as 30m, 8h or 7d, at most 366d');
  }
  return { userId: Number(values.user), admin: values.admin, lifeS };
}

/** The environment, with the demo's secret where no other way to check tokens is set. */
function settings(env: NodeJS.ProcessEnv) {
  const others = [env.AUTH_JWT_SECRET, env.AUTH_JWKS_URL, env.AUTH_PUBLIC_KEY];
  if (others.some((value) => value?.trim())) return readConfig(env);
  return readConfig({ ...env, AUTH_JWT_SECRET: demoSecret(env.DATA_DIR?.trim() || '.data') });
}

try {
  const wanted = request(process.argv.slice(2));
  const config = settings(process.env);
  if (config.authJwtSecret === undefined) {
    throw new UsageError('tokens are signed elsewhere: AUTH_JWKS_URL or AUTH_PUBLIC_KEY is set');
  }
  console.log(await mintToken(wanted, config.authJwtSecret, config));
} catch (error) {
  const parsing = (error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS');
  const usage = error instanceof UsageError || error instanceof ConfigError || parsing;
  const sentence = usage ? `${(error as Error).message}\n${USAGE}` : sentenceFor(error);
  if (sentence === undefined) throw error;
  console.error(sentence);
  process.exitCode = usage ? 2 : 1;
}
