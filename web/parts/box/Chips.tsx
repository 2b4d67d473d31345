/** Conditions in the box: each can be edited as text, turned round, or removed. */
import { useEffect, useRef } from 'preact/hooks';
import { chipText, lineOf } from '../../present/chip.ts';
import {
  type Condition,
  joined,
  type LabelOf,
  type TableName,
  withoutCondition,
} from '../../state/view.ts';
import { say } from '../../words/words.ts';
import { Button } from '../controls/Button.tsx';
import { Icon } from '../controls/Icon.tsx';
import { onResize } from '../controls/listening.ts';
import { along, isCommand, useRoving } from '../controls/roving.ts';

interface Given {
  readonly table: TableName;
  readonly conditions: readonly Condition[];
  readonly labelOf: LabelOf;
  readonly set: (conditions: readonly Condition[]) => void;
  /** Puts the condition into the box as text. */
  readonly edit: (one: Condition) => void;
  /** Gives the focus back to the box. */
  readonly leave: () => void;
}

export function Chips(given: Given) {
  const { conditions: all, set, leave } = given;
  const list = useRef<HTMLUListElement>(null);
  useRoving(list, '.chip-text, .chip-all', along('ArrowLeft', 'ArrowRight'));
  // The latest is in sight, also where the number of rows comes and takes room of the box.
  useEffect(() => {
    const chips = list.current!;
    const toEnd = () => {
      chips.scrollTo({ left: chips.scrollWidth });
      markCut(chips);
    };
    toEnd();
    return onResize(() => {
      if (!chips.matches(':hover, :focus-within')) toEnd();
    }, chips);
  }, [all.length]);
  const remove = (at: number) => {
    set(withoutCondition(all, all[at]!));
    // The next chip takes this one's place.
    if (all.length === 1) leave();
    else if (at === all.length - 1) textsIn(list.current!)[at - 1]!.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isCommand(event)) return;
    const at = textsIn(list.current!).indexOf(event.target as HTMLElement);
    const one = all[at];
    if (event.key === 'Escape' || (event.key === 'ArrowRight' && isLast(event.target))) leave();
    else if (one && (event.key === 'Delete' || event.key === 'Backspace')) remove(at);
    else if (one && canTurn(one) && event.key === '-') set(inverted(all, one));
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
        <Chip key={at} {...given} one={one} remove={() => remove(at)} />
      ))}
      {all.length > 1 && (
        <li class="chips-all">
          <Button
            look="is-plain is-small chip-all"
            onClick={() => {
              set([]);
              leave();
            }}
          >
            {say('Clear all')}
          </Button>
        </li>
      )}
    </ul>
  );
}

const textsIn = (list: Element) => [...list.querySelectorAll<HTMLElement>('.chip-text')];

/** Shows that chips go on to the left. */
const markCut = (chips: Element) => chips.classList.toggle('is-cut', chips.scrollLeft > 4);

const isLast = (target: EventTarget | null) =>
  target instanceof Element && target.closest('li')?.nextElementSibling === null;

interface ChipGiven extends Given {
  readonly one: Condition;
  readonly remove: () => void;
}

function Chip({ one, table, conditions, labelOf, set, edit, remove }: ChipGiven) {
  const shown = chipText(table, one, labelOf);
  const { field, is, value, not } = shown;
  const text = lineOf(shown);
  return (
    <li class={`chip ${not ? 'is-not' : ''}`}>
      <button
        type="button"
        class="chip-text"
        title={say('Edit {what}', { what: text })}
        aria-keyshortcuts={canTurn(one) ? 'Delete -' : 'Delete'}
        onClick={() => edit(one)}
      >
        {field !== '' && (
          <span class="chip-field">
            {field}
            {is && <span class={not ? 'chip-not' : ''}> {is}</span>}
          </span>
        )}
        <span class="chip-value">{value}</span>
      </button>
      {canTurn(one) && (
        <button
          type="button"
          class="chip-act"
          tabIndex={-1}
          aria-pressed={one.not}
          aria-label={say('Exclude {what}', { what: `${field}: ${value}` })}
          title={say(one.not ? 'Include' : 'Exclude')}
          onClick={() => set(inverted(conditions, one))}
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
        onClick={remove}
      >
        <Icon name="close" size={12} />
      </button>
    </li>
  );
}

type Turnable = Extract<Condition, { readonly not: boolean }>;

/** Whether it can leave out the rows that it finds, and the other way round. */
const canTurn = (one: Condition): one is Turnable =>
  one.kind === 'values' || one.kind === 'contains';

/** Turned round where it stands, together with values that are turned so already. */
function inverted(conditions: readonly Condition[], one: Turnable): readonly Condition[] {
  const turned = { ...one, not: !one.not };
  const rest = withoutCondition(conditions, turned);
  const next = joined(conditions, turned);
  return rest.map((other) => (other === one ? next : other));
}
