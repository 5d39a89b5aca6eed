import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { formatPercent } from '../../../../src/look/report/format.ts';
import { shownValue } from '../../../../src/look/report/score-in-words.ts';
import { changeMarks, changeSize, changesAt, whyNotSearched } from '../../../../src/look/report/trends.ts';
import type { Trend, TrendPoint } from '../../../../src/core/schema/trends.ts';
import { useRun } from '../../data/use-run.ts';
import type { RunChoice } from '../../data/use-runs.ts';
import { useTrends } from '../../data/use-trends.ts';
import { useKeys } from '../../keys/use-keys.ts';
import { PhraseText } from '../../parts/phrase-text.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { ReviewedValueText } from '../../parts/score-text.tsx';
import { nameOfPoint, TrendPlot } from './trend-plot.tsx';
import { formatLocalTime } from '../../parts/time-text.tsx';

const mostTargets = 6;

interface HistoryOptions {
  readonly choice: RunChoice;
}

/**
 * The history of the listed runs, folded into one row: for each target a line of its scores, and the day of its last change. Unfolded, a
 * chart of the score and one of each metric that is a share. Nothing before a target has two runs.
 */
export function HistorySection({ choice }: HistoryOptions) {
  const [isOpen, setOpen] = useState(false);
  const { data, isPending } = useTrends(choice);
  const trends = (data?.trends ?? []).filter(isShown).slice(0, mostTargets);
  const fold = { keys: 'h', does: 'Show or hide the history', run: () => setOpen(!isOpen) };
  useKeys(trends.length === 0 ? [] : [fold]);
  if (isPending) return <span hidden aria-busy />;
  if (trends.length === 0) return null;
  return (
    <section aria-label="Is it getting better?" className="mb-6 border-y border-line">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="flex min-h-10 w-full flex-wrap items-center gap-x-6 gap-y-1 py-1 text-left hover:bg-surface"
      >
        <span className="font-medium">
          <span aria-hidden className="mr-1 inline-block w-3 text-quiet">
            {isOpen ? '▾' : '▸'}
          </span>
          History
        </span>
        {trends.map((trend) => (
          <Outline key={trend.target} trend={trend} />
        ))}
      </button>
      {isOpen && (
        <div className="grid gap-4 py-4 sm:grid-cols-2 xl:grid-cols-3">
          {/* Without a scorecard the outline is of a metric, which has a card below. */}
          {trends
            .filter(({ measure }) => measure.type === 'score')
            .map((trend) => (
              <TrendCard key={trend.target} trend={trend} />
            ))}
          <MetricCards choice={choice} runs={newestRuns(trends)} shown={[]} />
        </div>
      )}
    </section>
  );
}

/** The points that have a value, the oldest first. */
function measuredPoints({ points }: Trend): TrendPoint[] {
  return points.filter(({ value }) => value.value !== null);
}

function isShown(trend: Trend): boolean {
  return measuredPoints(trend).length > 1;
}

/** The changes of the measure of a trend, the oldest first. */
function changesOf({ points, searches }: Trend) {
  const searched = searches.filter(({ measure }) => measure === 'score' || measure === 'metric');
  return points.flatMap(({ run }) => changesAt(searched, run));
}

const markColours = { better: 'text-good', worse: 'text-bad', different: 'text-unsure' } as const;

/** One target in the folded row: its name, its scores as a line, the newest score, and the day of the last change. */
function Outline({ trend }: { readonly trend: Trend }) {
  const points = measuredPoints(trend);
  const change = changesOf(trend).at(-1)?.change;
  const newest = points.at(-1);
  const since = points.find(({ run }) => run === change?.after.run);
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      <PlainText text={trend.target} className="text-quiet" />
      <Sparkline points={points} />
      {newest !== undefined && formatPercent(shownValue(newest).value.value ?? newest.value.value)}
      {change !== undefined && since !== undefined && (
        <span className={markColours[change.finding]}>
          <span aria-hidden>{changeMarks[change.finding]} </span>
          {change.finding} since {formatLocalTime(since.createdAt).slice(0, 10)}
        </span>
      )}
    </span>
  );
}

const [sparkWidth, sparkHeight] = [96, 20];

/** The values of a trend as a line without axes; the text next to it says what matters. */
function Sparkline({ points }: { readonly points: readonly TrendPoint[] }) {
  const values = points.map((point) => shownValue(point).value.value ?? point.value.value ?? 0);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const x = (index: number): number => 2 + (index / Math.max(1, values.length - 1)) * (sparkWidth - 4);
  const y = (value: number): number =>
    high === low ? sparkHeight / 2 : 3 + ((high - value) / (high - low)) * (sparkHeight - 6);
  const line = values.map((value, index) => `${x(index).toFixed(1)},${y(value).toFixed(1)}`).join(' ');
  return (
    <svg aria-hidden width={sparkWidth} height={sparkHeight} className="shrink-0">
      <polyline points={line} fill="none" className="stroke-accent" strokeWidth={1.5} />
    </svg>
  );
}

