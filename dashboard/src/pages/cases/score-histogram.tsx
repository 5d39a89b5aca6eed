import { MarkedLink } from '../../parts/links/marked-link.tsx';
import type { ReactNode } from 'react';
import type { Filter } from '../../../../src/core/lib/filter/filter.ts';
import { formatFilter } from '../../../../src/core/lib/filter/format-filter.ts';
import { compileTerm } from '../../../../src/core/lib/filter/match-filter.ts';
import { formatPlural } from '../../../../src/look/report/format.ts';
import type { TrialFacets } from '../../../../src/core/schema/api/trial-facets.ts';
import { Histogram } from '../../parts/charts/histogram.tsx';
import { ArrowGroup } from '../../keys/arrow-group.tsx';

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
    <ArrowGroup className="mt-3">
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
    </ArrowGroup>
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
    <MarkedLink
      to="/runs/$run/cases"
      params={{ run }}
      search={(before) => ({ ...before, where: where === '' ? undefined : where, at: undefined })}
      resetScroll={false}
      mark={isChosen ? 'true' : undefined}
      className="link"
    >
      {children}
    </MarkedLink>
  );
}

/** A part of the range of scores. */
interface ScoreBin {
  readonly from: number;
  readonly to: number;
  /** The number of trials. */
  readonly count: number;
  /** True when the filter leaves the part out. */
  readonly isFaint: boolean;
  /** True when the filter selects this part and no other. */
  readonly isChosen: boolean;
  /** The filter that selects the part; without any term on scores where the part is chosen. */
  readonly where: string;
}

/** Returns the parts of the range of scores, each with the filter that a click on it leads to. */
export function scoreBinsOf({ bins }: TrialFacets['scores'], filter: Filter): ScoreBin[] {
  const onScores = filter.filter(isOnScores);
  const others = filter.filter((term) => !isOnScores(term));
  const tests = onScores.map(compileTerm);
  const current = formatFilter(onScores);
  return bins.map((count, index) => {
    const [from, to] = [index / bins.length, (index + 1) / bins.length];
    const isLast = index === bins.length - 1;
    const interval: Filter = [
      { field: 'total', operator: '>=', values: [from] },
      // No score is above 1, which belongs to the last part.
      ...(isLast ? [] : [{ field: 'total', operator: '<', values: [to] } as const]),
    ];
    const isChosen = formatFilter(interval) === current;
    return {
      from,
      to,
      count,
      isFaint: !tests.every((test) => test([(from + to) / 2])),
      isChosen,
      where: formatFilter(isChosen ? others : [...others, ...interval]),
    };
  });
}

function isOnScores({ field, side }: Filter[number]): boolean {
  return field === 'total' && side === undefined;
}
