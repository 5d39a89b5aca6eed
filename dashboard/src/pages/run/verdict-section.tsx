import { Fragment } from 'react';
import { formatCount, formatPercent, formatPlural } from '../../../../src/look/report/format.ts';
import { cellName } from '../../../../src/look/report/grid/cell-name.ts';
import { isInformative } from '../../../../src/look/report/caution.ts';
import { missingParts } from '../../../../src/look/report/headline.ts';
import { sayScore, shownScore } from '../../../../src/look/report/score-in-words.ts';
import { decisionWarnings } from '../../../../src/look/report/judged-rates.ts';
import { hasSubject } from '../../../../src/look/report/rows/category-cells.ts';
import { headOfDecision } from '../../../../src/core/schema/api/to-run-head.ts';
import type { RunView } from '../../../../src/core/schema/api/run-view.ts';
import type { RuleDecision } from '../../../../src/core/schema/decision.ts';
import type { Run } from '../../../../src/core/schema/run.ts';
import type { Summary, TargetSummary, MetricSummary } from '../../../../src/core/schema/summary.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { IntervalPlot } from '../../parts/interval-plot.tsx';
import { CasesLink } from '../../parts/links/cases-link.tsx';
import { MessageText } from '../../parts/message-text.tsx';
import { OutcomeMark } from '../../parts/outcome-mark.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { ReviewedValueText, ScoreText } from '../../parts/score-text.tsx';
import { MetricLink } from './metric-link.tsx';
import { MissingPart } from './missing-part.tsx';

interface VerdictSectionOptions {
  readonly run: Run;
  /** The summary of the targets without a condition. */
  readonly summary: Summary;
  readonly advice: RunView['advice'];
}

/** The verdict: the score of each target in words with what did not pass, and the decision of the gate with its reasons. */
export function VerdictSection({ run, summary: { targets, decision }, advice }: VerdictSectionOptions) {
  const { isGated } = headOfDecision(run, { decision });
  return (
    <section
      aria-label="Verdict"
      className="rounded-lg border border-line bg-surface p-4 [--under:var(--surface)] sm:p-6"
    >
      {isGated && <GateDecision decision={decision} />}
      <div
        className={
          targets.length === 1
            ? ''
            : 'grid gap-x-10 gap-y-1 sm:gap-y-4 sm:grid-cols-[repeat(auto-fit,minmax(16rem,1fr))]'
        }
      >
        {targets.map((target) => (
          <TargetVerdict
            key={target.target}
            run={run}
            target={target}
            isOnly={targets.length === 1}
            notPassed={advice.find((one) => one.target === target.target)?.notPassed ?? 0}
          />
        ))}
      </div>
      {!isGated && <NothingDecided run={run} />}
    </section>
  );
}

/** The reasons of a decision that are read at once. */
const mostReasons = 2;

function GateDecision({ decision }: Pick<Summary, 'decision'>) {
  const { outcome, reasons, rules = [] } = decision;
  const warnings = decisionWarnings(decision);
  const further = reasons.slice(mostReasons);
  return (
    <div className="mb-4 border-b border-line pb-4">
      <h2 className="font-semibold">
        Gate: <OutcomeMark outcome={outcome} />
      </h2>
      <Reasons reasons={reasons.slice(0, mostReasons)} />
      {warnings.map((warning) => (
        <p key={warning} className="mt-1 max-w-prose wrap-anywhere text-unsure">
          <span className="font-medium">Warning: </span>
          <MessageText text={warning} />
        </p>
      ))}
      {further.length > 0 && (
        <details className="mt-1">
          <summary className="link w-fit">{formatPlural(further.length, 'more reason')}</summary>
          <Reasons reasons={further} />
        </details>
      )}
      {rules.length > 0 && <Rules rules={rules} />}
    </div>
  );
}

function Reasons({ reasons }: { readonly reasons: readonly string[] }) {
  return (
    <ul className="mt-1 max-w-prose space-y-1 wrap-anywhere">
      {reasons.map((reason) => (
        <li key={reason}>
          <MessageText text={reason} />
        </li>
      ))}
    </ul>
  );
}

/** A run without a gate decides nothing: what its pass mark says is all there is. */
function NothingDecided({ run: { scorecard } }: { readonly run: Run }) {
  return (
    <p className="mt-4 max-w-prose text-xs text-quiet">
      {scorecard === null
        ? 'No scorecard: no answer passes or fails, each metric is read by itself. No gate: nothing was decided.'
        : `An answer passes with a score of at least ${formatPercent(scorecard.passMark)}. No gate: nothing was decided.`}
    </p>
  );
}

interface TargetVerdictOptions {
  readonly run: Run;
  readonly target: TargetSummary;
  readonly isOnly: boolean;
  /** The number of questions that did not pass. */
  readonly notPassed: number;
}

