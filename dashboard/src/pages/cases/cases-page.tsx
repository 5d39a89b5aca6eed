import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo, useRef, useState } from 'react';
import { vocabularyOf } from '../../../../src/lib/filter/fields.ts';
import { formatCount, formatPlural } from '../../../../src/report/format.ts';
import type { RunView } from '../../../../src/schema/api/run-view.ts';
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
import { chooseColumns, columnsOf } from './columns.tsx';
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
  const { where = '', sort = '', columns: names, at } = route.useSearch();
  const navigate = useNavigate({ from: '/runs/$run/cases' });
  const field = useRef<HTMLInputElement>(null);
  const [selected, setSelected] = useState<ReadonlyMap<number, string>>(new Map());
  const vocabulary = useMemo(
    () =>
      vocabularyOf(
        'trial',
        run.metrics.map(({ name }) => name),
      ),
    [run.metrics],
  );
  const { filter, problem } = readFilter(where, vocabulary);
  const choice = { run: run.id, where: where || undefined, sort: sort || undefined };
  const list = useTrials(choice, problem === undefined);
  const facets = useFacets(choice, problem === undefined);
  const rows = useMemo(() => list.data?.pages.flatMap((part) => part.rows) ?? [], [list.data]);
  const known = columnsOf(run);
  const columns = chooseColumns(known, names ?? rememberedColumns());
  const change = useCallback(
    (parts: { where?: string; sort?: string; columns?: string }, isSmall = false) =>
      void navigate({ search: (before) => ({ ...before, at: undefined, ...parts }), replace: isSmall }),
    [navigate],
  );
  const open = ({ ordinal }: TrialRow): void =>
    void navigate({
      to: '/runs/$run/cases/$ordinal',
      params: { run: run.id, ordinal: String(ordinal) },
      search: { where: where || undefined, sort: sort || undefined },
    });
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const readOn = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  const select = ({ ordinal, caseId }: TrialRow): void =>
    setSelected((before) => {
      const after = new Map(before);
      if (!after.delete(ordinal)) after.set(ordinal, caseId);
      return after;
    });
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
        about={<Count view={view} counts={problem === undefined ? facets.data : undefined} />}
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
      {problem === undefined && facets.data !== undefined && (
        <Facets facets={facets.data.facets} filter={filter} onChange={(text) => change({ where: text })} />
      )}
      <div className="mt-4" aria-busy={list.isPlaceholderData}>
        {problem !== undefined ? null : list.error !== null ? (
          <ErrorPanel error={list.error} onRetry={() => void list.refetch()} />
        ) : list.data === undefined ? (
          <Skeleton />
        ) : rows.length === 0 && !list.isPlaceholderData ? (
          <EmptyList
            view={view}
            filter={filter}
            facets={facets.data}
            onChange={(text) => change({ where: text })}
          />
        ) : (
          <CaseGrid
            // Another list begins at its top.
            key={`${where} ${sort}`}
            run={run}
            columns={columns}
            rows={rows}
            rowCount={list.hasNextPage ? facets.data?.rows : rows.length}
            sort={sort}
            onSort={(text) => change({ sort: text })}
            selected={new Set(selected.keys())}
            onSelect={select}
            onOpen={open}
            onEnd={readOn}
            start={at}
          />
        )}
      </div>
      {selected.size > 0 && (
        <SelectionBar
          view={view}
          ids={[...new Set(selected.values())]}
          onClear={() => setSelected(new Map())}
        />
      )}
    </>
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
