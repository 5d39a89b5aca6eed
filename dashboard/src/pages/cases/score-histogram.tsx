import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Filter } from '../../../../src/lib/filter/filter.ts';
import { formatPlural } from '../../../../src/report/format.ts';
import type { TrialFacets } from '../../../../src/schema/api/trial-facets.ts';
import { Histogram } from '../../parts/charts/histogram.tsx';
import { type ScoreBin, scoreBinsOf } from './score-bins.ts';

/** The options of {@link ScoreHistogram}. */
interface ScoreHistogramOptions {
  readonly run: string;
  readonly scores: TrialFacets['scores'];
  readonly filter: Filter;
}

/** The scores of the answers that match the filter; a bar narrows the list to its scores, and a second click widens it again. */
export function ScoreHistogram({ run, scores, filter }: ScoreHistogramOptions) {
  const bins = scoreBinsOf(scores, filter);
  if (bins.filter(({ count }) => count > 0).length < 2) return null;
  const missing =
    scores.missing === 0
      ? undefined
      : `${formatPlural(scores.missing, 'answer')} without a score ${scores.missing === 1 ? 'is' : 'are'} in no bar.`;
  return (
    <div className="mt-3">
      <Histogram
        title="How are the scores spread?"
        counted="answers"
        name="score"
        height={130}
        bins={bins}
        format={(share) => `${Math.round(100 * share)} %`}
        note={missing}
        linkTo={({ from }, content) => {
          const bin = bins.find((each) => each.from === from);
          return bin === undefined ? (
            content
          ) : (
            <BinLink run={run} bin={bin}>
              {content}
            </BinLink>
          );
        }}
      />
    </div>
  );
}

function BinLink({
  run,
  bin: { where, isChosen },
  children,
}: {
  readonly run: string;
  readonly bin: ScoreBin;
  readonly children: ReactNode;
}) {
  return (
    <Link
      to="/runs/$run/cases"
      params={{ run }}
      search={(before) => ({ ...before, where: where === '' ? undefined : where, at: undefined })}
      resetScroll={false}
      activeProps={{ 'aria-current': undefined }}
      aria-current={isChosen ? 'true' : undefined}
      className="link"
    >
      {children}
    </Link>
  );
}
