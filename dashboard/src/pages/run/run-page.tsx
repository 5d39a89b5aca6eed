import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { MarkedLink } from '../../parts/links/marked-link.tsx';
import { Fragment, type ReactNode, useState } from 'react';
import { formatGit, formatPlural } from '../../../../src/look/report/format.ts';
import { cellName } from '../../../../src/look/report/grid/cell-name.ts';
import { importOf, showCommand } from '../../../../src/look/report/phrase.ts';
import { pageTitle } from '../../../../src/look/report/page-title.ts';
import { stateWords } from '../../../../src/look/report/rows/run-row.ts';
import { withoutConditions } from '../../../../src/core/schema/condition.ts';
import type { RunView } from '../../../../src/core/schema/api/run-view.ts';
import type { Run } from '../../../../src/core/schema/run.ts';
import type { Summary, TargetSummary } from '../../../../src/core/schema/summary.ts';
import { useIsFile } from '../../data/data-source.ts';
import { useRun } from '../../data/use-run.ts';
import { useKeys } from '../../keys/use-keys.ts';
import { PageHead } from '../../layout/page-head.tsx';
import { useTargetKey } from '../../parts/links/choice-links.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { ErrorPanel } from '../../parts/error-panel.tsx';
import { RunTabs } from '../../layout/run-tabs.tsx';
import { LiveProgress, RunStateNote } from '../../parts/live-progress.tsx';
import { NameRun } from '../../parts/name-run.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { AdviceSection } from './advice-section.tsx';
import { JudgesSection } from './judges-section.tsx';
import { MethodSection } from './method-section.tsx';
import { NoticeSection } from './notice-section.tsx';
import { StopRun } from './stop-run.tsx';
import { SideBySideSection } from './side-by-side-section.tsx';
import { TargetSections } from './target-sections.tsx';
import { VerdictSection } from './verdict-section.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import { Facts } from '../../parts/facts.tsx';
import { DownloadLinks } from '../../parts/links/download-links.tsx';

const route = getRouteApi('/runs/$run');
const crumbs = [{ label: 'Runs', link: { to: '/' } }] as const;

interface RunPageOptions {
  /** The list of all questions, below the questions to look at first; in the dashboard it is a page of its own. */
  readonly questions?: ReactNode;
}

/** The page of a run: the verdict that can be defended. */
export function RunPage({ questions }: RunPageOptions) {
  const { run } = route.useParams();
  const { data, error, refetch } = useRun(run);
  if (data !== undefined) return <RunReport view={data} questions={questions} />;
  if (error === null) return <Skeleton />;
  return (
    <>
      <PageHead crumbs={crumbs} title={run} />
      <ErrorPanel error={error} onRetry={refetch} />
    </>
  );
}

function RunReport({ view, questions }: RunPageOptions & { readonly view: RunView }) {
  const { run, summary } = view;
  const isFile = useIsFile();
  return (
    <>
      <PageHead
        crumbs={crumbs}
        title={pageTitle(run)}
        of={run.name === undefined && !isFile ? run.id : undefined}
        about={<About view={view} />}
        actions={
          <>
            <NameRun run={run} />
            {summary !== null && (
              <DownloadLinks
                path={`/runs/${encodeURIComponent(run.id)}/report`}
                formats={['html', 'csv', 'jsonl']}
              />
            )}
            <div className="max-sm:hidden">
              <CopyButton label="Copy command" text={showCommand(view, '--verbose')} shortcut="y" />
            </div>
          </>
        }
      />
      <RunTabs run={run.id} />
      <RunStateNote view={view} />
      {summary === null ? (
        <LiveProgress view={view} actions={run.rescoredFrom === undefined && <StopRun run={run.id} />} />
      ) : (
        <Report view={view} whole={summary} questions={questions} />
      )}
    </>
  );
}

