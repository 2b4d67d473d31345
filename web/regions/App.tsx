/** All of the web UI: who is not signed in sees the door, and nothing else. */
import { effect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { dialog } from '../data/dialogs.ts';
import { learnTables, learnTablesSoon, tables } from '../data/learnTables.ts';
import { preferences } from '../data/preferences.ts';
import { labelOf, learnProjects } from '../data/projects.ts';
import { refusal, session } from '../data/session.ts';
import { isLost, rowsAddress, table, view } from '../data/store.ts';
import { learnTypes } from '../data/ticking.ts';
import { tellUnread } from '../data/unread.ts';
import { learnViews, openDefault, views } from '../data/views.ts';
import { learnWho } from '../data/who.ts';
import { ActionDialog, SweepDialog } from '../parts/dialogs/ActionDialog.tsx';
import { ExportDialog } from '../parts/dialogs/ExportDialog.tsx';
import { FailuresDialog } from '../parts/dialogs/FailuresDialog.tsx';
import { HelpDialog } from '../parts/dialogs/HelpDialog.tsx';
import { NoTable } from '../parts/dialogs/NoTable.tsx';
import { Notices } from '../parts/dialogs/Notices.tsx';
import { Palette } from '../parts/dialogs/Palette.tsx';
import { SignInAgain, SignInPage } from '../parts/dialogs/SignIn.tsx';
import { ViewsDialog } from '../parts/dialogs/ViewsDialog.tsx';
import { Sidebar } from '../parts/sides/Sidebar.tsx';
import { titleOf } from '../present/title.ts';
import { BRAND, language, say } from '../words/words.ts';
import { Main } from './Main.tsx';

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
  useEffect(() => {
    if (user === undefined) return;
    void learn();
  }, [user]);
  // Until then nothing is known that could be shown.
  const mayBegin = session.value && tables.value !== 'unknown';
  if (!mayBegin) return isLost.value ? <NoTable /> : <SignInPage />;
  const { kind } = dialog.value;
  const { sweep: swept } = table.value;
  return (
    <div class={`page ${preferences.value.rail ? 'has-rail' : ''}`}>
      <a class="skip" href="#rows">
        {say('Skip to content')}
      </a>
      <Sidebar />
      <Main />
      {kind === 'help' && <HelpDialog />}
      {kind === 'palette' && <Palette />}
      {kind === 'export' && <ExportDialog />}
      {kind === 'views' && <ViewsDialog />}
      {kind === 'action' && <ActionDialog />}
      {kind === 'sweep' && swept && <SweepDialog of={swept} />}
      {kind === 'failures' && <FailuresDialog />}
      {refusal.value !== undefined && <SignInAgain reason={refusal.value} />}
      <Notices />
    </div>
  );
}

/** Asks for the list of tables first: it says whether there are tasks, projects and users. */
async function learn(): Promise<void> {
  void learnTablesSoon();
  await learnTables();
  tellUnread(location.href);
  void learnViews().then(openDefault);
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
