// `node bench/trends.ts`: measures how often `changePoints` marks series without a shift, and series with one. See
// docs/intervals.md.
import { parseArgs } from 'node:util';
import { createRandom, type Random } from '../src/core/stats/random.ts';
import { changePoints } from '../src/core/stats/trends/change-points.ts';
import { formatTable } from './format-table.ts';

/** The variation of the runs of a series; sizes are in standard deviations of its usual runs. */
interface Noise {
  readonly name: string;
  readonly correlation: number;
  /** The share of outliers, and their distance. */
  readonly outliers: number;
  readonly distance: number;
}

const { values } = parseArgs({
  options: { series: { type: 'string', default: '2000' }, runs: { type: 'string', default: '30' } },
});
const series = Number(values.series);
const runs = Number(values.runs);

const plain = { correlation: 0, outliers: 0, distance: 0 };
const noises: readonly Noise[] = [
  { ...plain, name: 'normal' },
  // Times that vary by 5 % from run to run: ln 2 ÷ 0.05.
  { ...plain, name: '10 % twice as slow', outliers: 0.1, distance: Math.LN2 / 0.05 },
  { ...plain, name: '20 % twice as slow', outliers: 0.2, distance: Math.LN2 / 0.05 },
  { ...plain, name: 'correlated by 0.3', correlation: 0.3 },
  { ...plain, name: 'correlated by 0.5', correlation: 0.5 },
  {
    name: 'correlated by 0.5, 10 % twice as slow',
    correlation: 0.5,
    outliers: 0.1,
    distance: Math.LN2 / 0.05,
  },
  { ...plain, name: 'correlated by 0.7', correlation: 0.7 },
];

console.log(`False marks in ${series} series of ${runs} runs without a shift, per cent:\n`);
console.log(
  formatTable(
    [
      'runs vary',
      'noise estimated, one look',
      `a look after each of ${runs}`,
      'noise given, one look',
      `a look after each of ${runs} `,
    ],
    noises.map((noise) => [
      noise.name,
      ...[false, true].flatMap((isGiven) => [falseMarks(noise, isGiven, [runs]), falseMarks(noise, isGiven)]),
    ]),
  ),
);

const afters = [1, 2, 3, 4, 5, 7, 10];
console.log(
  '\nSeries that are marked where all runs from the 21st on are shifted, per cent, by how many of these were seen:\n',
);
const shifted = [noises[0], noises[1], noises[4]] as readonly Noise[];
console.log(
  formatTable(
    ['noise', 'runs vary', 'shift', ...afters.map(String), 'interval holds the shift'],
    [true, false].flatMap((isGiven) =>
      (isGiven ? shifted.slice(0, 1) : shifted).flatMap((noise) =>
        (isGiven ? [1.5, 2, 3, 5] : [2, 3, 5, 8]).map((shift) => [
          isGiven ? 'given' : 'estimated',
          noise.name,
          String(shift),
          ...afters.map((after) => percent(power({ noise, isGiven, shift, after }).marked)),
          percent(power({ noise, isGiven, shift, after: 10 }).held),
        ]),
      ),
    ),
  ),
);

function falseMarks(noise: Noise, isGiven: boolean, looks = countsUpTo(runs)): string {
  let marked = 0;
  for (let round = 0; round < series; round += 1) {
    const drawn = draw(noise, runs, createRandom(`${noise.name} ${round}`));
    if (looks.some((look) => marksOf(drawn.slice(0, look), isGiven).length > 0)) marked += 1;
  }
  return percent(marked / series);
}

function power({
  noise,
  isGiven,
  shift,
  after,
}: {
  noise: Noise;
  isGiven: boolean;
  shift: number;
  after: number;
}) {
  let [marked, held] = [0, 0];
  const rounds = series / 4;
  for (let round = 0; round < rounds; round += 1) {
    const drawn = draw(noise, 20 + after, createRandom(`${noise.name} ${round}`));
    const marks = marksOf(
      drawn.map((value, run) => (run < 20 ? value : value + shift)),
      isGiven,
    );
    if (marks.length > 0) marked += 1;
    if (marks.length === 1 && marks.some(({ lower, upper }) => lower <= shift && upper >= shift)) held += 1;
  }
  return { marked: marked / rounds, held: held / Math.max(1, marked) };
}

function marksOf(drawn: readonly number[], isGiven: boolean) {
  const standardErrors = isGiven ? { standardErrors: drawn.map(() => 1) } : {};
  return changePoints({ values: drawn, looks: runs, ...standardErrors }).changePoints ?? [];
}

function draw({ correlation, outliers, distance }: Noise, count: number, random: Random): number[] {
  let state = nextNormal(random);
  return Array.from({ length: count }, () => {
    state = correlation * state + Math.sqrt(1 - correlation ** 2) * nextNormal(random);
    return random.next() < outliers ? state + distance : state;
  });
}

function nextNormal(random: Random): number {
  return Math.sqrt(-2 * Math.log1p(-random.next())) * Math.cos(2 * Math.PI * random.next());
}

function countsUpTo(most: number): number[] {
  return Array.from({ length: most }, (_, index) => index + 1);
}

function percent(share: number): string {
  return (100 * share).toFixed(1);
}
