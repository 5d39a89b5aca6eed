import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import type { Filter } from '../../../../src/core/lib/filter/filter.ts';
import type { RunView } from '../../../../src/core/schema/api/run-view.ts';
import type { TrialFacets } from '../../../../src/core/schema/api/trial-facets.ts';
import type { TrialRow } from '../../../../src/core/schema/api/trial-row.ts';
import { firstToOpen } from '../../../../src/look/report/rows/first-to-open.ts';
import { useData } from '../../data/data-source.ts';
import { readAllTrials, useTrials } from '../../data/use-trials.ts';
import { ErrorPanel } from '../../parts/error-panel.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { CaseGrid, focusCurrentRow } from './case-grid.tsx';
import type { CaseColumn } from './columns.tsx';
import { EmptyList } from './empty-list.tsx';
import { SelectionBar } from './selection-bar.tsx';

const route = getRouteApi('/runs/$run/cases');

/** Returns the function that changes parts of the address; a small change adds nothing to the history. */
export function useChange() {
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
export function Rows({ view, filter, columns, facets, onFind }: RowsOptions) {
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
