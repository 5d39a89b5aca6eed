import { useState } from 'react';
import type { ComparisonView } from '../../../../src/schema/api/comparison-view.ts';
import type { PairComparison } from '../../../../src/schema/run-comparison.ts';
import { type ComparedChoice, useComparison, usePairs } from '../../data/use-comparison.ts';
import { useRuns } from '../../data/use-runs.ts';
import { useKeys } from '../../keys/use-keys.ts';
import { PageHead } from '../../layout/page-head.tsx';
import { Button } from '../../parts/button.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ErrorPanel } from '../../parts/error-panel.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { CasePanel } from './case-panel.tsx';
import { CasesSection, usualSort } from './cases-section.tsx';
import { ChangesSection } from './changes-section.tsx';
import { FlipsSection } from './flips-section.tsx';
import { MeasuresSection } from './measures-section.tsx';
import { RunPickers } from './run-pickers.tsx';
import { SpreadSection } from './spread-section.tsx';
import { TargetsSection } from './targets-section.tsx';
import { UncoveredSection } from './uncovered-section.tsx';
import { useCompareAddress } from './use-compare-address.ts';
import { VerdictSection } from './verdict-section.tsx';

/** Two runs paired by case: whether B is better than A, by how much, and where. */
export function ComparePage() {
  const { choice, address, change } = useCompareAddress();
  const { data: list } = useRuns();
  const { data: view, error, refetch } = useComparison(choice);
  const recent = list?.runs ?? [];
  const pair = view && shownPair(view, choice);
  const [a, b] = [view?.a.id ?? address.a, view?.b.id ?? address.b];
  const swap = (): void =>
    change({ a: b, b: a, targetA: pair && pair.b.target, targetB: pair && pair.a.target, case: undefined });
  useKeys([{ keys: 's', does: 'Swap A and B', run: swap }]);
  const head = (
    <PageHead
      crumbs={[{ label: 'Runs', link: { to: '/' } }]}
      title="Compare"
      actions={
        <Button onClick={swap} disabled={view === undefined} title="Swap A and B (s)">
          <span aria-hidden>⇄</span> Swap A and B
        </Button>
      }
    />
  );
  if (list !== undefined && recent.length < 2 && view === undefined) {
    return (
      <>
        {head}
        <EmptyState title="A comparison takes two runs">
          <code className="font-mono">touchstone run</code> makes one;{' '}
          <code className="font-mono">touchstone run --resume latest</code> asks only what has changed since
          the last.
        </EmptyState>
      </>
    );
  }
  return (
    <>
      {head}
      <RunPickers recent={recent} a={view?.a} b={view?.b} pair={pair} />
      <div className="mt-6">
        {error !== null ? (
          <ErrorPanel error={error} onRetry={() => void refetch()} />
        ) : view === undefined || pair === undefined ? (
          <Skeleton />
        ) : (
          <ComparisonReport view={view} pair={pair} />
        )}
      </div>
    </>
  );
}

/** Returns the comparison of the targets that the address names; the first one when it names none. */
function shownPair({ comparison }: ComparisonView, { targetA, targetB }: ComparedChoice) {
  const { comparisons } = comparison;
  const named = comparisons.find(({ a, b }) => a.target === targetA && b.target === targetB);
  return named ?? comparisons[0];
}

function ComparisonReport({ view, pair }: { readonly view: ComparisonView; readonly pair: PairComparison }) {
  const { comparison, storeFolder } = view;
  const changes = <ChangesSection pair={pair} storeFolder={storeFolder} />;
  if (pair.pairing.pairs === 0) {
    return (
      <>
        <EmptyState title="The runs share no question">
          Cases are paired by their content: what is asked and what is expected. Compare runs of the same
          dataset, or run the dataset of A again.
        </EmptyState>
        <UncoveredSection pair={pair} />
        {changes}
      </>
    );
  }
  return (
    <>
      <TargetsSection comparisons={comparison.comparisons} />
      <VerdictSection pair={pair} comparison={comparison} />
      {changes}
      <MeasuresSection pair={pair} />
      <FlipsSection pair={pair} />
      <SpreadSection pair={pair} />
      <UncoveredSection pair={pair} />
      <Cases />
    </>
  );
}

/** The list of cases, and over it the case that the address names. */
function Cases() {
  const { address, choice, change } = useCompareAddress();
  const [isDiff, setIsDiff] = useState(true);
  const { where, sort = usualSort, case: open } = address;
  const { data, error, refetch, hasNextPage, fetchNextPage } = usePairs(choice, { where, sort, limit: 50 });
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
  useKeys([
    { keys: 'j', does: 'Go to the next case; Enter opens it', run: () => focusRow(1) },
    { keys: 'k', does: 'Go to the previous case', run: () => focusRow(-1) },
  ]);
  return (
    <>
      <CasesSection
        pairs={data}
        error={error}
        onRetry={() => void refetch()}
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

function focusRow(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
  const current = rows.findIndex((row) => row === document.activeElement);
  const next = current === -1 ? 0 : current + by;
  rows[Math.min(Math.max(next, 0), rows.length - 1)]?.focus();
}
