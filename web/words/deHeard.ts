/**
 * What the service and its client say, in German: by their English, `{names}` standing for what differs.
 * Whatever is not here is shown as it was said.
 */
export const DE_HEARD: Readonly<Record<string, string>> = {
  // Titles, by which every refusal is known
  'The body is not valid JSON': 'Die Anfrage ist kein gültiges JSON',
  'The task search cannot be run': 'Diese Aufgabensuche ist nicht möglich',
  'The schedule search cannot be run': 'Diese Zeitplansuche ist nicht möglich',
  'The project filter contradicts the path': 'Der Projektfilter widerspricht dem Pfad',
  'The scope filter contradicts the path': 'Der Bereichsfilter widerspricht dem Pfad',
  'The histogram needs too many buckets': 'Die Zeitachse hätte zu viele Intervalle',
  'Authentication is required': 'Anmeldung erforderlich',
  'This needs a role that the caller does not have': 'Ihnen fehlt die nötige Rolle',
  'There is nothing here': 'Nicht gefunden',
  'The task has no snapshot': 'Die Aufgabe hat keinen Snapshot',
  'The path does not take this method': 'Dieser Pfad erlaubt die Methode nicht',
  'The task has already ended': 'Die Aufgabe ist bereits beendet',
  'The body is too large': 'Die Anfrage ist zu groß',
  'The body must be JSON': 'Die Anfrage muss JSON sein',
  'The range lies outside the file': 'Der Bereich liegt außerhalb der Datei',
  'The request does not fit its schema': 'Die Anfrage ist ungültig',
  'Too many requests at once': 'Zu viele gleichzeitige Anfragen',
  'The request is not valid HTTP': 'Die Anfrage ist kein gültiges HTTP',
  'The request did not arrive in time': 'Die Anfrage kam nicht rechtzeitig an',
  'The head of the request is too large': 'Der Kopf der Anfrage ist zu groß',
  'Something went wrong inside': 'Interner Fehler',
  'The store cannot be reached': 'Die Datenbank ist nicht erreichbar',
  'The search took too long': 'Die Suche hat zu lange gedauert',
  'The index is loading this table': 'Der Index dieser Tabelle wird geladen',
  'The service is busy': 'Der Dienst ist ausgelastet',

  // Single cases
  'Filters: This must not list more than {n}.': 'Filter: Es sind höchstens {n} möglich.',
  'Only admins may do this.': 'Das dürfen nur Admins.',
  'Nothing exists at this path.': 'Unter diesem Pfad gibt es nichts.',
  'The task has ended already: {status}.': 'Die Aufgabe ist bereits beendet: {status}.',
  'This task has no snapshot to download.': 'Diese Aufgabe hat keinen Snapshot zum Herunterladen.',
  'The store cannot be reached just now.': 'Die Datenbank ist derzeit nicht erreichbar.',
  'The store did not answer within the time limit of a search.':
    'Die Datenbank hat nicht innerhalb der Zeitgrenze einer Suche geantwortet.',
  'The index is loading this table, which is too large for the store to search in time.':
    'Der Index dieser Tabelle wird geladen. Ohne ihn dauert die Suche zu lange.',
  'The store does not let the service read or write this; its log says why.':
    'Die Datenbank erlaubt dem Dienst diesen Zugriff nicht; das Log des Dienstes nennt die Ursache.',
  'MongoDB does not read a capped collection as of one moment.':
    'MongoDB liest eine Capped Collection nicht zu einem festen Zeitpunkt.',
  'MongoDB joins no view or time series that has a collation of its own.':
    'MongoDB verknüpft keine View oder Zeitreihe, die eine eigene Kollation hat.',
  'Too many requests are waiting for the store.': 'Zu viele Anfragen warten auf die Datenbank.',
  'The store could not make the change in time; nothing was changed.':
    'Die Datenbank hat nicht rechtzeitig reagiert; nichts wurde geändert.',
  'Too many change this at once; nothing was changed. Try again shortly.':
    'Zu viele gleichzeitige Änderungen; nichts wurde geändert. Versuchen Sie es gleich erneut.',
  'The database reads pages with keys that are objects.':
    'Seiten mit Schlüsseln, die Objekte sind, liest die Datenbank.',
  'The database sorts by this column.': 'Die Datenbank sortiert nach dieser Spalte.',
  'The database sorts by this column, and took too long. Sort by another one, or narrow the rows down.':
    'Die Datenbank sortiert nach dieser Spalte und brauchte zu lange. Sortieren Sie nach einer anderen, oder grenzen Sie die Zeilen ein.',
  'The service is stopping.': 'Der Dienst wird beendet.',
  'The service is stopping; nothing was changed.':
    'Der Dienst wird beendet; nichts wurde geändert.',
  'The service failed; its log says why.':
    'Interner Fehler; das Log des Dienstes nennt die Ursache.',
  'The service cannot be reached.': 'Der Dienst ist nicht erreichbar.',
  'The connection was lost in the middle of the answer.':
    'Die Verbindung wurde während der Antwort unterbrochen.',

  // Signing in
  'The token expired at {when}; a new one is needed.':
    'Das Token ist am {when} abgelaufen; ein neues ist nötig.',
  'The signature of the token is wrong: made with another key, or for other claims.':
    'Die Signatur des Tokens ist ungültig: anderer Schlüssel oder geänderte Angaben.',

  // A demo's users
  'Admin: sees and changes everything': 'Admin: sieht und ändert alles',
  'Member: sees their own projects': 'Mitglied: sieht die eigenen Projekte',

  // Live
  'The token has expired.': 'Das Token ist abgelaufen.',
  'You no longer have access to this.': 'Sie haben keinen Zugriff mehr.',
  'The task has ended.': 'Die Aufgabe ist beendet.',
  'The task was deleted.': 'Die Aufgabe wurde gelöscht.',
  'SEARCH_INDEX is off.': 'SEARCH_INDEX ist aus.',
  'The index is behind answers that were already shown.':
    'Der Index liegt hinter bereits angezeigten Ergebnissen zurück.',
  'The index is off for {table}: {reason}.': 'Der Index ist aus für {table}: {reason}.',
  'The index is {state} ({part} % is there): {reason}.':
    'Der Index {state} ({part} % sind da): {reason}.',
  'The index is {state} ({part} % is there).': 'Der Index {state} ({part} % sind da).',
  'The index is {state}: {reason}.': 'Der Index {state}: {reason}.',
  'The index is {state}.': 'Der Index {state}.',
  'a table that it reads': 'eine Tabelle, die sie liest',
  'the documents of this table are being loaded': 'die Dokumente dieser Tabelle werden eingelesen',
  'the load of this table has not begun': 'das Laden dieser Tabelle hat noch nicht begonnen',
  loading: 'wird geladen',
  reloading: 'wird neu geladen',
  behind: 'liegt zurück',
  off: 'ist aus',
};
