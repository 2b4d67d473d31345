/**
 * The one box: words are searched for as they are typed; `field:value` becomes a condition, with completion.
 * Conditions stand in it as chips, and go back to text to be edited.
 */
import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { failureText } from '../../present/failureText.ts';
import type { Suggestion } from '../../query/completion.ts';
import type { Added, Doubt, Understood } from '../../query/understood.ts';
import type { Condition, LabelOf } from '../../state/view.ts';
import type { Table } from '../../tables/tables.ts';
import { say } from '../../words/words.ts';
import { Icon } from '../controls/Icon.tsx';
import { IconButton } from '../controls/IconButton.tsx';
import { isCommand } from '../controls/roving.ts';
import { SLOW_MS } from '../controls/useAnswer.ts';
import { BoxNote } from './BoxNote.tsx';
import { Chips } from './Chips.tsx';
import { Suggestions } from './Suggestions.tsx';

/** The calls of the box, step by step. */
export interface BoxDeeds {
  /** Searches for the text without its terms, and returns that. */
  readonly typed: (text: string) => string;
  /** The beginning of the text that nobody is typing any more. */
  readonly finished: (text: string) => string;
  /** Whether a filter is being typed that is not applied yet, and the note on a term that is searched for as text. */
  readonly read: (text: string) => {
    readonly isPending: boolean;
    readonly note: Doubt | undefined;
  };
  /** Reads the terms of a text; `canStand`: values that nobody has are taken as they are. */
  readonly understood: (text: string, canStand?: boolean) => Promise<Understood>;
  /** Adds the filters, or replaces others by them; searches for the text without its terms, and returns it. */
  readonly commit: (added: readonly Added[], text: string, how: 'add' | 'replace') => string;
  /** Takes a filter back, and returns it as text. */
  readonly takenBack: (one: Condition) => string;
  readonly setConditions: (conditions: readonly Condition[]) => void;
  /** Suggestions for an empty box; and completions of a text, until they are ended. */
  readonly beginnings: () => readonly Suggestion[];
  readonly completions: (text: string, then: (found: readonly Suggestion[]) => void) => void;
  readonly endCompletions: () => void;
  /** Keeps the search that shows among the latest ones. */
  readonly keep: () => void;
}

interface Given {
  /** Signals, since the box alone is painted with each key stroke, and others may change them meanwhile. */
  readonly table: ReadonlySignal<Table>;
  readonly q: ReadonlySignal<string>;
  readonly conditions: ReadonlySignal<readonly Condition[]>;
  /** Whether `/` leads to it. */
  readonly hasKey: boolean;
  readonly labelOf: LabelOf;
  readonly deeds: BoxDeeds;
}

/** A filter that is edited as text. */
interface Edited {
  readonly one: Condition;
  /** The text that stood in the box before. */
  readonly before: string;
  /** The text of the box at first, and in it the filter's field with the colon. */
  readonly text: string;
  readonly name: string;
}

