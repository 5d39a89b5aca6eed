import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo, useRef, useState } from 'react';
import { equalTo, type Filter } from '../../../../src/core/lib/filter/filter.ts';
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
import { AskAgain } from '../../parts/acting/ask-again.tsx';
import { AskPeople } from './ask-people.tsx';
import { Button } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { askAgainCommand } from '../../../../src/core/schema/api/acting/ask-again.ts';
import { formatFilter } from '../../../../src/core/lib/filter/format-filter.ts';
import { formatPlural } from '../../../../src/look/report/format.ts';
import { quoteForShell } from '../../../../src/core/lib/text/quote-for-shell.ts';
import { showCommand } from '../../../../src/look/report/phrase.ts';
import { useRights } from '../../data/use-rights.ts';

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
  /** Leads to our own search: the browser's finds only what is drawn. */
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
  const [sortedLast, setSortedLast] = useState<string>();
  const list = useTrials({ run: run.id, where, sort }, true);
  const rows = useMemo(() => list.data?.pages.flatMap((part) => part.rows) ?? [], [list.data]);
  const { hasNextPage, isFetchingNextPage, isError, fetchNextPage } = list;
  const readOn = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage && !isError) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, isError, fetchNextPage]);
  const { selected, select, selectAll, clear } = useSelection(rows, { run: run.id, where, sort });
  const open = (row: TrialRow): void =>
    void navigate({
      to: '/runs/$run/cases/$ordinal',
      params: { run: run.id, ordinal: String(firstToOpen(row)) },
      search: { where, sort },
    });
  const failure = list.error !== null && (
    <div className="my-4">
      <ErrorPanel error={list.error} onRetry={list.refetch} />
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
            clear();
          }}
        />
      )}
    </div>
  );
}

/** Keeps the selected rows of a list: one by one, from one to another, or all of it. */
function useSelection(rows: readonly TrialRow[], list: Parameters<typeof readAllTrials>[1]) {
  const source = useData();
  const [selected, setSelected] = useState<ReadonlyMap<number, TrialRow>>(new Map());
  const selectAll = async (): Promise<void> => {
    const all = selected.size > 0 ? [] : await readAllTrials(source, list);
    setSelected(new Map(all.map((row) => [row.ordinal, row])));
  };
  const lastSelected = useRef<number>(undefined);
  const select = (row: TrialRow, isRange = false): void => {
    const after = new Map(selected);
    const [from, to] = [lastSelected.current, row.ordinal]
      .map((ordinal) => rows.findIndex((each) => each.ordinal === ordinal))
      .sort((one, other) => one - other);
    if (isRange && from !== undefined && to !== undefined && from >= 0)
      for (const each of rows.slice(from, to + 1)) after.set(each.ordinal, each);
    else if (!after.delete(row.ordinal)) after.set(row.ordinal, row);
    lastSelected.current = row.ordinal;
    setSelected(after);
  };
  return { selected, select, selectAll, clear: () => setSelected(new Map()) };
}

interface EmptyListOptions {
  readonly view: RunView;
  readonly filter: Filter;
  readonly facets: TrialFacets | undefined;
  readonly onChange: (where: string) => void;
}

/** The text in place of an empty list: which term of the filter leaves nothing, or that there are no answers yet. */
function EmptyList({ view, filter, facets, onChange }: EmptyListOptions) {
  if (filter.length === 0) {
    const isOver = view.progress === undefined;
    return (
      <EmptyState title={isOver ? 'The run has no answers' : 'There are no answers yet'}>
        {isOver ? 'It ended before the first one.' : 'They appear here as they come.'}
      </EmptyState>
    );
  }
  const helpful = facets?.without.filter(({ trials }) => trials > 0) ?? [];
  return (
    <EmptyState title="Nothing matches the filter">
      {facets !== undefined && (
        <div className="mt-3 flex flex-col items-center gap-2">
          {helpful.length === 0 && <p>No single term is the reason.</p>}
          {helpful.map(({ term, where, trials }) => (
            <Button key={term} onClick={() => onChange(where)}>
              <span>
                Without{' '}
                <code className="font-mono">
                  <PlainText text={term} />
                </code>
                : {formatPlural(trials, 'answer')}
              </span>
            </Button>
          ))}
          <Button onClick={() => onChange('')}>Show all</Button>
        </div>
      )}
    </EmptyState>
  );
}

interface SelectionBarOptions {
  readonly view: RunView;
  /** The selected rows. */
  readonly rows: readonly TrialRow[];
  readonly onClear: () => void;
}

/** The commands for the selected cases, and a review task of them. */
function SelectionBar({ view, rows, onClear }: SelectionBarOptions) {
  const { run, storeFolder } = view;
  const ids = [...new Set(rows.map(({ caseId }) => caseId))];
  const filter = quoteForShell(formatFilter([equalTo('id', ids)]));
  const { canAsk } = useRights();
  const targets = [...new Set(rows.map(({ target }) => target))];
  const table = showCommand({ run, storeFolder }, `--filter ${filter} --output questions.csv`);
  return (
    <section
      aria-label="Selection"
      className="sticky bottom-3 mt-3 rounded-lg border border-line bg-page p-3 shadow-lg"
    >
      <div className="flex flex-wrap items-center gap-2">
        <p className="mr-2 font-medium">{formatPlural(ids.length, 'question')} selected</p>
        <AskAgain view={view} asked={{ ids, targets }} />
        <AskPeople view={view} rows={rows} />
        <CopyButton label="Copy the command to export" text={table} />
        <Button onClick={onClear}>Clear</Button>
      </div>
      <pre className="mt-2 max-h-20 overflow-hidden font-mono text-xs break-all whitespace-pre-wrap text-quiet">
        <PlainText text={canAsk ? table : `${askAgainCommand(view, { ids, targets })}\n${table}`} />
      </pre>
    </section>
  );
}