/** The lines below the title: what was asked, when, of which code. */
function About({ view: { run, summary, state } }: { readonly view: RunView }) {
  const { dataset, attempts, git, description, continues, rescoredFrom, failedOf, note, tags = {} } = run;
  const changes = summary?.failedAgain?.changes ?? [];
  const parts = [
    <Fragment key="id">
      {run.id} <CopyButton text={run.id} label="Copy id" isSmall />
    </Fragment>,
    stateWords[state],
    <TimeText key="time" at={run.createdAt} />,
    ...importOf(run),
    `${formatPlural(dataset.cases, 'question')} of ${dataset.sources.join(', ')}`,
    ...(attempts > 1 ? [`${attempts} attempts each`] : []),
    ...(git === undefined ? [] : [formatGit(git)]),
    ...Object.entries(tags).map(([key, value]) => `${key}=${value}`),
  ];
  return (
    <>
      {description !== undefined && (
        <p className="max-w-prose text-text">
          <PlainText text={description} />
        </p>
      )}
      {note !== undefined && (
        <p className="max-w-prose">
          <PlainText text={note} />
        </p>
      )}
      {changes.length > 0 && (
        <p className="max-w-prose">
          Since then: <PlainText text={changes.join('; ')} />
        </p>
      )}
      <p>
        <Facts facts={parts} />
        {failedOf !== undefined && (
          <OtherRun before=" · asks again only what failed or was not measured in " run={failedOf} />
        )}
        {continues !== undefined && <OtherRun before=" · continues " run={continues} />}
        {rescoredFrom !== undefined && (
          <OtherRun before=" · scores again the answers of " run={rescoredFrom} />
        )}
      </p>
    </>
  );
}

function OtherRun({ before, run }: { readonly before: string; readonly run: string }) {
  const isFile = useIsFile();
  if (isFile) return `${before}${run}`;
  return (
    <>
      {before}
      <Link to="/runs/$run" params={{ run }} className="link">
        {run}
      </Link>
    </>
  );
}

interface ReportOptions extends RunPageOptions {
  readonly view: RunView;
  readonly whole: Summary;
}

function Report({ view, whole, questions }: ReportOptions) {
  const { run, advice } = view;
  const [showsMethod, setShowsMethod] = useState(false);
  useKeys([
    {
      keys: 'i',
      does: 'Show or hide how the numbers were made',
      run: () => setShowsMethod((shown) => !shown),
    },
  ]);
  const names = new Set(withoutConditions(run.targets).map(({ name }) => name));
  const targets = whole.targets.filter(({ target }) => names.has(target));
  const summary = { ...whole, targets };
  return (
    <>
      <VerdictSection run={run} summary={summary} advice={advice} />
      <AdviceSection view={view} />
      {questions}
      <SideBySideSection run={run} summary={summary} />
      <TargetDetails run={run} targets={targets} />
      <JudgesSection summary={summary} />
      <NoticeSection run={run} summary={whole} questions={view.questions} />
      <MethodSection
        run={run}
        summary={summary}
        isOpen={showsMethod}
        onToggle={(isOpen) => setShowsMethod(isOpen)}
      />
    </>
  );
}

/** The numbers of one target in full, with a choice where the run has several. */
function TargetDetails({ run, targets }: { readonly run: Run; readonly targets: readonly TargetSummary[] }) {
  const { target: chosen } = route.useSearch();
  const shown = targets.find(({ target }) => target === chosen) ?? targets[0];
  const navigate = useNavigate();
  useTargetKey(
    targets.map(({ target }) => target),
    shown?.target ?? '',
    (target) =>
      void navigate({ to: '/runs/$run', params: { run: run.id }, search: { target }, resetScroll: false }),
  );
  if (shown === undefined) return null;
  return (
    <>
      {targets.length > 1 && (
        <nav aria-label="Target" className="mt-12 flex flex-wrap gap-x-5 border-b border-line">
          {targets.map(({ target }) => (
            <MarkedLink
              key={target}
              to="/runs/$run"
              params={{ run: run.id }}
              search={{ target }}
              resetScroll={false}
              mark={target === shown.target ? 'true' : undefined}
              className="-mb-px border-b-2 border-transparent py-2 wrap-anywhere text-quiet hover:text-text aria-[current]:border-accent aria-[current]:font-medium aria-[current]:text-text"
            >
              <PlainText text={cellName(run, target)} />
            </MarkedLink>
          ))}
        </nav>
      )}
      <TargetSections run={run} target={shown} />
    </>
  );
}
