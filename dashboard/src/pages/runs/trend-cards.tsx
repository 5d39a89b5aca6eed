import { changeMarks, changePhrase, changesAt, whyNotSearched } from '../../../../src/look/report/trends.ts';
import type { Trend, TrendPoint } from '../../../../src/core/schema/trends.ts';
import { useTrends } from '../../data/use-trends.ts';
import type { RunChoice } from '../../data/use-runs.ts';
import { PhraseText } from '../../parts/phrase-text.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { TrendPlot } from './trend-plot.tsx';
import { ReviewedValueText } from '../../parts/score-text.tsx';

const mostCards = 6;

/** The score of each target from run to run, with what changed; nothing before a target has two runs. */
export function TrendCards({ choice }: { readonly choice: RunChoice }) {
  const { data, isPending } = useTrends(choice);
  if (isPending) return <span hidden aria-busy />;
  const shown = (data?.trends ?? [])
    .filter(({ points }) => measuredPoints(points).length > 1)
    .slice(0, mostCards);
  if (shown.length === 0) return null;
  return (
    <section aria-label="Is it getting better?" className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
      {shown.map((trend) => (
        <TrendCard key={trend.target} trend={trend} />
      ))}
    </section>
  );
}

/** A point whose value was measured. */
function measuredPoints(points: readonly TrendPoint[]): TrendPoint[] {
  return points.filter(({ value }) => value.value !== null);
}

function TrendCard({ trend: { target, points, searches } }: { readonly trend: Trend }) {
  const shown = measuredPoints(points);
  const newest = shown.at(-1);
  const searched = searches.filter(({ measure }) => measure === 'score' || measure === 'metric');
  const changes = shown.flatMap(({ run }) => changesAt(searched, run));
  const why = whyNotSearched(searched);
  return (
    <article className="min-w-0 rounded-lg border border-line p-4">
      <h2 className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="font-medium">
          <PlainText text={target} />
        </span>
        {newest !== undefined && <ReviewedValueText {...newest} />}
      </h2>
      <div className="mt-2">
        <TrendPlot target={target} points={shown} changes={changes} />
      </div>
      {changes.length > 0 ? (
        changes.slice(-2).map(({ search, change }) => (
          <p key={`${search.series} ${change.after.run}`} className="mt-1 text-xs">
            <span className={markColours[change.finding]}>{changeMarks[change.finding]}</span>{' '}
            <PhraseText phrase={changePhrase({ search, change })} />
          </p>
        ))
      ) : (
        <p className="mt-1 text-xs text-quiet">
          {why === undefined ? 'No change is visible.' : <PhraseText phrase={why} />}
        </p>
      )}
    </article>
  );
}

const markColours = { better: 'text-good', worse: 'text-bad', different: 'text-unsure' } as const;
