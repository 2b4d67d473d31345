/** The stage of an attack: a filled store, the service on it, a light caller, and idle figures. */
import type { Db } from 'mongodb';
import { call, flood } from './calls.ts';
import { Light, type Noticed } from './light.ts';
import { DEFINITION, memberOf } from './ownTable.ts';
import {
  ATTACKERS,
  fillStore,
  LIGHT,
  LONG,
  MANY_ROWS,
  type Sizes,
  SNAPSHOT,
  stir,
} from './store.ts';
import { startVictim, type Victim } from './victim.ts';

const LIGHT_SEARCH = { method: 'POST', path: '/api/v2/users/search', body: '{}' };
/** Answered from memory, through all that is around a route. */
const CONSTANT = { path: '/api/v2/tasks/routing-keys' };

export interface StageOptions {
  readonly uri: string;
  readonly db: Db;
  readonly sizes: Sizes;
  readonly index: 'on' | 'off';
  /** How long the light caller is watched while nothing else goes on, milliseconds. */
  readonly idleMs: number;
}

export class Stage {
  readonly victim: Victim;
  readonly light: Light;
  /** The tokens of ten attackers. */
  readonly tokens: readonly string[];
  /** Changes a row of those that are many. */
  readonly stir: () => Promise<unknown>;
  /** Resident memory of the service once it has been used, bytes. */
  readonly resident: number;
  readonly idle: Noticed;
  /** Figures while one caller asks for a constant, without a pause. */
  control: Noticed & { readonly heldMs: number };

  private constructor(
    parts: Pick<Stage, 'victim' | 'light' | 'tokens' | 'stir' | 'resident' | 'idle'>,
  ) {
    ({
      victim: this.victim,
      light: this.light,
      tokens: this.tokens,
      stir: this.stir,
      resident: this.resident,
      idle: this.idle,
    } = parts);
    this.control = { ...this.idle, heldMs: 0 };
  }

  static async build({ uri, db, sizes, index, idleMs }: StageOptions): Promise<Stage> {
    await fillStore(db, sizes);
    const victim = await startVictim(uri, db.databaseName, {
      SEARCH_INDEX: index,
      TABLES: DEFINITION,
    });
    const tokens = await Promise.all(
      ATTACKERS.map((id) => victim.token(id, false, memberOf(MANY_ROWS))),
    );
    await use(victim, tokens);
    const light = new Light({
      url: victim.url,
      light: { ...LIGHT_SEARCH, token: await victim.token(LIGHT) },
      health: { path: '/livez' },
    });
    const idle = await light.idle(idleMs);
    const resident = victim.resident();
    const stage = new Stage({ victim, light, tokens, stir: () => stir(db), idle, resident });
    await stage.measureControl(idleMs);
    return stage;
  }

  /**
   * Asks for a constant as fast as it is answered, and so a busy processor's cost for a light
   * caller.
   */
  async measureControl(ms: number): Promise<void> {
    const { url } = this.victim;
    const until = performance.now() + ms;
    const ask = async () => {
      while (performance.now() < until) await call(url, { ...CONSTANT, token: this.tokens[0]! });
    };
    await this.victim.held();
    const noticed = await this.light.during(() => flood(32, 32, ask));
    this.control = { ...noticed, heldMs: await this.victim.held() };
  }

  async end(): Promise<void> {
    await this.light?.stop();
    await this.victim?.stop();
  }
}

/** As warm as a service that has been used: its code compiled, its buffers there. */
async function use({ url }: Victim, tokens: readonly string[]): Promise<void> {
  const uses = [
    LIGHT_SEARCH,
    CONSTANT,
    { path: `/api/v2/tasks/${LONG}/logs` },
    { path: `/api/v2/tasks/${SNAPSHOT}/snapshot/download` },
  ];
  await flood(80, 4, (n) => call(url, { ...uses[n % uses.length]!, token: tokens[n % 10]! }));
  await flood(400, 8, (n) => call(url, { ...LIGHT_SEARCH, token: tokens[n % 10]! }));
}
