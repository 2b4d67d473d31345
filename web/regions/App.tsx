/** All of the web UI: who is not signed in sees the door, and nothing else. */
import { effect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { dismiss, notices } from '../data/notices.ts';
import { preferences } from '../data/preferences.ts';
import { learnTables, learnTablesSoon, tables } from '../data/service/learnTables.ts';
import { labelOf, learnProjects, learnTypes } from '../data/service/projects.ts';
import { refusal, session } from '../data/service/session.ts';
import { learnWho } from '../data/service/who.ts';
import { isLost, rowsAddress, view } from '../data/store.ts';
import { tellUnread } from '../data/unread.ts';
import { learnViews, openDefault, views } from '../data/views.ts';
import { Notices } from '../parts/dialogs/Notices.tsx';
import { titleOf } from '../present/title.ts';
import { BRAND, language, say } from '../words/words.ts';
import { DialogsRegion } from './DialogsRegion.tsx';
import { Main, NoTableRegion } from './Main.tsx';
import { SidebarRegion } from './SidebarRegion.tsx';
import { SignInRegion } from './SignInRegion.tsx';

export function App() {
  useEffect(() => effect(applyPreferences), []);
  useEffect(
    () =>
      effect(() => {
        const what = pageTitle();
        document.title = what === undefined ? BRAND : `${what} · ${BRAND}`;
      }),
    [],
  );
  const user = session.value?.token;
  const before = useRef<string | undefined>(undefined);
  useEffect(() => {
    const isAgain = before.current !== undefined;
    before.current = user;
    if (user !== undefined) void learn(isAgain);
  }, [user]);
  // Until then nothing is known that could be shown.
  const mayBegin = session.value && tables.value !== 'unknown';
  if (!mayBegin) return isLost.value ? <NoTableRegion /> : <SignInRegion />;
  return (
    <div class={`page ${preferences.value.rail ? 'has-rail' : ''}`}>
      <a class="skip" href="#rows">
        {say('Skip to content')}
      </a>
      <SidebarRegion />
      <Main />
      <DialogsRegion />
      {refusal.value !== undefined && <SignInRegion again={refusal.value} />}
      <Notices notices={notices.value} dismiss={dismiss} />
    </div>
  );
}

/**
 * Asks for the list of tables first: it says whether there are tasks, projects and users.
 *
 * @param isAgain another token takes the place of one that was refused: the view stays
 */
async function learn(isAgain: boolean): Promise<void> {
  void learnTablesSoon();
  await learnTables();
  tellUnread(location.href);
  void learnViews().then(() => isAgain || openDefault());
  void learnTypes();
  void learnProjects();
  void learnWho();
}

/** The tab's title; undefined on the sign-in page. */
function pageTitle(): string | undefined {
  if (isLost.value) return say('This page does not exist');
  if (!session.value) return undefined;
  const address = rowsAddress.value;
  const saved = views.value.find((one) => one.address === address);
  return saved?.name ?? titleOf(view.value, labelOf);
}

function applyPreferences(): void {
  const { theme, density, wraps, recordWidth } = preferences.value;
  const root = document.documentElement;
  if (theme === 'system') root.removeAttribute('data-theme');
  else root.dataset.theme = theme;
  root.dataset.density = density;
  root.dataset.wraps = String(wraps);
  if (recordWidth === null) root.style.removeProperty('--record-width');
  else root.style.setProperty('--record-width', `${recordWidth}px`);
  root.lang = language.value;
}
