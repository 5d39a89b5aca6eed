import { Fragment } from 'react';
import { formatCount, formatPercent, formatPlural } from '../../../../src/look/report/format.ts';
import { headlineParts } from '../../../../src/look/report/headline.ts';
import { decisionWarnings } from '../../../../src/look/report/judged-rates.ts';
import { hasSubject } from '../../../../src/look/report/rows/category-cells.ts';
import { headOfDecision } from '../../../../src/core/schema/api/to-run-head.ts';
import type { RunView } from '../../../../src/core/schema/api/run-view.ts';
import type { RuleDecision } from '../../../../src/core/schema/decision.ts';
import type { Run } from '../../../../src/core/schema/run.ts';
import type { Summary, TargetSummary, MetricSummary } from '../../../../src/core/schema/summary.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { IntervalPlot } from '../../parts/interval-plot.tsx';
import { CaseLink, CasesLink } from '../../parts/links/cases-link.tsx';
import { OutcomeMark } from '../../parts/outcome-mark.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { ScoreText } from '../../parts/score-text.tsx';

interface VerdictSectionOptions {
  readonly run: Run;
  /** The summary of the targets without a condition. */
  readonly summary: Summary;
  readonly advice: RunView['advice'];
}

/** The verdict: the decision of the gate with its reasons, and the headline of each target with what did not pass. */
export function VerdictSection({ run, summary: { targets, decision }, advice }: VerdictSectionOptions) {
  const { isGated } = headOfDecision(run, { decision });
  return (
    <section aria-label="Verdict" className="rounded-lg border border-line bg-surface p-5 sm:p-6">
      {!isGated && <NothingDecided run={run} />}
      {isGated && (
        <div className="mb-6 border-b border-line pb-5">
          <h2 className="text-lg font-semibold">
            <span className="sr-only">The gate: </span>
            <OutcomeMark outcome={decision.outcome} />
          </h2>
          <ul className="mt-1 max-w-prose space-y-1 wrap-anywhere">
            {decision.reasons.map((reason) => (
              <li key={reason}>
                <PlainText text={reason} />
              </li>
            ))}
          </ul>
          {decisionWarnings(decision).map((warning) => (
            <p key={warning} className="mt-2 max-w-prose wrap-anywhere text-unsure">
              <span className="font-medium">Warning: </span>
              <PlainText text={warning} />
            </p>
          ))}
          {decision.rules !== undefined && decision.rules.length > 0 && <Rules rules={decision.rules} />}
        </div>
      )}
      <div className="grid gap-x-12 gap-y-8 sm:grid-cols-[repeat(auto-fit,minmax(18rem,1fr))]">
        {targets.map((target) => (
          <div key={target.target}>
            <h2 className="mb-1 font-medium">
              <PlainText text={target.target} />
            </h2>
            <Headline run={run} target={target} />
            <NotPassed
              run={run}
              target={target}
              notPassed={advice.find((one) => one.target === target.target)?.notPassed}
            />
          </div>
        ))}
      </div>
    </section>
  );
}

/** A run without a gate decides nothing: what its pass mark says is all there is. */
function NothingDecided({ run: { scorecard } }: { readonly run: Run }) {
  return (
    <div className="mb-6 border-b border-line pb-5">
      <h2 className="text-lg font-semibold">No gate: nothing was decided</h2>
      <p className="mt-1 max-w-prose">
        {scorecard === null
          ? 'Without a scorecard, no answer passes or fails either: each metric is read by itself.'
          : `An answer passes with a score of at least ${formatPercent(scorecard.passMark)}. Whether enough of them pass is for you to say, or for a gate.`}
      </p>
    </div>
  );
}

