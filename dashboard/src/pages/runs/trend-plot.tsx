import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import {
  formatCount,
  formatPercent,
  hasInterval,
  missing,
  shortCommit,
} from '../../../../src/look/report/format.ts';
import { shownValue } from '../../../../src/look/report/score-in-words.ts';
import { breakPhrase, changeMarks, type changesAt } from '../../../../src/look/report/trends.ts';
import type { TrendPoint } from '../../../../src/core/schema/trends.ts';
import { LeftAxis } from '../../parts/charts/axes.tsx';
import { Chart } from '../../parts/charts/chart.tsx';
import { createScale, domainOf, type Scale } from '../../parts/charts/scale.ts';
import { PhraseText } from '../../parts/phrase-text.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { ReviewedValueText } from '../../parts/score-text.tsx';
import { formatLocalTime, TimeText } from '../../parts/time-text.tsx';

interface TrendPlotOptions {
  /** The metric that is drawn; the score by default. */
  readonly measure?: string;
  readonly target: string;
  /** The runs with a value, the oldest first. */
  readonly points: readonly TrendPoint[];
  readonly changes: ReturnType<typeof changesAt>;
}

const height = 170;
const margin = { top: 26, right: 12, bottom: 20, left: 52 };
const [top, bottom] = [margin.top, height - margin.bottom];

/** The score of a target from run to run: intervals, marks where it changed, and a gap between runs that cannot be compared. */
export function TrendPlot({ measure, target, points, changes }: TrendPlotOptions) {
  const title = measure ?? 'Score';
  const changed = new Map(changes.map(({ change }) => [change.after.run, change.finding]));
  const limits = points.flatMap((point) => {
    const { value, said } = shownValue(point);
    return [value.lower, value.upper, value.value, said?.value ?? null];
  });
  const [low, high] = domainOf(limits, 3);
  const y = createScale([Math.max(0, low), Math.min(1, high)], [bottom, top], 3);
  return (
    <Chart
      title={`${title} of ${target}, run by run`}
      label={`${title} of ${target} over ${points.length} runs`}
      height={height}
      note={noteOf(points)}
      table={{
        columns: ['Run', 'Started', 'Commit', title, 'n', 'Change'],
        rows: points.toReversed().map((point) => rowOf(point, changed.get(point.run))),
      }}
    >
      {(width) => {
        const x = createScale(
          [0, Math.max(1, points.length - 1)],
          [margin.left + 8, width - margin.right - 6],
        );
        return (
          <>
            <LeftAxis
              scale={y}
              from={margin.left}
              to={width - margin.right}
              format={(share) => `${Number((100 * share).toFixed(1))} %`}
              // The card of a metric has its name as its title.
              name={measure === undefined ? 'score' : undefined}
            />
            <Ends points={points} width={width} />
            {points.map((point, index) => (
              <Point
                key={point.run}
                point={point}
                before={points[index - 1]}
                index={index}
                scales={{ x, y }}
                finding={changed.get(point.run)}
              />
            ))}
          </>
        );
      }}
    </Chart>
  );
}

function noteOf(points: readonly TrendPoint[]): string | undefined {
  const isBroken = points.some((point, index) => index > 0 && !isJoined(point, points[index - 1]));
  const isJudged = points.some((point) => shownValue(point).said !== undefined);
  const notes = [
    ...(points.some(({ leftOut }) => leftOut !== undefined)
      ? ['Ring: not compared, such as a run of which less than 90 % was measured; the table says why.']
      : []),
    ...(isBroken
      ? ['Dashed line: the runs before and after it cannot be compared; the table says why.']
      : []),
    ...(isJudged
      ? ['Filled: what people would say, by the certificate of the judge. Hollow: the judge.']
      : []),
  ];
  return notes.length === 0 ? undefined : notes.join(' ');
}

type Finding = keyof typeof changeMarks;

function rowOf(point: TrendPoint, finding: Finding | undefined): ReactNode[] {
  const { run, createdAt, git, measured, planned } = point;
  return [
    <Link key="run" to="/runs/$run" params={{ run }} className="link whitespace-nowrap">
      <PlainText text={nameOfPoint(point)} />
    </Link>,
    <TimeText key="time" at={createdAt} />,
    git === undefined ? missing : <PlainText key="git" text={shortCommit(git)} />,
    <ReviewedValueText key="score" {...point} />,
    `${formatCount(measured)}/${formatCount(planned)}`,
    <Change key="change" point={point} finding={finding} />,
  ];
}

