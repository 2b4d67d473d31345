/** All of the web UI: who is not signed in sees the door, and nothing else. */
import { effect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { dialog } from '../data/dialogs.ts';
import { preferences } from '../data/preferences.ts';
import { learnProjects } from '../data/projects.ts';
import { refusal, session } from '../data/session.ts';
import { table } from '../data/store.ts';
import { learnTypes } from '../data/ticking.ts';
import { learnWho } from '../data/who.ts';
import { language, say } from '../words/words.ts';
import { ActionDialog } from './ActionDialog.tsx';
import { ExportDialog } from './ExportDialog.tsx';
import { HelpDialog } from './HelpDialog.tsx';
import { Main } from './Main.tsx';
import { Notices } from './Notices.tsx';
import { Palette } from './Palette.tsx';
import { Sidebar } from './Sidebar.tsx';
import { SignInAgain, SignInPage } from './SignIn.tsx';
import { ViewsDialog } from './ViewsDialog.tsx';

export function App() {
  useEffect(() => effect(applyPreferences), []);
  useEffect(
    () =>
      effect(() => {
        document.title = session.value
          ? `${say(table.value.title)} · table-search`
          : 'table-search';
      }),
    [],
  );
  const user = session.value?.token;
  useEffect(() => {
    if (user === undefined) return;
    void learnTypes();
    void learnProjects();
    void learnWho();
  }, [user]);
  if (!session.value) return <SignInPage />;
  const { kind } = dialog.value;
  return (
    <div class={`page ${preferences.value.rail ? 'has-rail' : ''}`}>
      <a class="skip" href="#rows">
        {say('Skip to table')}
      </a>
      <Sidebar />
      <Main />
      {kind === 'help' && <HelpDialog />}
      {kind === 'palette' && <Palette />}
      {kind === 'export' && <ExportDialog />}
      {kind === 'views' && <ViewsDialog />}
      {kind === 'action' && <ActionDialog />}
      {refusal.value !== undefined && <SignInAgain reason={refusal.value} />}
      <Notices />
    </div>
  );
}

function applyPreferences(): void {
  const { theme, density } = preferences.value;
  const root = document.documentElement;
  if (theme === 'system') root.removeAttribute('data-theme');
  else root.dataset.theme = theme;
  root.dataset.density = density;
  root.lang = language.value;
}