/** Each table has a box of its own, so that no text reaches another table. */
export function SearchBox({ table, q, conditions, hasKey, labelOf, deeds }: Given) {
  const of = useRef(table.peek().name).current;
  const input = useRef<HTMLInputElement>(null);
  const text = useSignal(q.peek());
  const suggestions = useSignal<readonly Suggestion[]>([]);
  const active = useSignal(-1);
  const doubt = useSignal<Doubt | undefined>(undefined);
  /** Whether the service is asked for the value of a filter, which takes long enough to say so. */
  const isLookingUp = useSignal(false);
  const sent = useRef(q.peek());
  const edited = useRef<Edited | undefined>(undefined);

  // Another view was opened: its text replaces the typed one. `peek` reads the latest text, since
  // somebody may have typed after this was painted.
  useEffect(() => {
    const now = q.peek();
    if (now === sent.current) return;
    sent.current = now;
    text.value = now;
    suggestions.value = [];
    doubt.value = undefined;
  }, [q.value]);

  // The filter that is edited is back by another way: the browser's back, or a click at the side.
  const filters = conditions.value;
  useEffect(() => {
    const { current: was } = edited;
    const isBack = conditions
      .peek()
      .some((one) => JSON.stringify(one) === JSON.stringify(was?.one));
    if (!was || !isBack) return;
    edited.current = undefined;
    onText(was.before);
  }, [filters]);

  const close = () => {
    deeds.endCompletions();
    suggestions.value = [];
    active.value = -1;
  };
  /** Offers completions of the text, while somebody is at the box. */
  const offer = (before: string) => {
    const value = text.peek();
    deeds.completions(before, (found) => {
      const isWanted = text.peek() === value && document.activeElement === input.current;
      if (isWanted) suggestions.value = found;
    });
  };
  const focus = () => {
    const { current: box } = input;
    box?.focus();
    box?.setSelectionRange(box.value.length, box.value.length);
  };
  const onText = (value: string) => {
    // The question goes out first: the UI's own work can wait.
    sent.current = deeds.typed(value);
    text.value = value;
    const { term = '' } = doubt.peek() ?? {};
    // An error of the service is of no term.
    if (term === '' || !value.includes(term)) doubt.value = undefined;
    if (!value.includes(edited.current?.name ?? '')) edited.current = undefined;
    active.value = -1;
    offer(value);
    // A space behind a condition completes it.
    if (/\s$/.test(value)) take('finished');
  };
  /** One after the other: the service may have to be asked, and meanwhile somebody goes on typing. */
  const taking = useRef(Promise.resolve());
  const take = (part: 'finished' | 'all', how: Taken = {}) => {
    taking.current = taking.current
      .then(() => takeNow(part, how))
      .catch((error: unknown) => {
        doubt.value = {
          ...{ text: failureText(error), term: '', choices: [] },
          ...{ isRefused: true, canStand: false },
        };
      });
  };
  const takeNow = async (part: 'finished' | 'all', { canStand, isNew }: Taken) => {
    const value = part === 'all' ? text.peek() : deeds.finished(text.peek());
    const slow = setTimeout(() => {
      isLookingUp.value = true;
    }, SLOW_MS);
    const {
      added,
      rest,
      doubt: found,
    } = await deeds.understood(value, canStand).finally(() => {
      clearTimeout(slow);
      isLookingUp.value = false;
    });
    const now = text.peek();
    if (!now.startsWith(value) || table.peek().name !== of) return;
    const more = now.slice(value.length);
    sent.current = deeds.commit(added, rest + more, isNew ? 'replace' : 'add');
    text.value = rest + more;
    doubt.value = found;
    if (added.length > 0) edited.current = undefined;
    if (more === '') close();
    if (part === 'all' && !found) deeds.keep();
  };
  /** The latest of them: chips are made once, and call it later. */
  const edit = useRef((one: Condition) => {
    const before = text.peek().trim();
    const value = `${before} ${deeds.takenBack(one)}`.trimStart();
    // A chip of several conditions has no one value to select.
    const sign = one.kind === 'contains' ? '~' : ':';
    const from = one.kind === 'any' ? value.length : value.indexOf(sign, before.length) + 1;
    edited.current = {
      one,
      before,
      text: value,
      name: one.kind === 'any' ? '' : value.slice(before.length, from),
    };
    onText(value);
    focus();
    // Its value is selected, and the field's other values are offered.
    input.current!.value = value;
    input.current!.setSelectionRange(from, value.length);
    if (one.kind !== 'any') offer(value.slice(0, from));
  }).current;
  const leaveChips = useRef(focus).current;

  const put = (one: Suggestion) => {
    close();
    text.value = one.box;
    if (one.isSearch) take('all', { isNew: true });
    else if (one.whole) take('finished');
    else onText(one.box);
  };
  const walk = (step: 1 | -1) => {
    const { length } = suggestions.peek();
    const at = active.peek();
    active.value = at < 0 && step < 0 ? length - 1 : (at + step + length) % length;
  };
  const accept = () => {
    const one = suggestions.peek()[active.peek()];
    if (one) put(one);
    else take('all');
  };
  /** The filter is as it was before its chip was clicked. */
  const putBack = ({ one, before }: Edited) => {
    edited.current = undefined;
    onText(before);
    deeds.commit([{ condition: one, joins: false }], before, 'add');
  };
  const onBlur = ({ relatedTarget: to }: FocusEvent) => {
    close();
    const { current: was } = edited;
    // The box still has the focus when the window alone has lost it; its own buttons go on with its text.
    const isAtBox = document.activeElement === input.current;
    if (isAtBox || (to instanceof Element && to.matches(OWN_BUTTONS))) return;
    deeds.keep();
    if (!was) return;
    if (text.peek() === was.text) putBack(was);
    else take('all');
  };
  const leave = () => {
    const { current: was } = edited;
    if (was) putBack(was);
    else if (suggestions.peek().length > 0) close();
    else if (text.peek() !== '') onText('');
    else input.current?.blur();
  };
  /** The action of a key in the box; undefined where the browser's own stays. */
  const deedOf = ({ key }: KeyboardEvent): (() => void) | undefined => {
    const isOpen = suggestions.peek().length > 0;
    if (key === 'ArrowDown') return isOpen ? () => walk(1) : focusRows;
    if (key === 'ArrowUp' && isOpen) return () => walk(-1);
    if (key === 'Enter') return accept;
    if (key === 'Escape') return leave;
    if (key === 'Backspace' && text.peek() === '') return removeLast;
    if (key === 'ArrowLeft' && isAtStart(input.current!)) return lastChip();
    return undefined;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter also ends a word that an input method composes.
    if (event.isComposing || isCommand(event)) return;
    // Tab leaves the box with the highlighted suggestion.
    const highlighted = suggestions.peek()[active.peek()];
    if (event.key === 'Tab' && highlighted) put(highlighted);
    const deed = deedOf(event);
    if (!deed) return;
    event.preventDefault();
    event.stopPropagation();
    deed();
  };
  /** Offers questions in an empty box. */
  const begin = () => {
    if (text.peek() === '') suggestions.value = deeds.beginnings();
  };
  const removeLast = () => {
    const all = conditions.peek();
    if (all.length > 0) deeds.setConditions(all.slice(0, -1));
  };
  const { name, many, example } = table.value;
  const what = say('Search {what}', { what: say(many) });
  const read = deeds.read(text.value);
  const note = doubt.value ?? read.note;
  const isOpen = suggestions.value.length > 0;
  const hint = isLookingUp.value
    ? say('Looking up the value…')
    : doubt.value
      ? ''
      : hintOn(text.value, read.isPending, isOpen);
  return (
    <div class={`search ${doubt.value ? 'is-refused' : ''}`}>
      <span class="search-icon">
        <Icon name="search" />
      </span>
      <Chips
        {...{ table: name, conditions: filters, labelOf, edit }}
        set={deeds.setConditions}
        leave={leaveChips}
      />
      <input
        ref={input}
        id="search"
        class="search-input"
        type="text"
        role="combobox"
        enterkeyhint="search"
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        value={text.value}
        placeholder={
          filters.length > 0
            ? what
            : say('Search {what} or filter: {example}', {
                what: say(many),
                example,
              })
        }
        aria-label={what}
        aria-autocomplete="list"
        aria-expanded={suggestions.value.length > 0}
        aria-controls="suggestions"
        aria-activedescendant={active.value >= 0 ? `suggestion-${active.value}` : undefined}
        aria-describedby={note ? 'search-note' : hint ? 'search-hint' : undefined}
        aria-invalid={doubt.value !== undefined}
        onInput={({ currentTarget, inputType }) => {
          const { value } = currentTarget;
          onText(value);
          // Typed, each condition would have been complete with the space behind it.
          if (inputType === 'insertFromPaste' && !/\s$/.test(value)) take('finished');
        }}
        onKeyDown={onKeyDown}
        onFocus={begin}
        onClick={begin}
        onBlur={onBlur}
      />
      {text.value !== '' && (
        <IconButton
          icon="close"
          small
          tabIndex={-1}
          label={say('Clear search')}
          onClick={() => {
            onText('');
            input.current?.focus();
          }}
        />
      )}
      {hasKey && <kbd class="search-key">/</kbd>}
      <div class="search-below">
        <Suggestions list={suggestions.value} active={active.value} put={put} hint={hint} />
        {note && (
          <BoxNote
            note={note}
            take={(term) => {
              text.value = text.peek().replace(note.term, () => term);
              input.current?.focus();
              if (note.isRefused) take('all');
              else onText(text.peek());
            }}
            insist={() => {
              input.current?.focus();
              take('all', { canStand: true });
            }}
          />
        )}
      </div>
    </div>
  );
}

interface Taken {
  /** Values that nobody has are taken as they are. */
  readonly canStand?: boolean;
  /** It takes the place of the filters that are there. */
  readonly isNew?: boolean;
}

/** How to go on, where that shows in no other way. */
function hintOn(text: string, isPending: boolean, isOpen: boolean): string {
  if (isPending) return say('Enter or a space applies this filter.');
  if (text !== '' || !isOpen) return '';
  return say(
    'All words must match. Quotes keep a text together, a hyphen excludes a word, “or” joins two.',
  );
}

const OWN_BUTTONS = '.search > button, .search-below button';

const isAtStart = ({ selectionStart, selectionEnd }: HTMLInputElement) =>
  selectionStart === 0 && selectionEnd === 0;

/** The way to the last chip, where there is one. */
function lastChip(): (() => void) | undefined {
  const chip = [...document.querySelectorAll<HTMLElement>('.chip-text')].at(-1);
  return chip && (() => chip.focus());
}

const focusRows = () => document.querySelector<HTMLElement>('tr.row')?.focus();
