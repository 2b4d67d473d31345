/** A range on a number, date or duration, by a small form. */
import { conditions, go, table, view } from '../../data/store.ts';
import { asking, withCondition, withoutCondition } from '../../state/view.ts';
import { addressFields, columnOf, fieldOf } from '../../tables/tables.ts';
import { say } from '../../words/words.ts';

interface Given {
  readonly column: string;
  readonly done: () => void;
}

export function RangeForm({ column, done }: Given) {
  const field = fieldOf(table.value, column);
  if (!addressFields(table.value.name)!.ranges.includes(field)) return null;
  const isDate = table.value.description.ranges[field] === 'date';
  const { look } = columnOf(table.value.name, column);
  const now = conditions.value.find((one) => one.kind === 'range' && one.field === field);
  const { from, to } = now?.kind === 'range' ? now : {};
  return (
    <form
      class="range-form"
      onSubmit={(event) => {
        event.preventDefault();
        const given = new FormData(event.currentTarget as HTMLFormElement);
        const bounds = { ...bound('from', given, isDate), ...bound('to', given, isDate) };
        const { conditions: all } = view.peek();
        const range = { kind: 'range', field, ...bounds } as const;
        const isNone = Object.keys(bounds).length === 0;
        done();
        go(
          asking(view.peek(), {
            conditions: isNone ? withoutCondition(all, range) : withCondition(all, range),
          }),
        );
      }}
    >
      <Bound name="from" title={say('From')} value={from} isDate={isDate} />
      <Bound name="to" title={say(isDate ? 'Earlier than' : 'Below')} value={to} isDate={isDate} />
      {look === 'seconds' && <span class="dim">{say('Seconds')}</span>}
      <button type="submit" class="button is-small">
        {say('Apply')}
      </button>
    </form>
  );
}

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
        value={typeof value === 'string' ? localText(value) : value}
      />
    </label>
  );
}

/** As the browser's fields for dates have it: the viewer's zone, without saying so. */
function localText(date: string): string {
  const at = new Date(date);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function bound(name: string, given: FormData, isDate: boolean) {
  const text = String(given.get(name) ?? '');
  if (text === '') return {};
  return { [name]: isDate ? new Date(text).toISOString() : Number(text) };
}
