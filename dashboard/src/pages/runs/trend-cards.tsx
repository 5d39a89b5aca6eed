import { hasInterval } from '../../../../src/report/format.ts';
import { changeMarks, changePhrase, changesAt } from '../../../../src/report/trends.ts';
import type { Trend, TrendPoint } from '../../../../src/schema/trends.ts';
import { useTrends } from '../../data/use-trends.ts';
import type { RunChoice } from '../../data/use-runs.ts';
import { PhraseText } from '../../parts/phrase-text.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { ScoreText } from '../../parts/score-text.tsx';

const mostCards = 6;

/** The score of each target from run to run, with what changed; nothing before a target has two runs. */
export function TrendCards({ choice }: { readonly choice: RunChoice }) {
  const { data } = useTrends(choice);
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
  const isSearched = searched.some(({ reason }) => reason === undefined);
  return (
    <article className="rounded-lg border border-line p-4">
      <h2 className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="font-medium">
          <PlainText text={target} />
        </span>
        {newest !== undefined && <ScoreText estimate={newest.value} />}
      </h2>
      <Sparkline label={`Score of ${target} over ${shown.length} runs`} points={shown} changes={changes} />
      {changes.length > 0 ? (
        changes.slice(-2).map(({ search, change }) => (
          <p key={`${search.series} ${change.after.run}`} className="mt-1 text-xs">
            <span className={markColours[change.finding]}>{changeMarks[change.finding]}</span>{' '}
            <PhraseText phrase={changePhrase({ search, change })} />
          </p>
        ))
      ) : (
        <p className="mt-1 text-xs text-quiet">
          {isSearched ? 'No change is visible.' : 'No two runs can be compared, so no change can be seen.'}
        </p>
      )}
    </article>
  );
}

const markColours = { better: 'text-good', worse: 'text-bad', different: 'text-unsure' } as const;
const size = { width: 300, height: 72, margin: 8, top: 16 };

/** The options of {@link Sparkline}. */
interface SparklineOptions {
  readonly label: string;
  readonly points: readonly TrendPoint[];
  readonly changes: ReturnType<typeof changesAt>;
}

/** The values of runs in order of time with their intervals. A gap separates series that cannot be compared. */
function Sparkline({ label, points, changes }: SparklineOptions) {
  const { width, height, margin, top } = size;
  const limits = points
    .flatMap(({ value }) => [value.lower, value.upper, value.value])
    .filter((one) => one !== null);
  const [least, most] = [Math.min(...limits), Math.max(...limits)];
  const range = most - least || 1;
  const x = (index: number): number =>
    points.length === 1 ? width / 2 : margin + (index / (points.length - 1)) * (width - 2 * margin);
  const y = (share: number): number => height - margin - ((share - least) / range) * (height - margin - top);
  const changed = new Map(changes.map(({ change }) => [change.after.run, change.finding]));
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${width} ${height}`} className="mt-2 w-full">
      {points.map((point, index) => {
        const { run, value, series } = point;
        const before = points[index - 1];
        const middle = y(value.value ?? 0);
        const finding = changed.get(run);
        return (
          <g key={run}>
            {before !== undefined && before.series === series && series !== null && (
              <line
                x1={x(index - 1)}
                y1={y(before.value.value ?? 0)}
                x2={x(index)}
                y2={middle}
                className="stroke-quiet"
                strokeWidth={1}
              />
            )}
            {hasInterval(value) && (
              <line
                x1={x(index)}
                x2={x(index)}
                y1={y(value.lower)}
                y2={y(value.upper)}
                className="stroke-accent opacity-40"
                strokeWidth={4}
                strokeLinecap="round"
              />
            )}
            <circle
              cx={x(index)}
              cy={middle}
              r={3}
              className={finding === undefined ? 'fill-accent' : fills[finding]}
            >
              <title>{run}</title>
            </circle>
            {finding !== undefined && (
              <text x={x(index)} y={9} textAnchor="middle" className={`text-[10px] ${fills[finding]}`}>
                {changeMarks[finding]}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
}

const fills = { better: 'fill-good', worse: 'fill-bad', different: 'fill-unsure' } as const;
