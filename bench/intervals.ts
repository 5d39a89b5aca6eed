// `node bench/intervals.ts`: measures how often the 95 % intervals of mean scores cover the true mean, and how often
// versions of equal mean are called better, compared with Student's t. See docs/intervals.md.
import { parseArgs } from 'node:util';
import { createDifferenceTally, testDifferences } from '../src/decide/analysis/compare/differences.ts';
import { meanInterval } from '../src/core/stats/mean-interval.ts';
import { boundedMeanInterval } from '../src/core/stats/means/bounded-mean.ts';
import { pairedT } from '../src/core/stats/paired/differences.ts';
import { createRandom, type Random } from '../src/core/stats/random.ts';
import { formatTable } from './format-table.ts';

const { values: options } = parseArgs({ options: { runs: { type: 'string', default: '2000' } } });
const runs = Number(options.runs);
const sizes = [10, 20, 50, 200];

interface Scores {
  readonly name: string;
  readonly draw: (random: Random) => number;
  readonly mean: number;
}

/** Returns scores of 0.95 to 1, of which a few are 0. */
function rare(share: number): Scores {
  return {
    name: `${100 * share} % are 0, others 0.95 to 1`,
    draw: (random) => (random.next() < share ? 0 : 0.95 + 0.05 * random.next()),
    mean: (1 - share) * 0.975,
  };
}

/** Returns grades of a judge on a scale of 0, ¼, ½, ¾ and 1. */
function graded(name: string, chances: readonly number[]): Scores {
  const mean = chances.reduce((sum, chance, place) => sum + (chance * place) / 4, 0);
  const draw = (random: Random) => {
    let left = random.next();
    return (
      Math.max(
        0,
        chances.findIndex((chance) => (left -= chance) < 0),
      ) / 4
    );
  };
  return { name, mean, draw };
}

const distributions: readonly Scores[] = [
  rare(0.02),
  rare(0.05),
  rare(0.2),
  graded('scale of five, 2 % lowest, 95 % highest', [0.02, 0, 0, 0.03, 0.95]),
  graded('scale of five, from 5 to 60 %', [0.05, 0.05, 0.1, 0.2, 0.6]),
  { name: 'even from 0 to 1', draw: (random) => random.next(), mean: 0.5 },
  { name: 'even from 0.9 to 1', draw: (random) => 0.9 + 0.1 * random.next(), mean: 0.95 },
];

interface Limits {
  readonly lower: number | null;
  readonly upper: number | null;
}

function covers({ lower, upper }: Limits, mean: number): number {
  return Number(lower !== null && upper !== null && lower <= mean && mean <= upper);
}

function widthOf({ lower, upper }: Limits): number {
  return (upper ?? 1) - (lower ?? 0);
}

/** Measures the coverage of both methods in per cent, and their mean widths in points. */
function measureCoverage({ name, draw, mean }: Scores, n: number) {
  const random = createRandom(`${name} ${n}`);
  const total = { t: 0, gaffke: 0, widthOfT: 0, widthOfGaffke: 0 };
  for (let run = 0; run < runs; run += 1) {
    const values = Array.from({ length: n }, () => draw(random));
    const [t, gaffke] = [meanInterval({ values }), boundedMeanInterval({ values })];
    total.t += covers(t, mean);
    total.gaffke += covers(gaffke, mean);
    total.widthOfT += widthOf(t);
    total.widthOfGaffke += widthOf(gaffke);
  }
  const percent = (sum: number) => ((100 * sum) / runs).toFixed(1);
  return {
    t: percent(total.t),
    gaffke: percent(total.gaffke),
    widthOfT: percent(total.widthOfT),
    widthOfGaffke: percent(total.widthOfGaffke),
  };
}

console.log(`Coverage of 95 % intervals of ${runs} runs, per cent, with the mean width in points:\n`);
console.log(
  formatTable(
    ['scores', 'method', ...sizes.map(String)],
    distributions.flatMap((scores) => {
      const cells = sizes.map((n) => measureCoverage(scores, n));
      return [
        [scores.name, 't', ...cells.map(({ t, widthOfT }) => `${t} (${widthOfT})`)],
        ['', 'gaffke', ...cells.map(({ gaffke, widthOfGaffke }) => `${gaffke} (${widthOfGaffke})`)],
      ];
    }),
  ),
);

/** Draws a pair: the newer version gains 0.045 on 19 of 20 questions and loses 0.855 on the others; the means are equal. */
function drawPair(random: Random): readonly [number, number] {
  const older = 0.85 + 0.02 * random.next();
  return [older, random.next() < 0.05 ? older - 0.855 + 0.01 * (random.next() - 0.5) : older + 0.045];
}

function findWrong(n: number) {
  const random = createRandom(`equal means ${n}`);
  const wrong = { t: 0, better: 0, onMost: 0 };
  for (let run = 0; run < runs; run += 1) {
    const pairs = Array.from({ length: n }, () => drawPair(random));
    const tally = createDifferenceTally();
    for (const [older, newer] of pairs) tally.add([older, newer], undefined);
    const t = pairedT({ a: pairs.map(([, newer]) => newer), b: pairs.map(([older]) => older) });
    const { estimate, pValue, signPValue } = testDifferences(tally.summarize());
    // Differences that are all equal have no t; its p-value was that of so many equal signs.
    const ofT = t.pValue ?? 2 ** (1 - n);
    wrong.t += Number(ofT < 0.05 && (t.estimate ?? 0) > 0);
    const isBetter = pValue !== null && pValue < 0.05 && (estimate.value ?? 0) > 0;
    wrong.better += Number(isBetter);
    wrong.onMost += Number(!isBetter && (signPValue ?? 1) < 0.05 && (estimate.value ?? 0) > 0);
  }
  return [wrong.t, wrong.better, wrong.onMost].map((count) => ((100 * count) / runs).toFixed(1));
}

console.log('\nCalled better although the means are equal and one question in twenty breaks, per cent:\n');
console.log(
  formatTable(
    ['questions', 't', '“better”', '“better on most questions”'],
    [5, 10, 20, 50, 100, 200].map((n) => [String(n), ...findWrong(n)]),
  ),
);
