/**
 * What the service and its client say, in German: by their English, `{names}` standing for what differs.
 * Whatever is not here is shown as it was said.
 */
export const DE_HEARD: Readonly<Record<string, string>> = {
  // Titles, by which every refusal is known
  'The body is not valid JSON': 'Der Inhalt ist kein gültiges JSON',
  'The task search cannot be run': 'So lassen sich Aufgaben nicht suchen',
  'The schedule search cannot be run': 'So lassen sich Zeitpläne nicht suchen',
  'The project filter contradicts the path': 'Der Filter widerspricht dem Projekt',
  'The scope filter contradicts the path': 'Der Bereich widerspricht dem Projekt',
  'The histogram needs too many buckets': 'Die Zeitachse bräuchte zu viele Balken',
  'Authentication is required': 'Eine Anmeldung ist nötig',
  'This needs a role that the caller does not have': 'Dazu fehlt Ihnen eine Rolle',
  'There is nothing here': 'Hier ist nichts',
  'The task has no snapshot': 'Die Aufgabe hat keinen Schnappschuss',
  'The path does not take this method': 'Der Pfad kennt diese Methode nicht',
  'The task has already ended': 'Die Aufgabe ist schon beendet',
  'The body is too large': 'Der Inhalt ist zu groß',
  'The body must be JSON': 'Der Inhalt muss JSON sein',
  'The range lies outside the file': 'Der Bereich liegt außerhalb der Datei',
  'The request does not fit its schema': 'Die Anfrage hat nicht die richtige Form',
  'Too many requests at once': 'Zu viele Anfragen auf einmal',
  'Something went wrong inside': 'Im Dienst ist etwas schiefgegangen',
  'The store cannot be reached': 'Die Datenbank ist nicht zu erreichen',
  'The search took too long': 'Die Suche dauerte zu lange',
  'The index is loading this table': 'Der Index dieser Tabelle wird geladen',
  'The service is busy': 'Der Dienst ist ausgelastet',

  // Single cases
  'This is for admins.': 'Das ist für Admins.',
  'There is nothing under this path.': 'Unter diesem Pfad ist nichts.',
  'The task has ended already: {status}.': 'Die Aufgabe ist schon beendet: {status}.',
  'This task has no snapshot to download.':
    'Diese Aufgabe hat keinen Schnappschuss zum Herunterladen.',
  'The store cannot be reached just now.': 'Die Datenbank ist gerade nicht zu erreichen.',
  'The store did not answer within the time a search may take.':
    'Die Datenbank hat nicht in der Zeit geantwortet, die eine Suche dauern darf.',
  'The index is loading this table, which is too large for the store to search in time.':
    'Der Index dieser Tabelle wird geladen. Ohne ihn dauert die Suche zu lange.',
  'Too much is waiting for the store.': 'Zu vieles wartet auf die Datenbank.',
  'The store could not make the change in time; nothing was changed.':
    'Die Datenbank kam nicht rechtzeitig dazu; nichts wurde geändert.',
  'Too many change this at once; nothing was changed. Try again shortly.':
    'Zu viele ändern dies auf einmal; nichts wurde geändert. Versuchen Sie es gleich noch einmal.',
  'The service is stopping.': 'Der Dienst hört auf.',
  'The service is stopping; nothing was changed.': 'Der Dienst hört auf; nichts wurde geändert.',
  'The service failed; its log says why.': 'Der Dienst ist gescheitert; warum, sagt sein Log.',
  'The service cannot be reached.': 'Der Dienst ist nicht zu erreichen.',
  'The connection was lost in the middle of the answer.':
    'Die Verbindung ging mitten in der Antwort verloren.',

  // Signing in
  'The token expired at {when}; a new one is needed.':
    'Das Token ist am {when} abgelaufen; ein neues ist nötig.',
  'The signature of the token is wrong: made with another key, or for other claims.':
    'Die Unterschrift des Tokens ist falsch: von einem anderen Schlüssel, oder für anderes.',

  // A demo's users
  'Admin: sees and changes everything': 'Admin: sieht und ändert alles',
  'Member: sees their own projects': 'Mitglied: sieht die eigenen Projekte',

  // Live
  'The token has expired.': 'Das Token ist abgelaufen.',
  'The right to see this is gone.': 'Sie dürfen es nicht mehr sehen.',
  'The task has ended.': 'Die Aufgabe ist beendet.',
  'The task is gone.': 'Die Aufgabe ist fort.',
  'SEARCH_INDEX is off.': 'SEARCH_INDEX ist aus.',
  'The index was not as far as answers that were shown.':
    'Der Index war nicht so weit wie das, was schon gezeigt wurde.',
  'The index is {state} ({part} % is there): {reason}.':
    'Der Index {state} ({part} % sind da): {reason}.',
  'The index is {state} ({part} % is there).': 'Der Index {state} ({part} % sind da).',
  'The index is {state}: {reason}.': 'Der Index {state}: {reason}.',
  'The index is {state}.': 'Der Index {state}.',
  loading: 'wird geladen',
  reloading: 'wird neu geladen',
  behind: 'liegt zurück',
  off: 'ist aus',
};