/** Returns the newest run of each trend. */
function newestRuns(trends: readonly Trend[]): string[] {
  return [...new Set(trends.flatMap((trend) => measuredPoints(trend).at(-1)?.run ?? []))];
}

interface MetricCardsOptions extends HistoryOptions {
  /** The runs whose metrics have a card each. */
  readonly runs: readonly string[];
  /** The metrics that have one already. */
  readonly shown: readonly string[];
}

/** A card for each metric of some runs that is a share, as soon as they are read. */
function MetricCards({ choice, runs: [run, ...others], shown }: MetricCardsOptions) {
  if (run === undefined) return null;
  return <MetricCardsOf key={run} choice={choice} run={run} others={others} shown={shown} />;
}

interface RunCardsOptions extends Omit<MetricCardsOptions, 'runs'> {
  readonly run: string;
  readonly others: readonly string[];
}

/** The cards of the metrics of one run, and then of the other runs. */
function MetricCardsOf({ choice, run, others, shown }: RunCardsOptions) {
  const { data: view, isPending } = useRun(run);
  if (isPending) return null;
  const names = (view?.summary?.targets ?? []).flatMap(({ metrics }) =>
    metrics.filter(({ unit }) => unit === undefined).map(({ metric }) => metric),
  );
  const added = [...new Set(names)].filter((name) => !shown.includes(name));
  return (
    <>
      {added.map((metric) => (
        <MetricCard key={metric} choice={choice} metric={metric} />
      ))}
      <MetricCards choice={choice} runs={others} shown={[...shown, ...added]} />
    </>
  );
}

function MetricCard({ choice, metric }: HistoryOptions & { readonly metric: string }) {
  const { data } = useTrends({ ...choice, metric });
  return (data?.trends ?? [])
    .filter(isShown)
    .slice(0, mostTargets)
    .map((trend) => <TrendCard key={trend.target} trend={trend} metric={metric} />);
}

function TrendCard({ trend, metric }: { readonly trend: Trend; readonly metric?: string }) {
  const points = measuredPoints(trend);
  const newest = points.at(-1);
  const changes = changesOf(trend);
  const why = whyNotSearched(
    trend.searches.filter(({ measure }) => measure === 'score' || measure === 'metric'),
  );
  return (
    <article className="min-w-0 rounded-lg border border-line p-4">
      <h2 className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="wrap-anywhere">
          <PlainText text={metric ?? trend.target} className="font-medium" />
          {metric !== undefined && (
            <span className="text-quiet">
              {' '}
              <PlainText text={trend.target} />
            </span>
          )}
        </span>
        {newest !== undefined && <ReviewedValueText {...newest} />}
      </h2>
      <div className="mt-2">
        <TrendPlot measure={metric} target={trend.target} points={points} changes={changes} />
      </div>
      {changes.slice(-2).map((found) => (
        <ChangeLine key={`${found.search.series} ${found.change.after.run}`} found={found} points={points} />
      ))}
      {changes.length === 0 && (
        <p className="mt-1 text-xs text-quiet">
          {why === undefined ? 'No change is visible.' : <PhraseText phrase={why} />}
        </p>
      )}
    </article>
  );
}

type FoundChange = ReturnType<typeof changesAt>[number];

/** A change: its size, the day since which it holds, and the runs between which it lies. */
function ChangeLine({
  found,
  points,
}: {
  readonly found: FoundChange;
  readonly points: readonly TrendPoint[];
}) {
  const { before, after, earliest, latest, finding } = found.change;
  const since = points.find(({ run }) => run === after.run);
  const isCertain = earliest.run === before.run && latest.run === after.run;
  return (
    <p className="mt-1 text-xs">
      <span className={markColours[finding]}>
        {changeMarks[finding]} <PhraseText phrase={changeSize(found)} />
      </span>{' '}
      since {since !== undefined && <strong>{formatLocalTime(since.createdAt).slice(0, 10)}</strong>}, between{' '}
      <PlaceLink run={before.run} points={points} /> and <PlaceLink run={after.run} points={points} />
      {!isCertain && (
        <>
          {' '}
          (it may lie anywhere from <PlaceLink run={earliest.run} points={points} /> to{' '}
          <PlaceLink run={latest.run} points={points} />)
        </>
      )}
    </p>
  );
}

function PlaceLink({ run, points }: { readonly run: string; readonly points: readonly TrendPoint[] }) {
  const point = points.find((each) => each.run === run);
  return (
    <Link to="/runs/$run" params={{ run }} className="link">
      <PlainText text={point === undefined ? run : nameOfPoint(point)} />
    </Link>
  );
}
