/** All keys, and the language of the search box. */
import { keysOf, PLACES } from '../../present/keys.ts';
import { examplesOf } from '../../present/syntax.ts';
import { namesOf, vocabularyOf } from '../../query/vocabulary.ts';
import type { TableName } from '../../state/view.ts';
import { say } from '../../words/words.ts';
import { Tick } from '../controls/Tick.tsx';
import { Dialog } from './Dialog.tsx';

interface Given {
  readonly table: TableName;
  /** The number of tables. */
  readonly tables: number;
  /** The date that the timeline shows. */
  readonly time: string | undefined;
  readonly hasShortcuts: boolean;
  readonly setShortcuts: (on: boolean) => void;
  readonly close: () => void;
}

export function HelpDialog({ table, tables, time, hasShortcuts, setShortcuts, close }: Given) {
  const { either, value, other, quoted, part, date, number, numbers, none } = examplesOf(
    table,
    time,
  );
  const syntax = [
    ['vineyard failure', say('both words, anywhere in the searched columns')],
    ['"time out"', say('this text as it stands')],
    ['-vineyard', say('does not have this text')],
    [either, say('one of the two, words or filters')],
    [value, say('has this value; a,b matches either')],
    [other, say('does not have this value')],
    [quoted, say('quote values with spaces or commas')],
    [part, say('has this text in the field')],
    [date, DATES],
    [number, say('also {what}', { what: numbers })],
    [none, say('has no value')],
  ] as const;
  // The other names are for those who type a column's own.
  const names = namesOf(vocabularyOf(table, time));
  return (
    <Dialog title={say('Keyboard shortcuts and search syntax')} class="is-wide" close={close}>
      <div class="help">
        <div>
          <h3 class="help-title">{say('Keyboard shortcuts')}</h3>
          <Tick
            class="help-switch"
            title={say('Use single keys as shortcuts')}
            value={hasShortcuts}
            set={setShortcuts}
          />
          <dl class="keys">
            {keysOf(table).map(({ keys, title }) => (
              <KeyRow key={keys} keys={keys.split(' ')} title={say(title)} />
            ))}
            <div class="key-row">
              <dt>
                <kbd>1</kbd>–<kbd>{Math.min(PLACES, tables)}</kbd>
              </dt>
              <dd>{say('Go to a table')}</dd>
            </div>
            <KeyRow keys={['Ctrl', 'K']} title={say('Commands')} />
            <KeyRow keys={['Shift', '← →']} title={say('Resize a column, at its title')} />
          </dl>
        </div>
        <div>
          <h3 class="help-title">{say('Search syntax')}</h3>
          <dl class="words">
            {syntax
              .filter(([example]) => example !== undefined)
              .map(([example, is]) => (
                <>
                  <dt class="mono">{example}</dt>
                  <dd>{is}</dd>
                </>
              ))}
          </dl>
          <p class="dim">{say('Fields: {what}', { what: names.join(', ') })}</p>
        </div>
      </div>
    </Dialog>
  );
}

const DATES = 'yesterday, tuesday, 24h, 7d, 2026-11-20..2026-11-22, >=2026-11, >=tue, <2h';

interface RowGiven {
  readonly keys: readonly string[];
  readonly title: string;
}

const KeyRow = ({ keys, title }: RowGiven) => (
  <div class="key-row">
    <dt>
      {keys.map((one) => (
        <kbd key={one}>{ARROWS[one] ?? one}</kbd>
      ))}
    </dt>
    <dd>{title}</dd>
  </div>
);

const ARROWS: Readonly<Record<string, string>> = { ArrowRight: '→', ArrowLeft: '←' };
