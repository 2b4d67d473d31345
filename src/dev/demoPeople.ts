/** Whom the web UI of a demo offers to come in as. */

import type { Config } from '../config.ts';
import { mintToken } from '../serve/auth/mint.ts';
import type { DemoPeople } from '../serve/routes/webUi.ts';

/** In the hand-made set: Maren, who runs the platform, and Tomás, a member of a few projects. */
export const ADMIN = 1;
export const MEMBER = 2;

/** For how long the demo's tokens are good. */
export const TOKEN_LIFE = { lifeS: 30 * 86_400 };

/** None where tokens are made elsewhere. */
export function peopleOf(config: Config): DemoPeople | undefined {
  const { authJwtSecret: secret } = config;
  if (secret === undefined) return undefined;
  const person = async (userId: number, admin: boolean, name: string, about: string) => {
    const token = await mintToken({ userId, admin, ...TOKEN_LIFE }, secret, config);
    return { user_id: userId, name, about, token };
  };
  return () =>
    Promise.all([
      person(ADMIN, true, 'Maren Østergaard', 'Admin: sees and changes everything'),
      person(MEMBER, false, 'Tomás Núñez Íñiguez', 'Member: sees their own projects'),
    ]);
}
