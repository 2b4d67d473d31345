/** Counts by value at the side: each leaves out its own condition, so that it shows what else there is. */
import type { JSX } from 'preact';
import { sheet } from '../data/dialogs.ts';
import { facetsOpen, toggleFacet } from '../data/preferences.ts';
import { labelOf } from '../data/projects.ts';
import type { Facet, FacetValue } from '../data/service.ts';
import { slowCounts } from '../data/slow.ts';
import {
  conditions,
  FACET_VALUES,
  facetLimit,
  facetSearch,
  facetsShown,
  go,
  project,
  table,
  view,
} from '../data/store.ts';
import { valueText } from '../present/chip.ts';
import { isStatus } from '../present/status.ts';
import { countOf } from '../state/times.ts';
import { asking, choiceOf, toggled, type Value } from '../state/view.ts';
import { describedBy, fieldTitle } from '../tables/tables.ts';
import { language, say } from '../words/words.ts';
import { Icon } from './Icon.tsx';
import { StatusMark } from './StatusMark.tsx';

export function Facets() {
  const { name } = table.value;
  const { facets } = describedBy(table.value);
  const first = table.value.open;
  // Within one project there is no other.
  const isOne = project.value !== null;
  const ordered = [...first, ...facets.filter((one) => !first.includes(one))].filter(
    (one) => !(isOne && one === 'project_id'),
  );
  const isSheet = sheet.value === 'facets';
  return (
    <aside
      class={`facets ${isSheet ? 'is-sheet' : ''} ${slowCounts.value ? 'is-slow' : ''}`}
      aria-label={say('Facets')}
    >
      {isSheet && (
        <div class="facets-head">
          <h2 class="nav-title">{say('Facets')}</h2>
          <button
            type="button"
            class="button is-icon"
            aria-label={say('Close the facets')}
            onClick={() => {
              sheet.value = 'none';
            }}
          >
            <Icon name="close" />
          </button>
        </div>
      )}
      {ordered.map((field) => (
        <OneFacet key={`${name} ${field}`} field={field} />
      ))}
    </aside>
  );
}

function OneFacet({ field }: { readonly field: string }) {
  const { name } = table.value;
  const isOpen = facetsOpen(name).includes(field);
  const facet = facetsShown.value?.find((one) => one.field === field);
  const title = fieldTitle(name, field);
  const findText = say('Find a {what}', {
    what: language.value === 'en' ? title.toLowerCase() : title,
  });
  const key = `${name} ${field}`;
  const search = facetSearch.value[key] ?? '';
  const isSearched = search !== '' || (facet?.distinct ?? 0) > FACET_VALUES;
  return (
    <section class="facet">
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
            facetSearch.value = { ...facetSearch.peek(), [key]: currentTarget.value };
          }}
        />
      )}
      {isOpen && facet && <Values facet={facet} />}
    </section>
  );
}

function Values({ facet }: { readonly facet: Facet }) {
  const { field, rest } = facet;
  const isBackups =
    field === 'scope' && choiceOf(conditions.value, field, 'backup_infrastructure') === 'in';
  const most = Math.max(1, ...facet.values.map(({ count }) => count));
  const values = withChosen(facet);
  if (values.length === 0) return <p class="facet-none dim">{say('Nothing here')}</p>;
  return (
    <>
      <ul class="facet-values">
        {values.map((one) => (
          <OneValue key={String(one.value)} field={field} one={one} most={most} />
        ))}
        {field === 'scope' && table.value.views.admin === 'adminTasks' && !isBackups && (
          <OneValue field={field} one={{ value: 'backup_infrastructure', count: -1 }} most={most} />
        )}
      </ul>
      {rest > 0 && (
        <button
          type="button"
          class="facet-more"
          onClick={() => {
            const limit = (facetLimit.peek()[field] ?? FACET_VALUES) * 4;
            facetLimit.value = { ...facetLimit.peek(), [field]: Math.min(1_000, limit) };
          }}
        >
          {say('{n} more', { n: countOf(Math.max(0, facet.distinct - facet.values.length)) })}{' '}
          <span class="dim">{countOf(rest)}</span>
        </button>
      )}
    </>
  );
}

/** Values that conditions name stay in sight, however few rows have them. */
function withChosen({ field, values }: Facet): readonly FacetValue[] {
  const missing = conditions.value.flatMap((one): readonly Value[] =>
    one.kind === 'values' && one.field === field
      ? one.values.filter((value) => !values.some((known) => known.value === value))
      : [],
  );
  return [...values, ...missing.map((value) => ({ value, count: 0 }))];
}

interface OneGiven {
  readonly field: string;
  readonly one: FacetValue;
  readonly most: number;
}

function OneValue({ field, one: { value, label, count }, most }: OneGiven): JSX.Element {
  const text = label ?? valueText(field, value, labelOf);
  const choice = choiceOf(conditions.value, field, value);
  const set = (not: boolean) =>
    go(asking(view.value, { conditions: toggled(view.value.conditions, field, value, not) }));
  return (
    <li class={`facet-value ${choice ? `is-${choice}` : ''}`}>
      <button
        type="button"
        class="facet-take"
        aria-pressed={choice === 'in'}
        title={value === null ? say('Rows without a value') : text}
        onClick={() => set(false)}
      >
        <span class="facet-bar" style={{ width: `${Math.max(0, count / most) * 100}%` }} />
        <span class="facet-text">
          {field === 'status' && (isStatus(value) || value === null) ? (
            <StatusMark status={value} />
          ) : (
            text
          )}
        </span>
        <span class="facet-count">{count < 0 ? say('apart') : countOf(count)}</span>
      </button>
      <button
        type="button"
        class="facet-not"
        aria-pressed={choice === 'out'}
        aria-label={say('Without {what}', { what: text })}
        title={say('Without {what}', { what: text })}
        onClick={() => set(true)}
      >
        <Icon name="slash" size={13} />
      </button>
    </li>
  );
}
