import { escapeGlob } from '../../../../src/core/lib/compile-glob.ts';
import type { Filter } from '../../../../src/core/lib/filter/filter.ts';
import { formatFilter } from '../../../../src/core/lib/filter/format-filter.ts';
import { formatCount, formatPlural } from '../../../../src/look/report/format.ts';
import type { RunView } from '../../../../src/core/schema/api/run-view.ts';
import type { TrialFacets } from '../../../../src/core/schema/api/trial-facets.ts';
import { PlainText } from '../../parts/plain-text.tsx';
import { ArrowGroup } from '../../keys/arrow-group.tsx';

interface FacetsOptions {
  readonly facets: TrialFacets['facets'];
  readonly filter: Filter;
  readonly onChange: (where: string) => void;
  /** Leads to the field where a value of a field of the filter is typed. */
  readonly onType: (field: string) => void;
}

const titles: Readonly<Record<string, string>> = {
  result: 'Result',
  category: 'Category',
  tag: 'Tag',
  target: 'Target',
  grade: 'Grade',
  outcome: 'Outcome',
  error: 'Error',
};

/** The values of some fields with their counts; a click adds one to the filter, or removes it. */
export function Facets({ facets, filter, onChange, onType }: FacetsOptions) {
  const shown = facets.filter(({ field, values }) => values.length > 1 || chosen(filter, field).length > 0);
  if (shown.length === 0) return null;
  return (
    <ArrowGroup className="mt-3 space-y-1.5">
      {shown.map(({ field, values, more }) => (
        <fieldset key={field} className="flex min-w-0 gap-2">
          <legend className="sr-only">{titles[field] ?? field}</legend>
          <span aria-hidden className="w-16 shrink-0 py-0.5 text-xs leading-5 text-quiet">
            {titles[field] ?? field}
          </span>
          <div className="flex min-w-0 gap-2 overflow-x-auto sm:flex-wrap">
            {values.map(({ value, trials }) => (
              <button
                key={value}
                type="button"
                aria-pressed={chosen(filter, field).includes(escapeGlob(value))}
                onClick={() => onChange(toggle(filter, field, escapeGlob(value)))}
                className="flex max-w-64 shrink-0 gap-1 rounded-full border border-line px-2.5 py-0.5 text-xs leading-5 hover:bg-hover aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent"
              >
                <span className="min-w-0 truncate">
                  <PlainText text={value} />
                </span>{' '}
                <span className="text-quiet">{formatCount(trials)}</span>
              </button>
            ))}
            {more > 0 && (
              <button
                type="button"
                onClick={() => onType(field)}
                className="shrink-0 rounded px-1 py-0.5 text-xs leading-5 text-quiet hover:bg-hover hover:text-text"
              >
                and {formatCount(more)} more: search
              </button>
            )}
          </div>
        </fieldset>
      ))}
    </ArrowGroup>
  );
}

/** Returns the values that a filter selects of a field. */
function chosen(filter: Filter, field: string): (string | number)[] {
  return filter.flatMap((term) => (term.field === field && term.operator === '=' ? term.values : []));
}

/** Adds a pattern to a filter, or removes it. The values of a field are alternatives. */
function toggle(filter: Filter, field: string, pattern: string): string {
  const selected = chosen(filter, field);
  const values = selected.includes(pattern)
    ? selected.filter((each) => each !== pattern)
    : [...selected, pattern];
  const others = filter.filter((term) => term.field !== field || term.operator !== '=');
  return formatFilter(values.length === 0 ? others : [...others, { field, operator: '=', values }]);
}

interface CountOptions {
  readonly view: RunView;
  readonly counts: { readonly trials: number; readonly rows: number } | undefined;
}

/** The number of cases that are listed. */
export function CaseCount({ view: { run }, counts }: CountOptions) {
  if (counts === undefined) return <>&nbsp;</>;
  const all = run.dataset.cases * run.targets.length;
  const noun = run.targets.length > 1 ? 'answer' : 'question';
  const { rows, trials } = counts;
  const of = rows === all ? formatPlural(all, noun) : `${formatCount(rows)} of ${formatPlural(all, noun)}`;
  return <>{run.attempts > 1 ? `${of}, ${formatPlural(trials, 'attempt')}` : of}</>;
}
