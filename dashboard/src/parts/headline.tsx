import { Fragment } from 'react';
import { formatPlural } from '../../../src/report/format.ts';
import { headlineParts } from '../../../src/report/headline.ts';
import type { Run } from '../../../src/schema/run.ts';
import { hasSubject } from '../../../src/report/rows/category-cells.ts';
import type { MetricSummary, TargetSummary } from '../../../src/schema/summary.ts';
import { IntervalPlot } from './interval-plot.tsx';
import { PlainText } from './plain-text.tsx';
import { ScoreText } from './score-text.tsx';

/** The options of {@link Headline}. */
interface HeadlineOptions {
  readonly run: Run;
  readonly target: TargetSummary;
}

/**
 * The headline of a target: score and interval large, or the first metrics where there is no scorecard; then n, what is
 * missing, and the worst and the best case. The same parts as in the terminal.
 */
export function Headline({ run, target }: HeadlineOptions) {
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
