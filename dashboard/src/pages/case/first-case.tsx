import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { equalTo } from '../../../../src/lib/filter/filter.ts';
import { formatFilter } from '../../../../src/lib/filter/format-filter.ts';
import { useTrials } from '../../data/use-trials.ts';
import { PageHead } from '../../layout/page-head.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ErrorPanel } from '../../parts/error-panel.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';

const route = getRouteApi('/runs/$run/cases/$ordinal');

/** The place in the address of a case that stands for the first one of the list. */
const firstOfList = 'first';

/** Opens the first case of the list that the address describes, or the case whose id it has, in place of this address. */
export function FirstCase() {
  const { run, ordinal: place } = route.useParams();
  const search = route.useSearch();
  const list = useMemo(
    () => (place === firstOfList ? search : { where: formatFilter([equalTo('id', [place])]) }),
    [place, search],
  );
  const navigate = useNavigate();
  const { data, error, refetch } = useTrials({ run, ...list }, true);
  const ordinal = data?.pages[0]?.rows[0]?.ordinal;
  useEffect(() => {
    if (ordinal === undefined) return;
    const params = { run, ordinal: String(ordinal) };
    void navigate({ to: '/runs/$run/cases/$ordinal', params, search: list, replace: true });
  }, [navigate, run, ordinal, list]);
  if (error === null && (data === undefined || ordinal !== undefined)) return <Skeleton />;
  return (
    <>
      <PageHead crumbs={[{ label: 'Runs', link: { to: '/' } }]} title={run} />
      {error === null ? (
        <EmptyState title="No case of this run matches.">
          It may have been left out of this report.
        </EmptyState>
      ) : (
        <ErrorPanel error={error} onRetry={() => void refetch()} />
      )}
    </>
  );
}
