/** A range on a number, date or duration, by a small form; or the rows without one. */
import { nextAfter, numberOf } from '../../../clients/typescript/viewAddress.ts';
import { isEmptyRange } from '../../query/ranges.ts';
import { endsOf } from '../../state/numbers.ts';
import {
  type Condition,
  choiceOf,
  isOn,
  toggled,
  withCondition,
  withoutCondition,
} from '../../state/view.ts';
import { addressFields, columnOf, fieldOf, type Table } from '../../tables/tables.ts';
import { say } from '../../words/words.ts';
import { Button } from '../controls/Button.tsx';

interface Given {
  readonly table: Table;
  readonly conditions: readonly Condition[];
  readonly column: string;
  readonly set: (conditions: readonly Condition[]) => void;
}

export function RangeForm({ table, conditions, column, set }: Given) {
  const field = fieldOf(table, column);
  if (!addressFields(table.name)!.ranges.includes(field)) return null;
  const isDate = table.description.ranges[field] === 'date';
  const { look } = columnOf(table.name, column);
  const now = conditions.find((one) => one.kind === 'range' && one.field === field);
  const { from, to } = now?.kind === 'range' ? now : {};
  // A bound right after a number shows as that number, and stays one: `<=5` is “Up to 5”.
  const { first, last } = endsOf({ from, to });
  const nothing = { kind: 'values', field, not: false, values: [null] } as const;
  const isNothing = choiceOf(conditions, field, null) === 'in';
  // Values beside it stay.
  const others = isNothing ? toggled(conditions, field, null, false) : conditions;
  return (
    <form
      class="range-form"
      onInput={({ currentTarget }) => endIn(currentTarget).setCustomValidity('')}
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget as HTMLFormElement;
        const given = new FormData(form);
        const bounds: { readonly from?: Value; readonly to?: Value } = {
          ...bound('from', given, isDate, from, first?.isAfter),
          ...bound('to', given, isDate, to, last?.isAfter),
        };
        const range = { kind: 'range', field, ...bounds } as const;
        // The service refuses such a range, and no row would show.
        if (isEmptyRange(range)) {
          endIn(form).setCustomValidity(say('The end must be after the beginning.'));
          endIn(form).reportValidity();
          return;
        }
        const isNone = Object.keys(bounds).length === 0;
        set(isNone ? withoutCondition(conditions, range) : withCondition(others, range));
      }}
    >
      <Bound
        name="from"
        title={say(first?.isAfter ? 'Above' : 'From')}
        value={first?.number ?? from}
        isDate={isDate}
      />
      <Bound
        name="to"
        title={say(isDate ? 'Earlier than' : last?.isAfter ? 'Up to' : 'Below')}
        value={last?.number ?? to}
        isDate={isDate}
      />
      {look === 'seconds' && <span class="dim">{say('Seconds')}</span>}
      <Button type="submit" look="is-small">
        {say('Apply')}
      </Button>
      <Button
        look="is-small"
        aria-pressed={isNothing}
        onClick={() => {
          const elsewhere = conditions.filter((one) => !isOn(one, field));
          set(isNothing ? others : withCondition(elsewhere, nothing));
        }}
      >
        {say('No value')}
      </Button>
    </form>
  );
}

type Value = string | number;

const endIn = (form: HTMLFormElement) => form.elements.namedItem('to') as HTMLInputElement;

interface BoundGiven {
  readonly name: string;
  readonly title: string;
  readonly value: string | number | undefined;
  readonly isDate: boolean;
}

function Bound({ name, title, value, isDate }: BoundGiven) {
  return (
    <label class="range-bound">
      <span>{title}</span>
      <input
        class="input is-small"
        name={name}
        type={isDate ? 'datetime-local' : 'number'}
        step="any"
        value={isDate && value !== undefined ? localText(String(value)) : value}
      />
    </label>
  );
}

/** As the browser's fields for dates have it: the viewer's zone, without saying so; empty for years before 1, which they have not. */
function localText(date: string): string {
  const at = new Date(date);
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  if (Number.isNaN(local.getTime()) || local.getTime() < FIRST_MS) return '';
  const [text = ''] = /^.*T\d\d:\d\d/.exec(local.toISOString()) ?? [];
  return text.replace(/^\+0*/, '');
}

const FIRST_MS = Date.parse('0001-01-01');

/** The moment of such a field, whose years after 9999 have no sign. */
const momentIn = (text: string): Date =>
  new Date(text.replace(/^\d{5,}/, (year) => `+${year.padStart(6, '0')}`));

/** @param was the bound that the field showed: a date has seconds that the field has not */
function bound(
  name: string,
  given: FormData,
  isDate: boolean,
  was: string | number | undefined,
  isAfter = false,
) {
  const text = String(given.get(name) ?? '');
  if (isDate && was !== undefined && localText(String(was)) === text) return { [name]: was };
  if (text === '') return {};
  if (isDate) {
    const at = momentIn(text);
    return Number.isNaN(at.getTime()) ? {} : { [name]: at.toISOString() };
  }
  const number = numberOf(text);
  return { [name]: isAfter ? nextAfter(number) : number };
}
