/** One of a few options, side by side. */
import { say } from '../../words/words.ts';

interface ChoiceGiven<T extends string> {
  readonly title: string;
  readonly options: readonly { readonly value: T; readonly title: string }[];
  readonly value: T;
  readonly set: (value: T) => void;
}

export function Choice<T extends string>({ title, options, value, set }: ChoiceGiven<T>) {
  return (
    <fieldset class="choice">
      <legend class="menu-title">{title}</legend>
      <div class="segments">
        {options.map((one) => (
          <button
            type="button"
            class="segment"
            key={one.value}
            aria-pressed={one.value === value}
            onClick={() => set(one.value)}
          >
            {say(one.title)}
          </button>
        ))}
      </div>
    </fieldset>
  );
}
