import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import type { RunRow } from '../../../../src/core/schema/api/run-row.ts';
import { useBaselines, useRunPages, type RunChoice, useRunValues } from '../../data/use-runs.ts';
import { useRowKeys } from '../../keys/use-row-keys.ts';
import { PageHead } from '../../layout/page-head.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Pending } from '../../parts/skeleton.tsx';
import { ShowMore } from '../../parts/show-more.tsx';
import { useIsNarrow } from '../../parts/use-is-narrow.ts';
import { RunCards, RunTable } from './run-table.tsx';
import { DownloadLinks } from '../../parts/links/download-links.tsx';

const route = getRouteApi('/');
/** Loaded after the list, which is what one opens the page for. */
const HistorySection = lazy(async () => ({
  default: (await import('./history-section.tsx')).HistorySection,
}));

/** Loaded once a run is picked. */
const RunActions = lazy(async () => ({ default: (await import('./run-actions.tsx')).RunActions }));

/** The list of runs: which run, and whether it is getting better. */
export function RunsPage() {
  const { pick, ...choice } = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useRunPages(choice);
  useRowKeys({ canPick: true });
  if (data === undefined) {
    return <Pending error={error} refetch={refetch} />;
  }
  const readOn = (): void => {
    if (!isFetchingNextPage) void fetchNextPage();
  };
  const runs = data.pages.flatMap((page) => page.runs);
  const isFiltered = Object.values(choice).some((value) => value !== undefined);
  const picked = inOrderOfTime(pick?.split(',') ?? [], runs);
  const setPicked = (ids: readonly string[]): void =>
    void navigate({
      search: { ...choice, pick: ids.length === 0 ? undefined : ids.join(',') },
      replace: true,
    });
  return (
    <>
      <PageHead
        title="Runs"
        actions={<RunFilters choice={choice} onChange={(search) => void navigate({ search })} />}
      />
      {runs.length === 0 ? (
        <NoRuns isFiltered={isFiltered} />
      ) : (
        <div>
          <Suspense fallback={<span hidden aria-busy />}>
            <HistorySection choice={choice} />
          </Suspense>
          <div>
            <Picked
              runs={runs.filter(({ id }) => picked.includes(id)).toReversed()}
              onClear={() => setPicked([])}
              onAll={picked.length < runs.length ? () => setPicked(runs.map(({ id }) => id)) : undefined}
            />
            <Runs runs={runs} picked={picked} onPick={setPicked} />
            <ShowMore onMore={hasNextPage ? readOn : undefined} end="All runs are shown." />
            <p className="mt-3">
              <DownloadLinks path="/run-table" choice={choice} formats={['csv', 'jsonl']} />
            </p>
          </div>
        </div>
      )}
    </>
  );
}

interface PickedOptions {
  /** Picks all runs of the list that are loaded; undefined when they are. */
  readonly onAll: (() => void) | undefined;
  /** The picked runs, the older one first. */
  readonly runs: readonly RunRow[];
  readonly onClear: () => void;
}

/** The bar of actions on the picked runs. */
function Picked({ runs, onClear, onAll }: PickedOptions) {
  const hint = (
    <p className="mb-2 min-h-8 text-quiet">
      Pick a run to name it, two to compare them, or up to eight to see their answers side by side.
    </p>
  );
  if (runs.length === 0) return hint;
  return (
    <Suspense
      fallback={
        <>
          {hint}
          <span hidden aria-busy />
        </>
      }
    >
      <RunActions key={runs.map(({ id }) => id).join(' ')} picked={runs} onClear={onClear} onAll={onAll} />
    </Suspense>
  );
}

/** Returns the ids that are in the list, the older run first. */
function inOrderOfTime(ids: readonly string[], runs: readonly RunRow[]): string[] {
  return runs
    .map(({ id }) => id)
    .filter((id) => ids.includes(id))
    .toReversed();
}

interface RunsOptions {
  readonly runs: readonly RunRow[];
  readonly picked: readonly string[];
  readonly onPick: (ids: readonly string[]) => void;
}

function Runs({ runs, picked, onPick }: RunsOptions) {
  const { data: baselines = [] } = useBaselines();
  const List = useIsNarrow() ? RunCards : RunTable;
  return (
    <List
      runs={runs}
      baselines={baselines}
      picked={picked}
      onPick={(id) => onPick(picked.includes(id) ? picked.filter((one) => one !== id) : [...picked, id])}
    />
  );
}

function NoRuns({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered) return <EmptyState title="No run matches the filter" />;
  return (
    <EmptyState title="There are no runs yet">
      <code className="font-mono">touchstone run</code> makes one; it appears here by itself.
    </EmptyState>
  );
}

interface RunFiltersOptions {
  readonly choice: RunChoice;
  readonly onChange: (choice: RunChoice) => void;
}

const fields = [
  ['dataset', 'Dataset'],
  ['target', 'Target'],
  ['branch', 'Branch'],
] as const;

/** The choice of a dataset, a target and a branch among the values of all runs; each only where there are several. */
function RunFilters({ choice, onChange }: RunFiltersOptions) {
  const { data } = useRunValues();
  return (
    <div className="flex flex-wrap gap-3">
      {fields.map(([field, label]) => {
        const chosen = choice[field];
        const values = [...new Set([...(data?.[field] ?? []), ...(chosen === undefined ? [] : [chosen])])];
        if (values.length < 2 && chosen === undefined) return null;
        return (
          <label key={field} className="flex items-center gap-2 text-quiet">
            {label}
            <select
              value={chosen ?? ''}
              onChange={({ target: { value } }) =>
                onChange({ ...choice, [field]: value === '' ? undefined : value })
              }
              className="h-8 max-w-48 rounded-md border border-line bg-page px-2 text-text"
            >
              <option value="">all</option>
              {values.map((value) => (
                <option key={value} value={value}>
                  {value}
                </option>
              ))}
            </select>
          </label>
        );
      })}
    </div>
  );
}
