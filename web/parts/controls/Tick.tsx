/** A box to tick, with its title. */
interface Given {
  readonly title: string;
  readonly value: boolean;
  readonly set: (value: boolean) => void;
  readonly disabled?: boolean;
  readonly class?: string;
}

export function Tick({ title, value, set, disabled = false, class: name = '' }: Given) {
  return (
    <label class={`check ${name}`}>
      <input
        type="checkbox"
        checked={value}
        disabled={disabled}
        onChange={({ currentTarget }) => set(currentTarget.checked)}
      />
      {title}
    </label>
  );
}
