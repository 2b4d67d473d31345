/** Counts by value at the side: each leaves out its own condition, so that it shows what else there is. */

import { useEffect, useRef } from 'preact/hooks';
import type { ViewValue } from '../../../clients/typescript/viewAddress.ts';
import { pointedFacet } from '../../data/arrivals.ts';
import { isCounting } from '../../data/asking.ts';
import { sheet } from '../../data/dialogs.ts';
import { facetsOpen, toggleFacet } from '../../data/preferences.ts';
import { slowCounts } from '../../data/slow.ts';
import {
  compare,
  compareShown,
  conditions,
  FACET_VALUES,
  facetLimit,
  facetSearch,
  facetsShown,
  go,
  group,
  project,
  question,
  table,
  time,
  view,
} from '../../data/store.ts';
import type { Facet } from '../../present/answer.ts';
import { beforeText, changeText } from '../../present/compared.ts';
import {
  differs,
  type FacetLayout,
  inPlace,
  type Listed,
  listedValues,
} from '../../present/facetLayout.ts';
import { canDiffer, isComparedWithItself } from '../../query/question.ts';
import { countOf, shareOf } from '../../state/times.ts';
import { baselineIn, choiceOf, comparing, isOn, isRanked } from '../../state/view.ts';
import { fieldTitle } from '../../tables/tables.ts';
import { language, say } from '../../words/words.ts';
import { Icon } from '../controls/Icon.tsx';
import { along, type Lead, useRoving } from '../controls/roving.ts';
import { CompareSelect } from './CompareSelect.tsx';
import { APART, FacetValue } from './FacetValue.tsx';

export function Facets() {
  const { name } = table.value;
  const { facets } = table.value.description;
  const first = table.value.open;
  // Within one project there is no other.
  const isOne = project.value !== null;
  const ordered = [...first, ...facets.filter((one) => !first.includes(one))].filter(
    (one) => !(isOne && one === 'project_id') && one !== group.value,
  );
  const isSheet = sheet.value === 'facets';
  const content = useRef<HTMLDivElement>(null);
  const aside = useRef<HTMLElement>(null);
  useRoving(aside, 'button, input', leadInFacets);
  useEffect(() => {
    // A finger leaves by the next touch elsewhere.
    const onPress = ({ target }: Event) => {
      if (!aside.current?.contains(target as Node)) leave();
    };
    document.addEventListener('pointerdown', onPress, { capture: true });
    return () => {
      document.removeEventListener('pointerdown', onPress, { capture: true });
      leave();
    };
  }, []);
  return (
    <aside
      ref={aside}
      class={`facets ${isSheet ? 'is-sheet' : ''} ${slowCounts.value ? 'is-slow' : ''}`}
      aria-label={say('Filters')}
      aria-busy={isCounting.value}
      onPointerEnter={() => {
        // Else what is scrolled to the end would move where facets below get shorter.
        content.current!.style.minHeight = `${content.current!.offsetHeight}px`;
      }}
      onPointerLeave={({ pointerType }) => {
        content.current!.style.minHeight = '';
        // A finger is lifted after each touch.
        if (pointerType === 'mouse') leave();
      }}
    >
      {!isSheet && <h2 class="hidden">{say('Filters')}</h2>}
      {isSheet && (
        <div class="facets-head">
          <h2 class="nav-title">{say('Filters')}</h2>
          <button
            type="button"
            class="button is-icon"
            aria-label={say('Close filters')}
            onClick={() => {
              sheet.value = 'none';
            }}
          >
            <Icon name="close" />
          </button>
        </div>
      )}
      {group.value === undefined && ordered.length > 0 && <Compare />}
      <div ref={content}>
        {ordered.map((field, place) => (
          <OneFacet key={`${name} ${field} ${compareShown.value}`} field={field} place={place} />
        ))}
      </div>
    </aside>
  );
}

