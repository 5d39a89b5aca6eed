import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo, useRef, useState } from 'react';
import { vocabularyOf } from '../../../../src/lib/filter/fields.ts';
import type { Filter } from '../../../../src/lib/filter/filter.ts';
import { formatCount, formatPlural } from '../../../../src/report/format.ts';
import type { RunView } from '../../../../src/schema/api/run-view.ts';
import type { TrialFacets } from '../../../../src/schema/api/trial-facets.ts';
import type { TrialRow } from '../../../../src/schema/api/trial-row.ts';
import { useFacets, useTrials } from '../../data/use-trials.ts';
import { useRun } from '../../data/use-run.ts';
import { useKeys } from '../../keys/use-keys.ts';
import { PageHead } from '../../layout/page-head.tsx';
import { RunTabs } from '../../layout/run-tabs.tsx';
import { ErrorPanel } from '../../parts/error-panel.tsx';
import { FilterBar, readFilter } from '../../parts/filter-bar.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { CaseGrid } from './case-grid.tsx';
import { ColumnMenu, rememberedColumns } from './column-menu.tsx';
import { type CaseColumn, chooseColumns, columnsOf } from './columns.tsx';
import { EmptyList } from './empty-list.tsx';
import { Facets } from './facets.tsx';
import { SelectionBar } from './selection-bar.tsx';

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
  const { where = '', columns: names } = route.useSearch();
  const field = useRef<HTMLInputElement>(null);
  const change = useChange();
  const navigate = useNavigate();
  const vocabulary = useMemo(
    () =>
      vocabularyOf(
        'trial',
        run.metrics.map(({ name }) => name),
      ),
    [run.metrics],
  );
  const { filter, problem } = readFilter(where, vocabulary);
  const isValid = problem === undefined;
  const facets = useFacets({ run: run.id, where: where || undefined }, isValid).data;
  const known = columnsOf(run);
  const columns = chooseColumns(known, names ?? rememberedColumns());
  useKeys([
    { keys: '/', does: 'Filter', run: () => field.current?.focus() },
    {
      keys: 'Escape',
      does: 'Back to the run',
      run: () => void navigate({ to: '/runs/$run', params: { run: run.id } }),
    },
  ]);
  return (
    <>
      <PageHead
        crumbs={[
          { label: 'Runs', link: { to: '/' } },
          { label: run.description ?? run.id, link: { to: '/runs/$run', params: { run: run.id } } },
        ]}
        title="Cases"
        about={<Count view={view} counts={isValid ? facets : undefined} />}
      />
      <RunTabs run={run.id} />
      <FilterBar
        ref={field}
        text={where}
        vocabulary={vocabulary}
        example="passed=false category=taxes latencyMs>5000"
        onChange={(text) => change({ where: text }, true)}
      >
        <ColumnMenu known={known} shown={columns} onChange={(text) => change({ columns: text }, true)} />
      </FilterBar>
      {isValid && (
        <>
          {facets !== undefined && (
            <Facets facets={facets.facets} filter={filter} onChange={(text) => change({ where: text })} />
          )}
          <Rows view={view} filter={filter} columns={columns} facets={facets} />
        </>
      )}
    </>
  );
}

/** Returns the function that changes parts of the address; a small change adds nothing to the history. */
function useChange() {
  const navigate = useNavigate({ from: '/runs/$run/cases' });
  return useCallback(
    (parts: { where?: string; sort?: string; columns?: string }, isSmall = false) =>
      void navigate({ search: (before) => ({ ...before, at: undefined, ...parts }), replace: isSmall }),
    [navigate],
  );
}

interface RowsOptions {
  readonly view: RunView;
  readonly filter: Filter;
  readonly columns: readonly CaseColumn[];
  readonly facets: TrialFacets | undefined;
}

/** The list itself: its rows, why there are none, or why they are not to be had; and the commands for the selected ones. */
function Rows({ view, filter, columns, facets }: RowsOptions) {
  const { run } = view;
  const { where, sort, at } = route.useSearch();
  const change = useChange();
  const navigate = useNavigate();
  const [selected, setSelected] = useState<ReadonlyMap<number, string>>(new Map());
  const list = useTrials({ run: run.id, where, sort }, true);
  const rows = useMemo(() => list.data?.pages.flatMap((part) => part.rows) ?? [], [list.data]);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const readOn = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  const select = ({ ordinal, caseId }: TrialRow): void => {
    const after = new Map(selected);
    if (!after.delete(ordinal)) after.set(ordinal, caseId);
    setSelected(after);
  };
  const open = ({ ordinal }: TrialRow): void =>
    void navigate({
      to: '/runs/$run/cases/$ordinal',
      params: { run: run.id, ordinal: String(ordinal) },
      search: { where, sort },
    });
  if (list.error !== null) return <ErrorPanel error={list.error} onRetry={() => void list.refetch()} />;
  if (list.data === undefined) return <Skeleton />;
  return (
    <div className="mt-4" aria-busy={list.isPlaceholderData}>
      {rows.length === 0 && !list.isPlaceholderData ? (
        <EmptyList view={view} filter={filter} facets={facets} onChange={(text) => change({ where: text })} />
      ) : (
        <CaseGrid
          // Another list begins at its top.
          key={`${where} ${sort}`}
          run={run}
          columns={columns}
          rows={rows}
          rowCount={hasNextPage ? facets?.rows : rows.length}
          sort={sort ?? ''}
          onSort={(text) => change({ sort: text })}
          selected={new Set(selected.keys())}
          onSelect={select}
          onOpen={open}
          onEnd={readOn}
          start={at}
        />
      )}
      {selected.size > 0 && (
        <SelectionBar
          view={view}
          ids={[...new Set(selected.values())]}
          onClear={() => setSelected(new Map())}
        />
      )}
    </div>
  );
}

interface CountOptions {
  readonly view: RunView;
  readonly counts: { readonly trials: number; readonly rows: number } | undefined;
}

/** The number of cases that are listed. */
function Count({ view: { run }, counts }: CountOptions) {
  if (counts === undefined) return <>&nbsp;</>;
  const all = run.dataset.cases * run.targets.length;
  const noun = run.targets.length > 1 ? 'answer' : 'case';
  const { rows, trials } = counts;
  const of = rows === all ? formatPlural(all, noun) : `${formatCount(rows)} of ${formatPlural(all, noun)}`;
  return <>{run.attempts > 1 ? `${of}, ${formatPlural(trials, 'attempt')}` : of}</>;
}
