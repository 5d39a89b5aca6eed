import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type RefObject, useCallback, useMemo, useRef, useState } from 'react';
import { fieldNames } from '../../../../src/core/lib/filter/fields.ts';
import type { Filter } from '../../../../src/core/lib/filter/filter.ts';
import { parseFilter } from '../../../../src/core/lib/filter/parse-filter.ts';
import type { RunView } from '../../../../src/core/schema/api/run-view.ts';
import type { TrialFacets } from '../../../../src/core/schema/api/trial-facets.ts';
import type { TrialRow } from '../../../../src/core/schema/api/trial-row.ts';
import { readAllTrials, useFacets, useTrials } from '../../data/use-trials.ts';
import { useRun } from '../../data/use-run.ts';
import { useKeys } from '../../keys/use-keys.ts';
import { PageHead } from '../../layout/page-head.tsx';
import { RunTabs } from '../../layout/run-tabs.tsx';
import { firstToOpen } from '../../../../src/look/report/rows/first-to-open.ts';
import { ErrorPanel } from '../../parts/error-panel.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { CaseGrid, focusCurrentRow } from './case-grid.tsx';
import { ColumnMenu, rememberedColumns } from './column-menu.tsx';
import { type CaseColumn, chooseColumns, columnsOf } from './columns.tsx';
import { EmptyList } from './empty-list.tsx';
import { CaseCount, Facets } from './facets.tsx';
import { ScoreHistogram } from './score-histogram.tsx';
import { SearchResults } from './search-results.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { useFilterWords } from './suggestions.tsx';
import { TypedField } from './typed-field.tsx';
import { useData } from '../../data/data-source.ts';
import { DownloadLinks } from '../../parts/download-links.tsx';

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
      <ErrorPanel error={error} onRetry={() => void refetch()} />
    </>
  );
}

function CaseList({ view }: { readonly view: RunView }) {
  const { run } = view;
  const { where = '', sort, text = '', at, columns: names } = route.useSearch();
  const [filterField, searchField] = [useRef<HTMLInputElement>(null), useRef<HTMLInputElement>(null)];
  const change = useChange();
  const words = useFilterWords(run);
  const { vocabulary } = words;
  const readFilter = (typed: string) =>
    typed.trim() === '' ? { filter: [] } : parseFilter(typed, vocabulary);
  const { filter = [], problem } = readFilter(where);
  const isValid = problem === undefined;
  const isSearching = text.trim() !== '';
  const facets = useFacets({ run: run.id, where: where || undefined }, isValid).data;
  const known = columnsOf(run);
  const columns = chooseColumns(known, names ?? rememberedColumns());
  useListKeys({ run: run.id, isSearching, filterField, searchField });
  return (
    <>
      <PageHead
        crumbs={[
          { label: 'Runs', link: { to: '/' } },
          { label: run.id, link: { to: '/runs/$run', params: { run: run.id } } },
        ]}
        title="Questions"
        of={[run.name ?? run.id, where, text].filter((part) => part !== '').join(' · ')}
        about={<CaseCount view={view} counts={isValid ? facets : undefined} />}
        actions={
          <>
            {run.targets.length > 1 && <MatrixLink run={run.id} />}
            {isValid && (
              <DownloadLinks
                path={`/runs/${encodeURIComponent(run.id)}/report`}
                choice={{ where: where || undefined }}
                formats={['csv', 'jsonl', 'html']}
              />
            )}
          </>
        }
      />
      <RunTabs run={run.id} />
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
          help={`Filter by ${fieldNames(vocabulary).join(', ')}.`}
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

function MatrixLink({ run }: { readonly run: string }) {
  return (
    <Link to="/matrix" search={{ columns: run }} className="link inline-flex min-h-8 items-center">
      Targets side by side
    </Link>
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

/** Returns the function that changes parts of the address; a small change adds nothing to the history. */
function useChange() {
  const navigate = useNavigate({ from: '/runs/$run/cases' });
  return useCallback(
    (parts: { where?: string; sort?: string; text?: string; columns?: string }, isSmall = false) =>
      void navigate({ search: (before) => ({ ...before, at: undefined, ...parts }), replace: isSmall }),
    [navigate],
  );
}

interface RowsOptions {
  readonly view: RunView;
  readonly filter: Filter;
  readonly columns: readonly CaseColumn[];
  readonly facets: TrialFacets | undefined;
  /** Leads to the search, in place of that of the browser, which finds only what is drawn. */
  readonly onFind: () => void;
}

/**
 * The list itself: its rows, why there are none, or why no more are to be had; and the commands for the selected ones. Rows that
 * are there stay when the server is gone.
 */
function Rows({ view, filter, columns, facets, onFind }: RowsOptions) {
  const { run } = view;
  const { where, sort, at } = route.useSearch();
  const change = useChange();
  const navigate = useNavigate();
  const [selected, setSelected] = useState<ReadonlyMap<number, TrialRow>>(new Map());
  const [sortedLast, setSortedLast] = useState<string>();
  const list = useTrials({ run: run.id, where, sort }, true);
  const rows = useMemo(() => list.data?.pages.flatMap((part) => part.rows) ?? [], [list.data]);
  const { hasNextPage, isFetchingNextPage, isError, fetchNextPage } = list;
  const readOn = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage && !isError) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, isError, fetchNextPage]);
  const source = useData();
  const selectAll = async (): Promise<void> => {
    const all = selected.size > 0 ? [] : await readAllTrials(source, { run: run.id, where, sort });
    setSelected(new Map(all.map((row) => [row.ordinal, row])));
  };
  const select = (row: TrialRow): void => {
    const after = new Map(selected);
    if (!after.delete(row.ordinal)) after.set(row.ordinal, row);
    setSelected(after);
  };
  const open = (row: TrialRow): void =>
    void navigate({
      to: '/runs/$run/cases/$ordinal',
      params: { run: run.id, ordinal: String(firstToOpen(row)) },
      search: { where, sort },
    });
  const failure = list.error !== null && (
    <div className="my-4">
      <ErrorPanel error={list.error} onRetry={() => void list.refetch()} />
    </div>
  );
  if (list.data === undefined) return failure === false ? <Skeleton /> : failure;
  return (
    <div className="mt-4" aria-busy={list.isPlaceholderData}>
      {failure}
      {rows.length === 0 && !list.isPlaceholderData ? (
        <EmptyList
          view={view}
          filter={filter}
          facets={facets}
          onChange={(typed) => change({ where: typed })}
        />
      ) : (
        <CaseGrid
          // Another list begins at its top.
          key={`${where} ${sort}`}
          run={run}
          columns={columns}
          rows={rows}
          rowCount={hasNextPage ? facets?.rows : rows.length}
          sort={sort ?? ''}
          onSort={(order, column) => {
            setSortedLast(column);
            change({ sort: order });
          }}
          sortedLast={sortedLast}
          selected={new Set(selected.keys())}
          onSelect={select}
          onSelectAll={() => void selectAll()}
          onOpen={open}
          onFind={onFind}
          onEnd={readOn}
          start={at}
        />
      )}
      {selected.size > 0 && (
        <SelectionBar
          view={view}
          rows={[...selected.values()]}
          onClear={() => {
            focusCurrentRow();
            setSelected(new Map());
          }}
        />
      )}
    </div>
  );
}
