import { headlineParts } from '../../../src/report/headline.ts';
import type { Run } from '../../../src/schema/run.ts';
import type { TargetSummary } from '../../../src/schema/summary.ts';
import { IntervalPlot } from './interval-plot.tsx';
import { PlainText } from './plain-text.tsx';

/** The options of {@link Headline}. */
interface HeadlineOptions {
  readonly run: Run;
  readonly target: TargetSummary;
}

/**
 * The headline of a target: score and interval large, then n, what is missing, and the worst and the best case. The same
 * parts as in the terminal.
 */
export function Headline({ run, target }: HeadlineOptions) {
  const [score = '', ...parts] = headlineParts(target, run);
  const [value = '', interval] = score.split(/ (?=\[)/);
  return (
    <div>
      <p className="flex flex-wrap items-baseline gap-x-3">
        <span className="text-4xl font-semibold tracking-tight">{value}</span>
        {interval !== undefined && <span className="text-lg text-quiet">{interval}</span>}
      </p>
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
