/** Conditions in the box: each can be edited as text, turned round, or removed. */
import { useEffect, useRef } from 'preact/hooks';
import { labelOf } from '../../data/projects.ts';
import { conditions, go, table, view } from '../../data/store.ts';
import { chipText, lineOf } from '../../present/chip.ts';
import { asking, type Condition, joined, withoutCondition } from '../../state/view.ts';
import { say } from '../../words/words.ts';
import { Icon } from '../controls/Icon.tsx';
import { along, useRoving } from '../controls/roving.ts';

interface Given {
  /** Puts the condition into the box as text. */
  readonly edit: (one: Condition) => void;
  /** Gives the focus back to the box. */
  readonly leave: () => void;
}

export function Chips({ edit, leave }: Given) {
  const list = useRef<HTMLUListElement>(null);
  useRoving(list, '.chip-text, .chip-all', along('ArrowLeft', 'ArrowRight'));
  const all = conditions.value;
  // The latest is in sight.
  useEffect(() => {
    const { current: chips } = list;
    chips!.scrollTo({ left: chips!.scrollWidth });
    markCut(chips!);
  }, [all.length]);
  const onKeyDown = (event: KeyboardEvent) => {
    const chips = [...list.current!.querySelectorAll<HTMLElement>('.chip-text')];
    const at = chips.indexOf(event.target as HTMLElement);
    const one = all[at];
    if (event.key === 'Escape' || (event.key === 'ArrowRight' && isLast(event.target))) leave();
    else if (one && (event.key === 'Delete' || event.key === 'Backspace')) {
      remove(one);
      // The next chip takes this one's place.
      if (chips.length === 1) leave();
      else if (at === chips.length - 1) chips[at - 1]!.focus();
    } else if (one?.kind === 'values' && event.key === '-') invert(one);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <ul
      ref={list}
      class="chips"
      aria-label={say('Active filters')}
      hidden={all.length === 0}
      onKeyDown={onKeyDown}
      onScroll={({ currentTarget }) => markCut(currentTarget)}
    >
      {all.map((one, at) => (
        <Chip key={at} one={one} edit={edit} />
      ))}
      {all.length > 1 && (
        <li class="chips-all">
          <button
            type="button"
            class="button is-plain is-small chip-all"
            onClick={() => {
              go(asking(view.value, { conditions: [] }));
              leave();
            }}
          >
            {say('Clear all')}
          </button>
        </li>
      )}
    </ul>
  );
}

/** Shows that chips go on to the left. */
const markCut = (chips: Element) => chips.classList.toggle('is-cut', chips.scrollLeft > 4);

const isLast = (target: EventTarget | null) =>
  target instanceof Element && target.closest('li')?.nextElementSibling === null;

interface ChipGiven {
  readonly one: Condition;
  readonly edit: Given['edit'];
}

function Chip({ one, edit }: ChipGiven) {
  const shown = chipText(table.value.name, one, labelOf);
  const { field, is, value } = shown;
  const text = lineOf(shown);
  return (
    <li class={`chip ${is ? 'is-not' : ''}`}>
      <button
        type="button"
        class="chip-text"
        title={say('Edit {what}', { what: text })}
        aria-keyshortcuts={one.kind === 'values' ? 'Delete -' : 'Delete'}
        onClick={() => edit(one)}
      >
        {field !== '' && (
          <span class="chip-field">
            {field}
            {is && <span class="chip-not"> {say('not')}</span>}
          </span>
        )}
        <span class="chip-value">{value}</span>
      </button>
      {one.kind === 'values' && (
        <button
          type="button"
          class="chip-act"
          tabIndex={-1}
          aria-pressed={one.not}
          aria-label={say('Exclude {what}', { what: `${field}: ${value}` })}
          title={say(one.not ? 'Include' : 'Exclude')}
          onClick={() => invert(one)}
        >
          <Icon name="slash" size={12} />
        </button>
      )}
      <button
        type="button"
        class="chip-act"
        tabIndex={-1}
        aria-label={say('Remove {what}', { what: text })}
        title={say('Remove')}
        onClick={() => remove(one)}
      >
        <Icon name="close" size={12} />
      </button>
    </li>
  );
}

const remove = (one: Condition) =>
  go(asking(view.value, { conditions: withoutCondition(view.value.conditions, one) }));

/** Turns it round where it stands, together with values that are turned so already. */
function invert(one: Condition & { kind: 'values' }): void {
  const { conditions } = view.peek();
  const turned = { ...one, not: !one.not };
  const rest = withoutCondition(conditions, turned);
  const next = joined(conditions, turned);
  go(asking(view.peek(), { conditions: rest.map((other) => (other === one ? next : other)) }));
}