/**
 * The verdict on a target: its score in words, or its first metrics where there is no scorecard; what did not pass; what is
 * missing. The same words as in the terminal.
 */
function TargetVerdict({ run, target, isOnly, notPassed }: TargetVerdictOptions) {
  const missing = missingParts(target, run);
  const { value: score } = shownScore(target);
  return (
    <div className="min-w-0">
      <div className={isOnly ? '' : 'flex flex-wrap items-baseline gap-x-3'}>
        <h2 className={isOnly ? 'sr-only' : 'min-w-0 font-medium wrap-anywhere'}>
          <PlainText text={cellName(run, target.target)} />
        </h2>
        {run.scorecard === null ? (
          <FirstMetrics run={run.id} target={target.target} metrics={target.metrics.filter(hasSubject)} />
        ) : (
          <ScoreWords run={run} target={target} isOnly={isOnly} />
        )}
      </div>
      {run.scorecard !== null && isOnly && isInformative(score) && (
        <div className="mt-1 max-w-64 max-sm:hidden">
          <IntervalPlot estimate={score} mark={run.scorecard.passMark} />
        </div>
      )}
      <div className={isOnly ? '' : 'max-sm:hidden'}>
        <NotPassed run={run} target={target} count={notPassed} />
      </div>
      {missing.length > 0 && (
        <p className="mt-1 max-w-prose wrap-anywhere text-unsure">
          {missing.map((part, index) => (
            <Fragment key={part}>
              {index > 0 && ' · '}
              <MissingPart run={run} target={target} part={part} />
            </Fragment>
          ))}
        </p>
      )}
    </div>
  );
}

/** The score of a target in words; of the failed questions of another run, asked again, the sentence in its place. */
function ScoreWords({ run, target, isOnly }: Omit<TargetVerdictOptions, 'notPassed'>) {
  const { score, sure, basis } = sayScore(target, run);
  const isSentence = target.failedAgain !== undefined;
  return (
    <p className="flex flex-wrap items-baseline gap-x-3 max-sm:ml-auto">
      <span
        className={`font-semibold tracking-tight ${isSentence ? 'text-lg' : isOnly ? 'text-4xl' : 'text-xl sm:text-3xl'}`}
      >
        {score}
      </span>
      <span className={isOnly ? 'text-base' : ''}>
        {sure}
        {basis !== '' && (
          <span className={isOnly ? '' : 'max-sm:hidden'}>
            {sure === '' ? '' : ', '}
            {basis}
          </span>
        )}
      </span>
    </p>
  );
}

interface NotPassedOptions extends Pick<TargetVerdictOptions, 'run' | 'target'> {
  readonly count: number;
}

/** The number of answers that passed, and the questions that did not. */
function NotPassed({ run, target: { target, counts }, count }: NotPassedOptions) {
  if (run.scorecard === null || counts.planned === counts.notRun) return null;
  const each = run.attempts > 1 ? 'attempt' : 'answer';
  return (
    <p className="mt-1">
      {counts.passed === 0 ? (
        0
      ) : (
        <CasesLink run={run.id} where={{ target, result: 'passed' }}>
          {formatCount(counts.passed)}
        </CasesLink>
      )}{' '}
      of {formatPlural(counts.measured, each)} passed
      {count > 0 && (
        <>
          {' · '}
          <CasesLink run={run.id} where={{ target, result: ['failed', 'error', 'not-measured'] }}>
            {formatPlural(count, 'question')} did not pass{run.attempts > 1 && ' in every attempt'}
          </CasesLink>
        </>
      )}
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

/** The largest number of metrics in the place of a score. */
const mostMetrics = 5;

interface FirstMetricsOptions {
  /** The id of the run. */
  readonly run: string;
  readonly target: string;
  readonly metrics: readonly MetricSummary[];
}

/** The first metrics of a run without a scorecard, which has no score. */
function FirstMetrics({ run, target, metrics }: FirstMetricsOptions) {
  const more = metrics.length - mostMetrics;
  return (
    <>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-0.5">
        {metrics.slice(0, mostMetrics).map(({ metric, estimate, unit, corrected, notCorrected }) => (
          <Fragment key={metric}>
            <dt className="text-quiet">
              <MetricLink run={run} target={target} metric={{ metric, unit }}>
                <PlainText text={metric} />
              </MetricLink>
            </dt>
            <dd>
              {corrected === undefined && notCorrected === undefined ? (
                <ScoreText estimate={estimate} unit={unit} />
              ) : (
                <ReviewedValueText value={estimate} corrected={corrected} notCorrected={notCorrected} />
              )}
            </dd>
          </Fragment>
        ))}
      </dl>
      {more > 0 && <p className="text-quiet">and {formatPlural(more, 'other metric')}</p>}
    </>
  );
}