/** The questions that did not pass: how many, and the first to open. */
function NotPassed({
  run,
  target: { target, counts },
  notPassed = { count: 0, ids: [] },
}: {
  readonly run: Run;
  readonly target: TargetSummary;
  readonly notPassed: RunView['advice'][number]['notPassed'] | undefined;
}) {
  if (run.scorecard === null || counts.planned === counts.notRun) return null;
  const { count, ids } = notPassed;
  if (count === 0) return <p className="mt-1">All that was asked passed.</p>;
  return (
    <p className="mt-1 max-w-prose wrap-anywhere">
      <CasesLink run={run.id} where={{ target, result: ['failed', 'error', 'not-measured'] }}>
        {formatPlural(count, 'question')} did not pass{run.attempts > 1 && ' in every attempt'}
      </CasesLink>
      {': '}
      {ids.map((id, index) => (
        <Fragment key={id}>
          {index > 0 && ', '}
          <CaseLink run={run.id} where={{ target, id }}>
            <PlainText text={id} />
          </CaseLink>
        </Fragment>
      ))}
      {count > ids.length && `, and ${formatCount(count - ids.length)} more`}
    </p>
  );
}

function Rules({ rules }: { readonly rules: readonly RuleDecision[] }) {
  return (
    <details className="mt-3">
      <summary className="link w-fit">
        {rules.length === 1
          ? 'The rule and its arithmetic'
          : `The ${formatCount(rules.length)} rules and their arithmetic`}
      </summary>
      <div className="mt-2">
        <DataTable
          label="Rules of the gate"
          columns={ruleColumns}
          rows={rules}
          keyOf={({ name, target, category = '' }) => `${name} ${target} ${category}`}
        />
      </div>
    </details>
  );
}

const ruleColumns: readonly Column<RuleDecision>[] = [
  { title: 'Rule', isName: true, cell: ({ name }) => <PlainText text={name} /> },
  { title: 'Target', cell: ({ target }) => <PlainText text={target} /> },
  { title: 'Category', isOptional: true, cell: ({ category = 'all' }) => <PlainText text={category} /> },
  { title: 'Outcome', cell: ({ outcome }) => <OutcomeMark outcome={outcome} /> },
  { title: 'Arithmetic', cell: ({ arithmetic }) => <PlainText text={arithmetic} /> },
];

interface HeadlineOptions {
  readonly run: Run;
  readonly target: TargetSummary;
}

/**
 * The headline of a target: score and interval large, or the first metrics where there is no scorecard; then n, what is
 * missing, and the worst and the best case. The same parts as in the terminal.
 */
function Headline({ run, target }: HeadlineOptions) {
  const [score = '', ...parts] = headlineParts(target, run);
  const [value = '', interval] = score.split(/ (?=\[)/);
  return (
    <div>
      {run.scorecard === null ? (
        <FirstMetrics metrics={target.metrics.filter(hasSubject)} />
      ) : (
        <p className="flex flex-wrap items-baseline gap-x-3">
          <span className="text-4xl font-semibold tracking-tight">{value}</span>
          {interval !== undefined && <span className="text-lg text-quiet">{interval}</span>}
        </p>
      )}
      {interval !== undefined && (
        <div className="mt-2 max-w-64">
          <IntervalPlot estimate={target.score} mark={run.scorecard?.passMark} />
        </div>
      )}
      <p className="mt-2 text-base">
        <PlainText text={parts.join(' · ')} />
      </p>
    </div>
  );
}

/** The largest number of metrics in the place of a score. */
const mostMetrics = 5;

/** The first metrics of a run without a scorecard, which has no score. */
function FirstMetrics({ metrics }: { readonly metrics: readonly MetricSummary[] }) {
  const more = metrics.length - mostMetrics;
  return (
    <>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-0.5">
        {metrics.slice(0, mostMetrics).map(({ metric, estimate, unit }) => (
          <Fragment key={metric}>
            <dt className="text-quiet">
              <PlainText text={metric} />
            </dt>
            <dd>
              <ScoreText estimate={estimate} unit={unit} />
            </dd>
          </Fragment>
        ))}
      </dl>
      {more > 0 && <p className="text-quiet">and {formatPlural(more, 'other metric')}</p>}
    </>
  );
}
