/** Icons: strokes on a field of 16 by 16, in the colour of the text beside them. */

const PATHS = {
  lines: 'M2.5 4h7M2.5 8h11M2.5 12h5',
  clock: 'M8 4.5V8l2.5 1.5M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0z',
  folder:
    'M2 4.5A1.5 1.5 0 0 1 3.5 3h3L8 5h4.500A1.5 1.5 0 0 1 14 6.500v5A1.5 1.5 0 0 1 12.5 13h-9A1.5 1.5 0 0 1 2 11.500z',
  person:
    'M8 8a2.7 2.7 0 1 0 0-5.400A2.7 2.7 0 0 0 8 8zM2.8 13.600c.5-2.5 2.6-3.9 5.2-3.900s4.7 1.4 5.2 3.9',
  journal: 'M4 2h8v12l-2-1.300L8 14l-2-1.300L4 14zM6.3 5.500h3.400M6.3 8.500h3.4',
  table: 'M2.5 3.500h11v9h-11zM2.5 6.500h11M6.5 6.500v6',
  search: 'M7 11.500a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.4 10.4 14 14',
  close: 'm4 4 8 8M12 4l-8 8',
  check: 'm3 8.5 3.3 3.200L13 4.8',
  cross: 'm4.5 4.5 7 7M11.5 4.500l-7 7',
  play: 'M5 3.500v9l7-4.500z',
  slash: 'M13 8A5 5 0 1 1 3 8a5 5 0 0 1 10 0zM4.6 11.400l6.8-6.8',
  again: 'M13 8a5 5 0 1 1-1.6-3.700M13 2.500v2.800h-2.8',
  inbox:
    'M2.5 9.500h3l1 1.700h3l1-1.700h3M4 3.500h8l1.5 6V12a1 1 0 0 1-1 1h-9a1 1 0 0 1-1-1V9.500z',
  ring: 'M12.5 8a4.5 4.5 0 1 1-9 0 4.5 4.5 0 0 1 9 0z',
  export: 'M8 2.500v7M5 6.800l3 3 3-3M2.5 11v1.500a1 1 0 0 0 1 1h9a1 1 0 0 0 1-1V11',
  columns: 'M2.5 3.500h11v9h-11zM6.2 3.500v9M9.8 3.500v9',
  views: 'M4 2.500h8V14L8 11l-4 3z',
  filter: 'M2.5 4h11M4.5 8h7M6.5 12h3',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  down: 'm4.5 6.5 3.5 3.5 3.5-3.5',
  up: 'm4.5 9.5 3.5-3.5 3.5 3.5',
  right: 'm6.5 4.5 3.5 3.5-3.5 3.5',
  left: 'm9.5 4.5-3.5 3.5 3.5 3.5',
  keep: 'M5 2.500h6l-.8 4.5 2.3 2.500h-9L5.8 7zM8 9.500v4.3',
  trash: 'M3 4.500h10M6.5 4.500v-2h3v2M4.5 4.500l.6 9h5.800l.6-9',
  wrap: 'M2.5 4h11M2.5 8h9a2 2 0 0 1 0 4h-3M10 10.500 8.5 12l1.5 1.500M2.5 12h3',
  log: 'M3 3.500h10M3 6.500h7M3 9.500h10M3 12.500h5',
  copy: 'M5.5 5.500v-3h8v8h-3M2.5 5.500h8v8h-8z',
  sun: 'M8 10.700a2.7 2.7 0 1 0 0-5.4 2.7 2.7 0 0 0 0 5.400zM8 1.500v1.300M8 13.200v1.300M1.5 8h1.300M13.2 8h1.300M3.4 3.400l.9.9M11.7 11.700l.9.9M12.6 3.400l-.9.9M4.3 11.700l-.9.9',
  moon: 'M13 9.500A5.5 5.5 0 0 1 6.5 3a5.5 5.5 0 1 0 6.5 6.500z',
  out: 'M6.5 2.500h-3a1 1 0 0 0-1 1v9a1 1 0 0 0 1 1h3M10 11l3-3-3-3M13 8H6.5',
  bolt: 'M9 1.8 3.5 9H8l-1 5.200L12.5 7H8z',
  warning: 'M8 2.5 14.5 13h-13zM8 6.500v3M8 11.300h.01',
  broom: 'M13.5 2.5 8.7 7.300M6 6.500l3.5 3.5-2 3.5-5-5zM4.5 9.500l2 2',
  first: 'm11.5 4.5-3.5 3.5 3.5 3.500M5 4.500v7',
  last: 'm4.5 4.5 3.5 3.5-3.5 3.500M11 4.500v7',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      class="icon"
      viewBox="0 0 16 16"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      stroke-width="1.5"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
