import { getRouteApi } from '@tanstack/react-router';
import { useRuns } from '../../data/use-runs.ts';
import { PageHead } from '../../layout/page-head.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ErrorPanel } from '../../parts/error-panel.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { RunTable } from './run-table.tsx';

const route = getRouteApi('/');

/** The list of runs: which run, and whether it is getting better. */
export function RunsPage() {
  const choice = route.useSearch();
  const { data, error, refetch } = useRuns(choice);
  const isFiltered = Object.values(choice).some((value) => value !== undefined);
  return (
    <>
      <PageHead title="Runs" />
      {data === undefined ? (
        error === null ? (
          <Skeleton />
        ) : (
          <ErrorPanel error={error} onRetry={() => void refetch()} />
        )
      ) : data.runs.length === 0 ? (
        <NoRuns isFiltered={isFiltered} />
      ) : (
        <RunTable runs={data.runs} />
      )}
    </>
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
