import { getRouteApi } from '@tanstack/react-router';
import type { RunView } from '../../../../src/schema/api/run-view.ts';
import { formatTime } from '../../../../src/report/format.ts';
import { stateWords } from '../../../../src/report/run-row.ts';
import { useRun } from '../../data/use-run.ts';
import { PageHead } from '../../layout/page-head.tsx';
import { ErrorPanel } from '../../parts/error-panel.tsx';
import { LiveProgress, RunStateNote } from '../../parts/live-progress.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { DecisionSection } from './decision-section.tsx';
import { TargetSection } from './target-section.tsx';

const route = getRouteApi('/runs/$run');

/** A run: the verdict that can be defended. */
export function RunPage() {
  const { run } = route.useParams();
  const { data, error, refetch } = useRun(run);
  if (data !== undefined) return <RunReport view={data} />;
  if (error === null) return <Skeleton />;
  return (
    <>
      <PageHead crumbs={[{ label: 'Runs', link: { to: '/' } }]} title={run} />
      <ErrorPanel error={error} onRetry={() => void refetch()} />
    </>
  );
}

function RunReport({ view }: { readonly view: RunView }) {
  const { run, state, summary, advice } = view;
  const parts = [formatTime(run.createdAt), run.dataset.sources.join(', '), stateWords[state]];
  return (
    <>
      <PageHead
        crumbs={[{ label: 'Runs', link: { to: '/' } }]}
        title={run.description ?? run.id}
        about={<PlainText text={parts.join(' · ')} />}
      />
      <RunStateNote view={view} />
      {summary === null && <LiveProgress view={view} />}
      {summary !== null && (
        <>
          <DecisionSection gate={run.gate} decision={summary.decision} />
          {summary.targets.map((target) => (
            <TargetSection
              key={target.target}
              run={run}
              target={target}
              advice={advice.find((one) => one.target === target.target)?.items ?? []}
            />
          ))}
        </>
      )}
    </>
  );
}
