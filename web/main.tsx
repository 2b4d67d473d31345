/** The web UI begins: it asks for the view in the address, and shows it. */
import { render } from 'preact';
import { startKeys } from './data/keys.ts';
import { startAsking } from './data/rows/asking.ts';
import { startClock } from './data/service/clock.ts';
import { learnTablesSoon } from './data/service/learnTables.ts';
import { comeBack } from './data/service/openId.ts';
import { notSignedIn, session, takeToken, takeTokens } from './data/service/session.ts';
import { startCounting } from './data/viewCounts.ts';
import { learnViews } from './data/views.ts';
import { startNewTabs } from './parts/controls/follow.ts';
import { keepFocus } from './parts/controls/keepFocus.ts';
import { App } from './regions/App.tsx';
import './styles.ts';

// The sign-in of a provider ends before the first question.
notSignedIn.value = takeToken() ?? (await comeBack());
if (session.value) {
  await learnTablesSoon();
  // Asked for beside the first rows, which wait for nothing.
  void learnViews();
}
takeTokens();
startClock();
startAsking();
startKeys();
startNewTabs();
keepFocus();
startCounting();
render(<App />, document.getElementById('page')!);