/** Compares the rows that are shown with all rows, or with a baseline: each facet then lists what is more frequent here. */
function Compare() {
  const isPressed = isRanked(compare.value);
  const asked = baselineIn(compare.value);
  // An earlier range needs a range.
  const hasOther = asked === 'with' || (question.value?.body.baseline?.length ?? 0) > 0;
  const words = WORDS[hasOther && asked ? asked : 'all'];
  const { facets = [], baseline } = question.value?.body ?? {};
  const hasNoBaseline = asked === 'with' && facets.length > 0 && baseline === undefined;
  return (
    <div>
      {time.value === undefined && <CompareSelect />}
      <button
        type="button"
        class="button compare-toggle"
        aria-pressed={isPressed}
        title={say(words.title)}
        onClick={() =>
          go({ ...view.peek(), compare: comparing(baselineIn(view.peek().compare), !isPressed) })
        }
      >
        {say('What is different here')}
      </button>
      {hasNoBaseline && (
        <p class="facet-none dim">{say('Values cannot be compared with this baseline')}</p>
      )}
      {isPressed && !hasNoBaseline && !canDiffer(view.value) && (
        <p class="facet-none dim">{say('Add a filter to compare with all rows')}</p>
      )}
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

/** Up and down from one to the next; right to what excludes a value, and back. */
const leadInFacets: Lead = (from, key, controls) => {
  const value = from.closest('.facet-value');
  if (value && key === 'ArrowRight') return value.querySelector<HTMLElement>('.facet-not')!;
  const take = value?.querySelector<HTMLElement>('.facet-take') ?? undefined;
  if (key === 'ArrowLeft') return take;
  if ((key === 'Home' || key === 'End') && from.matches('input')) return undefined;
  const line = controls.filter((one) => !one.matches('.facet-not'));
  return along('ArrowUp', 'ArrowDown')(take ?? from, key, line);
};

function leave(): void {
  pointedFacet.value = undefined;
}

/** The layout of the latest answer; the one before, with new counts, while its values must not move. */
function useLayout(facet: Facet | undefined, search: string, place: number) {
  const before = useRef<FacetLayout | undefined>(undefined);
  const seen = useRef<Facet | undefined>(undefined);
  /** The values were asked for by hand: the next answer lists them as it has them. */
  const isFree = useRef(false);
  const { value: pointed } = pointedFacet;
  const isStill = pointed !== undefined && place <= pointed && !isFree.current;
  if (seen.current !== facet) isFree.current = false;
  seen.current = facet;
  // Then a value that is not listed has no rows.
  const isWhole = facet?.rest === 0 && search === '' && !isRanked(compareShown.value);
  const now = facet && layoutOf(facet, isWhole);
  if (!now) before.current = undefined;
  else if (!isStill || !before.current?.values.length) before.current = now;
  else {
    const { field } = facet;
    const isSelected = (value: ViewValue) => choiceOf(conditions.value, field, value) !== undefined;
    before.current = inPlace(before.current, now, isWhole, isSelected);
  }
  return {
    layout: before.current,
    free: () => {
      isFree.current = true;
    },
  };
}

interface FacetGiven {
  readonly field: string;
  readonly place: number;
}

function OneFacet({ field, place }: FacetGiven) {
  const { name } = table.value;
  const isOpen = facetsOpen(name).includes(field);
  const facet = facetsShown.value?.find((one) => one.field === field);
  const title = fieldTitle(name, field);
  const findText = say('Find {what}', {
    what: language.value === 'en' ? title.toLowerCase() : title,
  });
  const key = `${name} ${field}`;
  const search = facetSearch.value[key] ?? '';
  const { layout, free } = useLayout(facet, search, place);
  const isSearched = search !== '' || layout?.isSearched;
  const point = () => {
    pointedFacet.value = place;
  };
  return (
    <section class="facet" onPointerMove={point} onPointerDown={point}>
      <h3 class="facet-head">
        <button
          type="button"
          class="facet-fold"
          aria-expanded={isOpen}
          onClick={() => toggleFacet(name, field)}
        >
          <Icon name={isOpen ? 'down' : 'right'} size={13} />
          {title}
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
            facetSearch.value = { ...facetSearch.peek(), [key]: currentTarget.value };
          }}
        />
      )}
      {isOpen && facet && layout && <Values facet={facet} layout={layout} free={free} />}
    </section>
  );
}

interface ValuesGiven {
  readonly facet: Facet;
  readonly layout: FacetLayout;
  readonly free: () => void;
}

function Values({ facet, layout: { values, hasMore }, free }: ValuesGiven) {
  const { field, rest, total = 0, baseline_total = 0 } = facet;
  const { value: compared } = compareShown;
  const { apart } = table.value;
  // Rows of one project have none, and they are not compared.
  const hasApart = project.value === null && compared === null;
  const other = field === apart?.field && hasApart ? apart.value : undefined;
  const isAsked = other !== undefined && choiceOf(conditions.value, field, other) === 'in';
  const most = Math.max(1, ...facet.values.map(({ count }) => count));
  const isItself =
    compared !== null &&
    question.value !== undefined &&
    isComparedWithItself(question.value.body, field);
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
  if (values.length === 0) return isItself ? ownLeftOut : none;
  return (
    <>
      {isAlike && none}
      {compared !== null && isRanked(compared) && hasShares && !isItself && (
        <ShareHeads of={baselineIn(compared) ?? 'all'} />
      )}
      <ul class="facet-values">
        {values.map((one) => (
          <FacetValue
            key={String(one.value)}
            {...{ field, one, most }}
            shares={sharesOf(one)}
            {...beforeOf(one)}
          />
        ))}
        {other !== undefined && !isAsked && (
          <FacetValue {...{ field, most }} one={{ value: other, count: APART }} shares={[]} />
        )}
      </ul>
      {(isItself || conditions.value.some((one) => isOn(one, field))) && ownLeftOut}
      {hasMore && (
        <button
          type="button"
          class="facet-more"
          style={{ visibility: rest > 0 ? 'visible' : 'hidden' }}
          onClick={() => {
            free();
            const limit = (facetLimit.peek()[field] ?? FACET_VALUES) * 4;
            facetLimit.value = { ...facetLimit.peek(), [field]: Math.min(1_000, limit) };
          }}
        >
          {say('Show {n} more', { n: countOf(Math.max(0, facet.distinct - facet.values.length)) })}{' '}
          <span class="dim">{countOf(rest)}</span>
        </button>
      )}
    </>
  );
}

function layoutOf(facet: Facet, isWhole: boolean): FacetLayout {
  const { field, distinct, rest } = facet;
  const isCompared = isRanked(compareShown.value);
  const selected = conditions.value.flatMap((one): readonly ViewValue[] =>
    one.kind === 'values' && one.field === field ? one.values : [],
  );
  return {
    values: listedValues(facet, selected, { isRanked: isCompared, isWhole }),
    isSearched: distinct > FACET_VALUES,
    // A comparison lists all values that differ.
    hasMore: rest > 0 && !isCompared,
  };
}
