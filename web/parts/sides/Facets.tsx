/** Counts by value at the side: each leaves out its own condition, so that it shows the other values too. */
import type { ReadonlySignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { ViewValue } from '../../../clients/typescript/viewAddress.ts';
import type { Facet } from '../../present/answer.ts';
import { beforeText, changeText } from '../../present/compared.ts';
import {
  differs,
  FACET_VALUES,
  type FacetLayout,
  inPlace,
  type Listed,
  listedValues,
} from '../../present/facetLayout.ts';
import { countOf, shareOf } from '../../state/times.ts';
import {
  baselineIn,
  type Compare,
  type Condition,
  choiceOf,
  isOn,
  isRanked,
  type LabelOf,
} from '../../state/view.ts';
import { fieldTitle, type Table } from '../../tables/tables.ts';
import { inSentence, say } from '../../words/words.ts';
import { Button } from '../controls/Button.tsx';
import { Icon } from '../controls/Icon.tsx';
import { IconButton } from '../controls/IconButton.tsx';
import { leaves, onElsewhere } from '../controls/listening.ts';
import { along, type Lead, useRoving } from '../controls/roving.ts';
import { APART, FacetValue } from './FacetValue.tsx';

/** Every facet takes these beside its own counts. */
interface Beside {
  readonly table: Table;
  readonly conditions: readonly Condition[];
  /** The rows that the visible counts are compared with. */
  readonly compared: Compare | null;
  /** Whether rows that are apart can be asked for. */
  readonly hasApart: boolean;
  /** The place of the facet that somebody points at. */
  readonly pointed: ReadonlySignal<number | undefined>;
  readonly labelOf: LabelOf;
  readonly deeds: FacetDeeds;
}

export interface FacetDeeds {
  readonly toggle: (field: string, value: ViewValue, not: boolean) => void;
  readonly fold: (field: string) => void;
  readonly search: (field: string, text: string) => void;
  /** Lists more values. */
  readonly more: (field: string) => void;
  readonly point: (place: number | undefined) => void;
}

interface Given extends Beside {
  /** In their order. */
  readonly fields: readonly string[];
  readonly facets: readonly Facet[] | undefined;
  /** The fields whose values show, and those whose counts would be compared with themselves. */
  readonly open: readonly string[];
  readonly itself: readonly string[];
  /** The texts that values are searched by, by field. */
  readonly searches: Readonly<Record<string, string>>;
  /** Whether counts are waited for, and for so long that it shows. */
  readonly isCounting: ReadonlySignal<boolean>;
  readonly isSlow: ReadonlySignal<boolean>;
  /** The choice of a baseline, above them. */
  readonly children?: ComponentChildren;
  /** Closes them, where they lie over the table. */
  readonly close: (() => void) | undefined;
}

export function Facets(given: Given) {
  const { fields, facets, open, itself, searches, isCounting, isSlow, children, close } = given;
  const { table, conditions, compared, hasApart, pointed, labelOf, deeds } = given;
  const beside = { table, conditions, compared, hasApart, pointed, labelOf, deeds };
  const leave = () => deeds.point(undefined);
  const content = useRef<HTMLDivElement>(null);
  const aside = useRef<HTMLElement>(null);
  useRoving(aside, 'button, input', leadInFacets);
  useEffect(() => {
    // A finger leaves by the next touch elsewhere.
    const end = onElsewhere(aside.current!, ['pointerdown'], leave);
    return () => {
      end();
      leave();
    };
  }, []);
  const isSheet = close !== undefined;
  // A sheet lies over the button that opens it, and the focus would stay behind it.
  useLayoutEffect(() => {
    if (!isSheet) return;
    const from = document.activeElement as HTMLElement;
    const { current: over } = aside;
    over!.querySelector<HTMLElement>('.facets-head button')!.focus();
    return () => {
      // Somebody may have gone on elsewhere by then.
      const { activeElement: at, body } = document;
      if (at === body || over!.contains(at)) from.focus();
    };
  }, [isSheet]);
  return (
    <aside
      ref={aside}
      class={`facets ${close ? 'is-sheet' : ''} ${isSlow.value ? 'is-slow' : ''}`}
      aria-label={say('Filters')}
      aria-busy={isCounting.value}
      onFocusOut={(event) => leaves(event) && close?.()}
      onPointerEnter={() => {
        // Else facets that are scrolled to the end would move where those below get shorter.
        content.current!.style.minHeight = `${content.current!.offsetHeight}px`;
      }}
      onPointerLeave={({ pointerType }) => {
        content.current!.style.minHeight = '';
        // A finger is lifted after each touch.
        if (pointerType === 'mouse') leave();
      }}
    >
      {!close && <h2 class="hidden">{say('Filters')}</h2>}
      {close && (
        <div class="facets-head">
          <h2 class="nav-title">{say('Filters')}</h2>
          <IconButton icon="close" label={say('Close filters')} onClick={close} />
        </div>
      )}
      {children}
      <div ref={content}>
        {fields.map((field, place) => (
          <OneFacet
            key={`${table.name} ${field} ${compared}`}
            {...{ ...beside, field, place }}
            facet={facets?.find((one) => one.field === field)}
            isOpen={open.includes(field)}
            isItself={itself.includes(field)}
            search={searches[field] ?? ''}
          />
        ))}
      </div>
    </aside>
  );
}

interface DifferencesGiven {
  /** The rows that values are compared with. */
  readonly with: keyof typeof WORDS;
  readonly isPressed: boolean;
  /** Why there is nothing to compare. */
  readonly none: string | undefined;
  /** The choice of a baseline, where no timeline has it. */
  readonly compare: ComponentChildren;
  readonly toggle: () => void;
}

/** Compares the shown rows with all rows, or with a baseline: facets then list values that are more frequent here. */
export function Differences({ with: other, isPressed, none, compare, toggle }: DifferencesGiven) {
  return (
    <div class="differences">
      {compare}
      <Button
        look="compare-toggle"
        aria-pressed={isPressed}
        title={say(WORDS[other].title)}
        onClick={toggle}
      >
        {say('What is different here')}
      </Button>
      {none && <p class="facet-none dim">{none}</p>}
    </div>
  );
}

const EARLIER = {
  title: 'Lists values with a larger share here than in the earlier range, from 5 rows on',
  head: 'Earlier',
} as const;
/** The rows that are compared with, and the head of their column. */
const WORDS = {
  all: {
    title: 'Lists values with a larger share here than in all rows, from 5 rows on',
    head: 'All',
  },
  before: EARLIER,
  week: EARLIER,
  with: {
    title: 'Lists values with a larger share here than in the baseline, from 5 rows on',
    head: 'Other',
  },
} as const;

/** Heads of the figures beside ranked values. */
function ShareHeads({ of }: { readonly of: keyof typeof WORDS }) {
  const { title, head } = WORDS[of];
  return (
    <div class="facet-heads" title={say(title)}>
      <span class="facet-count">{say('Rows')}</span>
      <span class="facet-count facet-share">{say('Here')}</span>
      <span class="facet-count facet-share">{say(head)}</span>
    </div>
  );
}

/** Up and down from one to the next; right to the button that excludes a value, and back. */
const leadInFacets: Lead = (from, key, controls) => {
  const value = from.closest('.facet-value');
  if (value && key === 'ArrowRight') return value.querySelector<HTMLElement>('.facet-not')!;
  const take = value?.querySelector<HTMLElement>('.facet-take') ?? undefined;
  if (key === 'ArrowLeft') return take;
  if ((key === 'Home' || key === 'End') && from.matches('input')) return undefined;
  const line = controls.filter((one) => !one.matches('.facet-not'));
  return along('ArrowUp', 'ArrowDown')(take ?? from, key, line);
};

/** The layout of the latest answer; the one before, with new counts, while its values must not move. */
function useLayout({ facet, search, place, conditions, compared, pointed }: FacetGiven) {
  const before = useRef<FacetLayout | undefined>(undefined);
  const seen = useRef<Facet | undefined>(undefined);
  /** The values were asked for by hand: the next answer lists them as it has them. */
  const isFree = useRef(false);
  const { value: at } = pointed;
  const isStill = at !== undefined && place <= at && !isFree.current;
  if (seen.current !== facet) isFree.current = false;
  seen.current = facet;
  // Then a value that is not listed has no rows.
  const isWhole = facet?.rest === 0 && search === '' && !isRanked(compared);
  const now = facet && layoutOf(facet, isWhole, conditions, isRanked(compared));
  if (!now) before.current = undefined;
  else if (!isStill || !before.current?.values.length) before.current = now;
  else {
    const { field } = facet;
    const isSelected = (value: ViewValue) => choiceOf(conditions, field, value) !== undefined;
    before.current = inPlace(before.current, now, isWhole, isSelected);
  }
  return {
    layout: before.current,
    free: () => {
      isFree.current = true;
    },
  };
}

interface FacetGiven extends Beside {
  readonly field: string;
  readonly place: number;
  readonly facet: Facet | undefined;
  readonly isOpen: boolean;
  readonly isItself: boolean;
  readonly search: string;
}

function OneFacet(given: FacetGiven) {
  const { table, field, place, facet, isOpen, search, deeds } = given;
  const title = fieldTitle(table.name, field);
  const findText = say('Find {what}', { what: inSentence(title) });
  const { layout, free } = useLayout(given);
  const isSearched = search !== '' || layout?.isSearched;
  const point = () => deeds.point(place);
  return (
    <section class="facet" onPointerMove={point} onPointerDown={point}>
      <h3 class="facet-head">
        <button
          type="button"
          class="facet-fold"
          aria-expanded={isOpen}
          onClick={() => deeds.fold(field)}
        >
          <Icon name={isOpen ? 'down' : 'right'} size={13} />
          <span class="facet-title" title={title}>
            {title}
          </span>
          {isOpen && facet && facet.distinct > 0 && (
            <span class="facet-distinct">{countOf(facet.distinct)}</span>
          )}
        </button>
      </h3>
      {isOpen && isSearched && (
        <input
          class="input facet-search"
          type="text"
          placeholder={findText}
          aria-label={findText}
          value={search}
          onInput={({ currentTarget }) => {
            free();
            deeds.search(field, currentTarget.value);
          }}
        />
      )}
      {isOpen && facet && layout && <Values {...given} facet={facet} layout={layout} free={free} />}
    </section>
  );
}

interface ValuesGiven extends FacetGiven {
  readonly facet: Facet;
  readonly layout: FacetLayout;
  readonly free: () => void;
}

function Values({ facet, layout: { values, hasMore }, free, ...given }: ValuesGiven) {
  const { table, conditions, compared, hasApart, isItself, labelOf, deeds } = given;
  const { field, rest, total = 0, baseline_total = 0 } = facet;
  const { apart } = table;
  // Rows that are apart are not compared.
  const other = field === apart?.field && hasApart && compared === null ? apart.value : undefined;
  const choice = (value: ViewValue) => choiceOf(conditions, field, value);
  const most = Math.max(1, ...facet.values.map(({ count }) => count));
  const beside = { table: table.name, field, most, labelOf, toggle: deeds.toggle };
  const isAlike = isRanked(compared) && !facet.values.some(differs(facet)) && !isItself;
  const hasShares = values.some(({ baseline }) => baseline !== undefined);
  const sharesOf = ({ count, baseline }: Listed) => {
    if (count === undefined || baseline === undefined || isItself) return [];
    if (!isRanked(compared)) return [changeText(compared, count, baseline, facet)];
    return [shareOf(count, total), shareOf(baseline, baseline_total)];
  };
  const beforeOf = ({ count, baseline }: Listed) =>
    count !== undefined && baseline !== undefined && !isItself && !isRanked(compared)
      ? { before: beforeText(compared, count, baseline, facet) }
      : {};
  const ownLeftOut = <p class="facet-none dim">{say('Counted without its own filters')}</p>;
  const none = <p class="facet-none dim">{isAlike ? say('Nothing differs') : say('No values')}</p>;
  // Objects, and numbers that are none: they are counted and cannot be listed.
  const otherTypes = (
    <p class="facet-none is-others dim" style={{ visibility: rest > 0 ? 'visible' : 'hidden' }}>
      {say('Other types: {n}', { n: countOf(rest) })}
    </p>
  );
  if (values.length === 0) {
    if (isItself) return ownLeftOut;
    return rest > 0 && !isAlike ? otherTypes : none;
  }
  return (
    <>
      {isAlike && none}
      {compared !== null && isRanked(compared) && hasShares && !isItself && (
        <ShareHeads of={baselineIn(compared) ?? 'all'} />
      )}
      <ul class="facet-values">
        {values.map((one) => (
          <FacetValue
            key={JSON.stringify(one.value)}
            {...{ ...beside, one }}
            choice={choice(one.value)}
            shares={sharesOf(one)}
            {...beforeOf(one)}
          />
        ))}
        {other !== undefined && choice(other) !== 'in' && (
          <FacetValue
            {...beside}
            one={{ value: other, count: APART }}
            choice={choice(other)}
            shares={[]}
          />
        )}
      </ul>
      {(isItself || conditions.some((one) => isOn(one, field))) && ownLeftOut}
      {hasMore && facet.distinct <= facet.values.length && otherTypes}
      {hasMore && facet.distinct > facet.values.length && (
        <button
          type="button"
          class="facet-more"
          style={{ visibility: rest > 0 ? 'visible' : 'hidden' }}
          onClick={({ currentTarget }) => {
            // The button goes; arrows lead on from the last value to the new ones.
            currentTarget.parentElement?.querySelector<HTMLElement>(LAST_VALUE)?.focus();
            free();
            deeds.more(field);
          }}
        >
          {say('Show {n} more ({rest} together)', {
            n: countOf(facet.distinct - facet.values.length),
            rest: countOf(rest),
          })}
        </button>
      )}
    </>
  );
}

const LAST_VALUE = '.facet-value:last-child > .facet-take';

function layoutOf(
  facet: Facet,
  isWhole: boolean,
  conditions: readonly Condition[],
  isRanked: boolean,
): FacetLayout {
  const { field, distinct, rest } = facet;
  const selected = conditions.flatMap((one): readonly ViewValue[] =>
    one.kind === 'values' && one.field === field ? one.values : [],
  );
  return {
    values: listedValues(facet, selected, { isRanked, isWhole }),
    isSearched: distinct > FACET_VALUES,
    // A comparison lists all values that differ.
    hasMore: rest > 0 && !isRanked,
  };
}
