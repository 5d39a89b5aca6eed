import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type RefObject, useRef } from 'react';
import { fieldNames } from '../../../../src/core/lib/filter/fields.ts';
import type { Filter } from '../../../../src/core/lib/filter/filter.ts';
import { parseFilter } from '../../../../src/core/lib/filter/parse-filter.ts';
import type { RunView } from '../../../../src/core/schema/api/run-view.ts';
import type { TrialFacets } from '../../../../src/core/schema/api/trial-facets.ts';
import { useFacets } from '../../data/use-trials.ts';
import { useRun } from '../../data/use-run.ts';
import { useKeys } from '../../keys/use-keys.ts';
import { PageHead } from '../../layout/page-head.tsx';
import { RunHead } from '../../layout/run-head.tsx';
import { ErrorPanel } from '../../parts/error-panel.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { ColumnMenu, rememberedColumns } from './column-menu.tsx';
import { chooseColumns, columnsOf } from './columns.tsx';
import { Rows, useChange } from './case-rows.tsx';
import { CaseCount, Facets } from './facets.tsx';
import { ScoreHistogram } from './score-histogram.tsx';
import { SearchResults } from './search-results.tsx';
import { useFilterWords } from './suggestions.tsx';
import { TypedField } from './typed-field.tsx';
import { DownloadLinks } from '../../parts/links/download-links.tsx';

const route = getRouteApi('/runs/$run/cases');

/** The cases of a run: find the failures. */
export function CasesPage() {
  const { run } = route.useParams();
  const { data, error, refetch } = useRun(run);
  if (data !== undefined) return <CaseList view={data} />;
  if (error === null) return <Skeleton />;
  return (
    <>
      <PageHead crumbs={[{ label: 'Runs', link: { to: '/' } }]} title={run} />
      <ErrorPanel error={error} onRetry={refetch} />
    </>
  );
}

function CaseList({ view }: { readonly view: RunView }) {
  const { run } = view;
  const { where = '', sort, text = '', at, columns: names } = route.useSearch();
  const [filterField, searchField] = [useRef<HTMLInputElement>(null), useRef<HTMLInputElement>(null)];
  const change = useChange();
  const words = useFilterWords(run);
  const readFilter = (typed: string) =>
    typed.trim() === '' ? { filter: [] } : parseFilter(typed, words.vocabulary);
  const { filter = [], problem } = readFilter(where);
  const isValid = problem === undefined;
  const isSearching = text.trim() !== '';
  const facets = useFacets({ run: run.id, where: where || undefined }, isValid).data;
  const known = columnsOf(run);
  const columns = chooseColumns(known, names ?? rememberedColumns());
  useListKeys({ run: run.id, isSearching, filterField, searchField });
  return (
    <>
      <RunHead
        run={run.id}
        title="Questions"
        of={subjectOf(run, where, text)}
        about={<CaseCount view={view} counts={isValid ? facets : undefined} />}
        actions={<ListActions run={run} where={isValid ? where : undefined} />}
      />
      <div className="grid gap-2 sm:grid-cols-[minmax(12rem,20rem)_1fr_auto]">
        <TypedField
          ref={searchField}
          label="Search"
          placeholder="Search in all texts"
          text={text}
          onChange={(typed) => change({ text: typed }, true)}
        />
        <TypedField
          ref={filterField}
          label="Filter"
          placeholder="Filter, such as passed=false category=taxes latencyMs>5000"
          text={where}
          problemOf={(typed) => readFilter(typed).problem?.message}
          help={`Filter by ${fieldNames(words.vocabulary).join(', ')}.`}
          words={words}
          onChange={(typed) => change({ where: typed }, true)}
        />
        <ColumnMenu known={known} shown={columns} onChange={(list) => change({ columns: list }, true)} />
      </div>
      {isValid && (
        <>
          {facets !== undefined && (
            <Overview
              run={run}
              facets={facets}
              filter={filter}
              onType={(field) => typeInto(filterField.current, `${where} ${field}=`.trimStart())}
            />
          )}
          {isSearching ? (
            <SearchResults
              run={run}
              text={text}
              list={{ where: where || undefined, sort }}
              start={at}
              answers={facets?.trials}
            />
          ) : (
            <Rows
              view={view}
              filter={filter}
              columns={columns}
              facets={facets}
              onFind={() => searchField.current?.focus()}
            />
          )}
        </>
      )}
    </>
  );
}

/** Returns the subject of the list for the title of its tab: the run, the filter and the search. */
function subjectOf({ name, id }: RunView['run'], ...narrowing: readonly string[]): string {
  return [name ?? id, ...narrowing].filter((part) => part !== '').join(' · ');
}

interface ListActionsOptions extends Pick<RunView, 'run'> {
  /** The filter; undefined for one that is none. */
  readonly where: string | undefined;
}

/** The links to the targets side by side, and to the list as a file. */
function ListActions({ run: { id, targets }, where }: ListActionsOptions) {
  return (
    <>
      {targets.length > 1 && (
        <Link to="/matrix" search={{ columns: id }} className="link inline-flex min-h-8 items-center">
          Targets side by side
        </Link>
      )}
      {where !== undefined && (
        <DownloadLinks
          path={`/runs/${encodeURIComponent(id)}/report`}
          choice={{ where: where || undefined }}
          formats={['csv', 'jsonl', 'html']}
        />
      )}
    </>
  );
}

interface ListKeysOptions {
  readonly run: string;
  readonly isSearching: boolean;
  readonly filterField: RefObject<HTMLInputElement | null>;
  readonly searchField: RefObject<HTMLInputElement | null>;
}

/** Binds the keys that lead to the fields, and out of the search or the list. */
function useListKeys({ run, isSearching, filterField, searchField }: ListKeysOptions): void {
  const change = useChange();
  const navigate = useNavigate();
  useKeys([
    {
      keys: 'm',
      does: 'Show the targets of the run side by side',
      run: () => void navigate({ to: '/matrix', search: { columns: run } }),
    },
    { keys: '/', does: 'Search', run: () => searchField.current?.focus() },
    { keys: 'f', does: 'Filter', run: () => filterField.current?.focus() },
    isSearching
      ? { keys: 'Escape', does: 'End the search', run: () => change({ text: '' }) }
      : {
          keys: 'Escape',
          does: 'Back to the run',
          run: () => void navigate({ to: '/runs/$run', params: { run } }),
        },
  ]);
}

interface OverviewOptions extends Pick<RunView, 'run'> {
  readonly facets: TrialFacets;
  readonly filter: Filter;
  /** Leads to the field where a value of a field of the filter is typed. */
  readonly onType: (field: string) => void;
}

/** Types a text into a field, as a person would. */
function typeInto(field: HTMLInputElement | null, text: string): void {
  if (field === null) return;
  field.focus();
  const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value') ?? {};
  set?.call(field, text);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

/** The values and the scores of the answers that match the filter, by which it is narrowed. */
function Overview({ run, facets: { facets, scores }, filter, onType }: OverviewOptions) {
  const change = useChange();
  return (
    <div className="grid grid-cols-1 gap-x-10 lg:grid-cols-2">
      <Facets
        facets={facets}
        filter={filter}
        onChange={(typed) => change({ where: typed })}
        onType={onType}
      />
      {run.scorecard !== null && <ScoreHistogram run={run.id} scores={scores} filter={filter} />}
    </div>
  );
}
