/**
 * Saved views. The service keeps them, so that others may see them; this browser keeps them where the
 * service keeps none, and those of earlier days until somebody moves them.
 */
import { batch, computed, signal } from '@preact/signals';
import type { SavedView as Kept } from '../../clients/typescript/index.ts';
import { addressOf, viewOf } from '../state/address.ts';
import type { SavedView, ViewWish } from '../state/savedView.ts';
import { serviceName, type TableName, type View } from '../state/view.ts';
import { hasBuiltIn } from '../tables/ownTables.ts';
import { addressFields, firstTable } from '../tables/tables.ts';
import { say } from '../words/words.ts';
import { prefer, preferences } from './preferences.ts';
import { keepsViews, learnOthers, learnTables, tables } from './service/learnTables.ts';
import { isMissing, persistently, service } from './service/service.ts';
import { isAdmin, oncePerToken, session } from './service/session.ts';
import { go, isLost, view } from './store.ts';
import { tellUnread } from './unread.ts';

/** Undefined while the service has not told them, or where it keeps none. */
const kept = signal<readonly SavedView[] | undefined>(undefined);
/** Whether the service keeps views; undefined while it has not told that, or not which. */
export const areShared = computed(() => {
  const isKnown = tables.value === 'known' && (kept.value !== undefined || !keepsViews.value);
  return isKnown ? keepsViews.value : undefined;
});
const inBrowser = computed(() => preferences.value.views.map(fromBrowser));
export const views = computed(() => [...(kept.value ?? []), ...inBrowser.value]);
/** How many views this browser keeps that the service could. */
export const movable = computed(() => (areShared.value ? inBrowser.value.length : 0));

const forget = () => {
  kept.value = undefined;
};

/** Asks for the views once a session. */
export const learnViews = oncePerToken(() => {
  forget();
  return refreshViews(persistently).catch(() => {});
}, forget);

let asked = 0;
/** The latest of the questions whose answers are held, or a later change. */
let held = 0;

/** An answer is dropped where the views held come from a later question. */
async function list(): Promise<void> {
  asked += 1;
  const mine = asked;
  const token = session.peek()?.token;
  const { records } = await service.call('listViews', { path: {} });
  if (mine < held || session.peek()?.token !== token) return;
  held = mine;
  kept.value = records.map(fromService);
}

/**
 * Asks for them again: others may have shared some. Where there is no answer, the views known before stay.
 *
 * @throws errors of the client
 */
export async function refreshViews(ask: typeof persistently = (once) => once()): Promise<void> {
  // Their first question may hang.
  await (tables.peek() === 'late' ? learnOthers() : learnTables());
  if (session.peek() && keepsViews.peek()) await ask(list);
}

// Another window may have changed them meanwhile.
document.addEventListener('visibilitychange', () => {
  if (areShared.peek() && !document.hidden) refreshViews().catch(() => {});
});

/** The view that an address of this UI shows. */
export function viewAt(address: string): View {
  const { pathname, search } = new URL(address, location.origin);
  return viewOf(pathname, search, addressFields, firstTable());
}

/** The view that a table opens with, and its address: one's own, else the project's, else everyone's. */
export function defaultOf(table: TableName, project: string | null) {
  const defaults = views.peek().filter((one) => one.isDefault && one.table === table);
  const found =
    defaults.find(({ visibility }) => visibility === 'private') ??
    defaults.find(({ projectId }) => projectId !== null && projectId === project) ??
    defaults.find(({ visibility }) => visibility === 'everyone');
  if (!found) return undefined;
  const opened = viewAt(found.address);
  return {
    opened: { ...opened, project: opened.project ?? project },
    address: found.address,
  };
}

/** Where the address asks for a table and nothing else, its default opens. */
export function openDefault(): void {
  const now = view.peek();
  if (isLost.peek() || addressOf({ ...now, project: null }, addressFields) !== `/${now.table}`)
    return;
  const next = defaultOf(now.table, now.project);
  if (!next) return;
  go(next.opened, 'replace');
  tellUnread(next.address);
}

/** The address that a view is saved with: its rows, from the first page. */
export const savedAddress = (of: View): string =>
  addressOf({ ...of, open: null, tab: 'record', page: 1 }, addressFields);

/** @throws errors of the client */
export async function createView(of: View, wish: ViewWish): Promise<void> {
  const address = savedAddress(of);
  if (areShared.peek() === false) {
    keepInBrowser(wish.name, address);
    return;
  }
  const body = { table: serviceName(of.table), address: queryOf(address), ...bodyOf(wish) };
  hold(await service.call('createView', { path: {}, body }));
}