function Change({
  point: { breaks, leftOut },
  finding,
}: {
  point: TrendPoint;
  finding: Finding | undefined;
}) {
  return (
    <>
      {finding !== undefined && `${changeMarks[finding]} ${finding}`}
      {leftOut !== undefined && <PlainText text={`not compared: ${leftOut}`} />}
      {leftOut === undefined && breaks.length > 0 && (
        <>
          not comparable with earlier runs: <PhraseText phrase={breakPhrase(breaks)} />
        </>
      )}
    </>
  );
}

/** The days of the first and the last run, below the drawing; their times where both are of one day. */
function Ends({ points, width }: { readonly points: readonly TrendPoint[]; readonly width: number }) {
  const days = new Set(points.map(({ createdAt }) => formatLocalTime(createdAt).slice(0, 10)));
  const format = (at: string) => formatLocalTime(at).slice(0, days.size > 1 ? 10 : undefined);
  const textOf = (point: TrendPoint | undefined) => (point === undefined ? '' : format(point.createdAt));
  return (
    <g aria-hidden="true" className="fill-quiet">
      <text x={margin.left} y={height - 4}>
        {textOf(points[0])}
      </text>
      <text x={width - margin.right} y={height - 4} textAnchor="end">
        {textOf(points.at(-1))}
      </text>
    </g>
  );
}

/** Returns whether a run belongs to the same series as the one before it. */
function isJoined({ series }: TrendPoint, before: TrendPoint | undefined): boolean {
  return series !== null && before?.series === series;
}

interface PointOptions {
  readonly point: TrendPoint;
  readonly before: TrendPoint | undefined;
  readonly index: number;
  readonly scales: { readonly x: Scale; readonly y: Scale };
  readonly finding: Finding | undefined;
}

/** Returns the colours of the mark of a run: a ring where it does not belong to the series. */
function lookOf({ leftOut }: TrendPoint, finding: Finding | undefined): string {
  if (leftOut !== undefined) return 'fill-page stroke-accent';
  return finding === undefined ? 'fill-accent' : fills[finding];
}

/** Returns the name of a run, else its id: a name that was imported may be one that cannot be seen. */
export function nameOfPoint({ run, name = '' }: TrendPoint): string {
  return name.trim() === '' ? run : name;
}

/** A run with its interval, joined to the run before it if both can be compared. */
function Point({ point, before, index, scales: { x, y }, finding }: PointOptions) {
  const { value, said } = shownValue(point);
  const { value: earlier } = before === undefined ? { value: undefined } : shownValue(before);
  const isLine = before !== undefined && isJoined(point, before);
  return (
    <g>
      {isLine && isKnown(value.value) && isKnown(earlier?.value) && (
        <line
          x1={x(index - 1)}
          y1={y(earlier.value)}
          x2={x(index)}
          y2={y(value.value)}
          className="stroke-quiet"
        />
      )}
      {before !== undefined && !isLine && (
        <line
          x1={x(index - 0.5)}
          x2={x(index - 0.5)}
          y1={top}
          y2={bottom}
          className="stroke-quiet"
          strokeDasharray="2 3"
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
      {isKnown(said?.value) && (
        <circle cx={x(index)} cy={y(said.value)} r={3} className="fill-page stroke-quiet">
          <title>{`${nameOfPoint(point)}: judge says ${formatPercent(said.value)}`}</title>
        </circle>
      )}
      {isKnown(value.value) && (
        <circle cx={x(index)} cy={y(value.value)} r={3.5} className={lookOf(point, finding)}>
          <title>{`${nameOfPoint(point)}: ${formatPercent(value.value)}`}</title>
        </circle>
      )}
      {finding !== undefined && (
        <text x={x(index)} y={top - 6} textAnchor="middle" className={fills[finding]}>
          {changeMarks[finding]}
        </text>
      )}
    </g>
  );
}

function isKnown(value: number | null | undefined): value is number {
  return typeof value === 'number';
}

const fills = { better: 'fill-good', worse: 'fill-bad', different: 'fill-unsure' } as const;
