import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ComparisonView } from '../../../../src/core/schema/api/comparison/comparison-view.ts';
import type { RunRow } from '../../../../src/core/schema/api/run-row.ts';
import {
  type ComparedChoice,
  useComparison,
  useComparisonFile,
  usePairs,
} from '../../data/use-comparison.ts';
import { useIsFile } from '../../data/data-source.ts';
import { useRuns } from '../../data/use-runs.ts';
import { useKeys } from '../../keys/use-keys.ts';
import { useRowKeys } from '../../keys/use-row-keys.ts';
import { PageHead } from '../../layout/page-head.tsx';
import { Button } from '../../parts/button.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ErrorPanel } from '../../parts/error-panel.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { CasePanel } from './case-panel.tsx';
import { CasesSection, usualSort } from './cases-section.tsx';
import { ChangesSection } from './changes-section.tsx';
import { FlipsSection } from './flips-section.tsx';
import { MeasuresSection } from './measures-section.tsx';
import { PreferenceSection } from './preference-section.tsx';
import { RunPickers } from './run-pickers.tsx';
import { SpreadSection } from './spread-section.tsx';
import { TargetsSection } from './targets-section.tsx';
import { UncoveredSection } from './uncovered-section.tsx';
import { useCompareAddress } from './use-compare-address.ts';
import { VerdictSection } from './verdict-section.tsx';

/** Two runs paired by case: whether B is better than A, by how much, and where. */
export function ComparePage() {
  const { choice } = useCompareAddress();
  const { data: list } = useRuns();
  const { data, error, refetch } = useComparison(choice);
  // The previous answer stays while another one is on its way, but not after a failure.
  const view = error === null ? data : undefined;
  const isLonely = list !== undefined && list.runs.length < 2 && view === undefined;
  return (
    <>
      <PageHead
        crumbs={[{ label: 'Runs', link: { to: '/' } }]}
        title="Compare"
        of={view && [view.a, view.b].map(({ name, id }) => name ?? id).join(' with ')}
        actions={<SwapButton view={view} />}
      />
      {isLonely ? (
        <TooFewRuns runs={list.runs} />
      ) : (
        <>
          <RunPickers
            recent={list?.runs ?? []}
            a={view?.a}
            b={view?.b}
            pair={view && shownPair(view, choice)}
          />
          <div className="mt-6">
            {error !== null ? (
              <ErrorPanel error={error} onRetry={refetch} />
            ) : (
              <ComparisonReport view={view} choice={choice} />
            )}
          </div>
        </>
      )}
    </>
  );
}

/** The button that swaps the runs, with its key; nothing in a file, which has their comparison in one direction. */
function SwapButton({ view }: { readonly view: ComparisonView | undefined }) {
  const { choice, change } = useCompareAddress();
  const isFile = useIsFile();
  const [a = choice.a, b = choice.b] = [view?.a.id, view?.b.id];
  const swap = (): void =>
    change({ a: b, b: a, targetA: choice.targetB, targetB: choice.targetA, case: undefined });
  useKeys(isFile ? [] : [{ keys: 's', does: 'Swap A and B', run: swap }]);
  if (isFile) return null;
  return (
    <Button onClick={swap} disabled={view === undefined} title="Swap A and B (s)">
      <span aria-hidden>⇄</span> Swap A and B
    </Button>
  );
}

function TooFewRuns({ runs: [run] }: { readonly runs: readonly RunRow[] }) {
  const [first, second] = run?.targets ?? [];
  return (
    <EmptyState title="A comparison takes two runs">
      <code className="font-mono">touchstone run</code> makes one.
      {run !== undefined && first !== undefined && second !== undefined && (
        <>
          {' '}
          Two targets of one run can be compared, too:{' '}
          <Link
            to="/compare"
            search={{ a: run.id, b: run.id, targetA: first, targetB: second }}
            className="link"
          >
            <PlainText text={`${first} and ${second}`} />
          </Link>
          .
        </>
      )}
    </EmptyState>
  );
}

/** Returns the comparison of the targets that the address names; the first one when it names none. */
function shownPair({ comparison }: ComparisonView, { targetA, targetB }: ComparedChoice) {
  const { comparisons } = comparison;
  const named = comparisons.find(({ a, b }) => a.target === targetA && b.target === targetB);
  return named ?? comparisons[0];
}

interface ComparisonReportOptions {
  /** Undefined while it is being loaded. */
  readonly view: ComparisonView | undefined;
  readonly choice: ComparedChoice;
}

function ComparisonReport({ view, choice }: ComparisonReportOptions) {
  const isFile = useIsFile();
  const pair = view && shownPair(view, choice);
  if (view === undefined || pair === undefined) return <Skeleton />;
  const { comparison, storeFolder } = view;
  const changes = <ChangesSection pair={pair} storeFolder={storeFolder} />;
  if (pair.pairing.pairs === 0) {
    return (
      <>
        <EmptyState title="The runs share no question">
          Questions are paired by their content: what is asked and what is expected. Compare runs of the same
          dataset, or run the dataset of A again.
        </EmptyState>
        <UncoveredSection pair={pair} />
        {changes}
      </>
    );
  }
  return (
    <>
      <TargetsSection comparisons={comparison.comparisons} shown={pair} />
      <VerdictSection pair={pair} comparison={comparison} />
      {changes}
      <MeasuresSection pair={pair} />
      <FlipsSection pair={pair} />
      {!isFile && <PreferenceSection />}
      <SpreadSection pair={pair} />
      <UncoveredSection pair={pair} />
      <Cases pair={comparison.comparisons.indexOf(pair)} />
    </>
  );
}

/** The list of cases, and over it the case that the address names. */
function Cases({ pair }: { readonly pair: number }) {
  const { address, choice, change } = useCompareAddress();
  const [isDiff, setIsDiff] = useState(true);
  const { where, sort = usualSort, case: open } = address;
  const { data, error, refetch, hasNextPage, fetchNextPage } = usePairs(choice, { where, sort, limit: 50 });
  const { data: file } = useComparisonFile();
  const ids = data?.rows.map(({ caseId }) => caseId) ?? [];
  const index = open === undefined ? -1 : ids.indexOf(open);
  const step = (by: 1 | -1): (() => void) | undefined => {
    const id = index === -1 ? ids[0] : ids[index + by];
    if (id !== undefined) return () => change({ case: id });
    if (by === 1 && hasNextPage) return () => void fetchNextPage();
    return undefined;
  };
  const close = (): void => {
    change({ case: undefined });
    if (open !== undefined) document.querySelector<HTMLElement>(`[data-row="${CSS.escape(open)}"]`)?.focus();
  };
  useRowKeys();
  return (
    <>
      <CasesSection
        pairs={data}
        part={file?.pairs[pair]}
        error={error}
        onRetry={refetch}
        onMore={hasNextPage ? () => void fetchNextPage() : undefined}
      />
      {open !== undefined && (
        <CasePanel
          choice={choice}
          caseId={open}
          place={index === -1 ? undefined : `${index + 1} of ${data?.count ?? ids.length}`}
          onNext={step(1)}
          onPrevious={index <= 0 ? undefined : step(-1)}
          onClose={close}
          isDiff={isDiff}
          onDiff={setIsDiff}
        />
      )}
    </>
  );
}
