/**
 * The one box: text is searched for as it is typed; `field:value` becomes a condition, with completion.
 */
import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { commit, completions, typed, understood } from '../data/box.ts';
import { noticed } from '../data/service.ts';
import { go, table, view } from '../data/store.ts';
import { told } from '../data/told.ts';
import type { Suggestion } from '../query/completion.ts';
import { asking } from '../state/view.ts';
import { say } from '../words/words.ts';
import { Icon } from './Icon.tsx';

/** What of the box is read: what a blank has closed, or all of it. */
const BEFORE_BLANK = /^.*\s/su;
const ALL = /^.*$/su;

export function SearchBox() {
  const input = useRef<HTMLInputElement>(null);
  const text = useSignal(view.peek().q);
  const suggestions = useSignal<readonly Suggestion[]>([]);
  const active = useSignal(-1);
  const problem = useSignal<string | undefined>(undefined);
  const sent = useRef(view.peek().q);

  // Another view was opened: its text takes the place of what was typed. What has been typed since
  // this was painted counts, not what was painted.
  const q = useComputed(() => view.value.q).value;
  useEffect(() => {
    const now = view.peek().q;
    if (now === sent.current) return;
    sent.current = now;
    text.value = now;
    suggestions.value = [];
  }, [q]);

  const close = () => {
    suggestions.value = [];
    active.value = -1;
  };
  const onText = (value: string) => {
    // Asked first: what the UI itself does can wait for that.
    sent.current = typed(value);
    text.value = value;
    problem.value = undefined;
    active.value = -1;
    completions(value, (found) => {
      if (text.peek() === value) suggestions.value = found;
    });
    // A space behind a condition completes it.
    if (/\s$/.test(value)) take(BEFORE_BLANK);
  };
  /** One after the other: the service may have to be asked, and meanwhile somebody goes on typing. */
  const taking = useRef(Promise.resolve());
  const take = (what: RegExp) => {
    taking.current = taking.current
      .then(() => takeNow(what))
      .catch((error: unknown) => {
        problem.value = told(noticed(error));
      });
  };
  const takeNow = async (what: RegExp) => {
    const [value = ''] = what.exec(text.peek()) ?? [];
    const { conditions, rest, problem: why } = await understood(value);
    const now = text.peek();
    if (!now.startsWith(value)) return;
    const added = now.slice(value.length);
    sent.current = commit(conditions, rest + added);
    text.value = rest + added;
    problem.value = why;
    if (why === undefined && added === '') close();
  };
  const put = (one: Suggestion) => {
    close();
    text.value = one.box;
    if (one.whole) take(BEFORE_BLANK);
    else onText(one.box);
  };
  const choose = (one: Suggestion) => {
    put(one);
    input.current?.focus();
  };

  const walk = (step: 1 | -1) => {
    const { length } = suggestions.peek();
    const at = active.peek();
    active.value = at < 0 && step < 0 ? length - 1 : (at + step + length) % length;
  };
  const accept = () => {
    const one = suggestions.peek()[active.peek()];
    if (one) choose(one);
    else take(ALL);
  };
  const leave = () => {
    if (suggestions.peek().length > 0) close();
    else if (text.peek() !== '') onText('');
    else input.current?.blur();
  };
  /** What a key does in the box; undefined where it does what it always does. */
  const deedOf = ({ key }: KeyboardEvent): (() => void) | undefined => {
    const isOpen = suggestions.peek().length > 0;
    if (key === 'ArrowDown') return isOpen ? () => walk(1) : focusRows;
    if (key === 'ArrowUp' && isOpen) return () => walk(-1);
    if (key === 'Enter') return accept;
    if (key === 'Escape') return leave;
    if (key === 'Backspace' && text.peek() === '') return dropLast;
    return undefined;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Tab leaves the box, with what is highlighted and nothing else.
    const highlighted = suggestions.peek()[active.peek()];
    if (event.key === 'Tab' && highlighted) put(highlighted);
    const deed = deedOf(event);
    if (!deed) return;
    event.preventDefault();
    event.stopPropagation();
    deed();
  };
  const list = suggestions.value;
  return (
    <div class="search">
      <span class="search-icon">
        <Icon name="search" />
      </span>
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
        placeholder={say('Search {what} or filter: {example}', {
          what: say(table.value.many),
          example: EXAMPLES[table.value.name],
        })}
        aria-label={say('Search {what}', { what: say(table.value.many) })}
        aria-autocomplete="list"
        aria-expanded={list.length > 0}
        aria-controls="suggestions"
        aria-activedescendant={active.value >= 0 ? `suggestion-${active.value}` : undefined}
        aria-describedby={problem.value ? 'search-problem' : undefined}
        aria-invalid={problem.value !== undefined}
        onInput={({ currentTarget }) => onText(currentTarget.value)}
        onKeyDown={onKeyDown}
        onBlur={close}
      />
      {text.value !== '' && (
        <button
          type="button"
          class="button is-icon is-small"
          aria-label={say('Clear search')}
          onClick={() => {
            onText('');
            input.current?.focus();
          }}
        >
          <Icon name="close" size={13} />
        </button>
      )}
      <kbd class="search-key">/</kbd>
      <div
        id="suggestions"
        class="suggestions"
        role="listbox"
        aria-label={say('Suggestions')}
        hidden={list.length === 0}
      >
        {list.map((one, at) => (
          // biome-ignore lint/a11y/useFocusableInteractive: focus stays in the box, which names the active one
          <div
            id={`suggestion-${at}`}
            key={one.text}
            class="suggestion"
            role="option"
            aria-selected={at === active.value}
            onPointerDown={(event) => {
              event.preventDefault();
              choose(one);
            }}
          >
            <span class="suggestion-text">{one.text}</span>
            <span class="dim">{one.hint}</span>
          </div>
        ))}
      </div>
      {problem.value && (
        <p id="search-problem" class="search-problem" role="alert">
          {problem.value}
        </p>
      )}
    </div>
  );
}

const focusRows = () => document.querySelector<HTMLElement>('tr.row')?.focus();

function dropLast(): void {
  const { conditions } = view.peek();
  if (conditions.length > 0) go(asking(view.peek(), { conditions: conditions.slice(0, -1) }));
}

const EXAMPLES = {
  tasks: 'status:failure date:today worker:…',
  schedules: 'enabled:no type:…',
  projects: 'type:demo',
  users: 'active:no group:…',
  audit: 'action:task.cancel date:today',
} as const;