/** @param address undefined: the one it has */
export async function changeView(
  before: SavedView,
  wish: ViewWish,
  address?: string,
): Promise<void> {
  const { id } = before;
  const body = {
    ...changesOf(before, wish),
    ...(address !== undefined && { address: queryOf(address) }),
  };
  // Another window may have deleted it, or somebody else.
  try {
    hold(await service.call('changeView', { path: { view_id: id! }, body }));
  } catch (error) {
    if (!isMissing(error)) throw error;
    holdAll(others(id!));
    throw new Error(say('This view no longer exists.'));
  }
}

export async function deleteView({ id, name }: SavedView): Promise<void> {
  if (id === undefined) {
    forgetInBrowser(name);
    return;
  }
  await service.call('deleteView', { path: { view_id: id } }).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
  });
  holdAll(others(id));
}

/** Gives the views of this browser to the service, as private ones. */
export async function moveViews(): Promise<void> {
  for (const { table, name, address } of inBrowser.peek()) {
    const body = { table: serviceName(table), name, address: queryOf(address) };
    const created = await service.call('createView', { path: {}, body });
    // In one step: the sidebar never shows neither of the two, nor both.
    batch(() => {
      hold(created);
      forgetInBrowser(name);
    });
  }
}

const others = (id: string) => (kept.peek() ?? []).filter((one) => one.id !== id);

/** Puts a created or changed view into the list, at the place where the service lists it. */
function hold(answered: Kept): void {
  const view = fromService(answered);
  const rest = others(answered.view_id).map((one) =>
    view.isDefault && one.table === view.table && audienceOf(one) === audienceOf(view)
      ? { ...one, isDefault: false }
      : one,
  );
  holdAll([...rest, view].sort(inOrder));
}

/** A list that was asked for before a change does not have it. */
function holdAll(all: readonly SavedView[]): void {
  // Somebody signed out meanwhile.
  if (!areShared.peek()) return;
  asked += 1;
  held = asked;
  kept.value = all;
}

const audienceOf = ({ visibility, projectId }: SavedView) => `${visibility} ${projectId}`;

/** Everyone's, one's own, those of projects; of each the newest first. Ids begin with their time. */
function inOrder(one: SavedView, other: SavedView): number {
  const [first, second] = [audienceOf(one), audienceOf(other)];
  if (first !== second) return first < second ? -1 : 1;
  return one.id! > other.id! ? -1 : 1;
}

function keepInBrowser(name: string, address: string): void {
  const others = preferences.peek().views.filter((one) => one.name !== name);
  prefer({ views: [...others, { name, address }] });
}

const forgetInBrowser = (name: string) =>
  prefer({ views: preferences.peek().views.filter((one) => one.name !== name) });

const bodyOf = ({ name, description, visibility, projectId, isDefault }: ViewWish) => ({
  ...{ name, description, visibility, is_default: isDefault },
  project_id: visibility === 'project' ? projectId : null,
});

/** The longest query that the service keeps. */
const LONGEST = 2_000;

/** @throws Error where it is too long for the service */
function queryOf(address: string): string {
  const query = address.split('?', 2)[1] ?? '';
  if (query.length > LONGEST) throw new Error(say('This view has too many values to be saved.'));
  return query;
}

function fromService(one: Kept): SavedView {
  const { view_id: id, name, description, address, visibility, project_id: projectId } = one;
  const table =
    hasBuiltIn.peek() && addressFields(one.table) !== undefined ? one.table : `tables/${one.table}`;
  return {
    ...{ id, table, name, description, visibility, projectId },
    address: `/${table}${address && `?${address}`}`,
    isDefault: one.is_default,
    canChange: isAdmin.peek() || (one.mine && visibility !== 'everyone'),
  };
}

function fromBrowser({ name, address }: { readonly name: string; readonly address: string }) {
  const { table } = viewAt(address);
  return {
    ...{ id: undefined, table, name, description: '', address, projectId: null },
    ...{ visibility: 'private', isDefault: false, canChange: true },
  } satisfies SavedView;
}

/** The members that differ: somebody else may have changed the others meanwhile. */
function changesOf(before: ViewWish, wish: ViewWish): Partial<ReturnType<typeof bodyOf>> {
  const was: Readonly<Record<string, unknown>> = bodyOf(before);
  return Object.fromEntries(
    Object.entries(bodyOf(wish)).filter(([name, value]) => value !== was[name]),
  );
}
