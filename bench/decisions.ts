// `node bench/decisions.ts`: measures how often gates and comparisons decide wrongly at their limit, compared with the
// 5 % that they state, and how often they decide rightly near it. See docs/intervals.md.
import { parseArgs } from 'node:util';
import { clusterInterval } from '../src/core/stats/cluster-interval.ts';
import { meanInterval } from '../src/core/stats/mean-interval.ts';
import { boundedMeanBounds } from '../src/core/stats/means/bounded-mean.ts';
import { createRandom, type Random } from '../src/core/stats/random.ts';
import { formatTable } from './format-table.ts';

const { values: options } = parseArgs({ options: { runs: { type: 'string', default: '2000' } } });
const runs = Number(options.runs);

interface Sample {
  readonly values: readonly number[];
  readonly clusters?: readonly number[];
}

interface Kind {
  readonly name: string;
  readonly draw: (n: number, random: Random) => Sample;
  /** The true mean; a gate at exactly this threshold must not pass. */
  readonly mean: number;
  readonly range: readonly [number, number];
}

const shares = [0, 1] as const;
const differences = [-1, 1] as const;
const list = (n: number, value: () => number) => Array.from({ length: n }, value);

/** Returns scores of 0.95 to 1, of which a few are 0. */
function rare(share: number): Kind {
  return {
    name: `${100 * share} % are 0, others 0.95 to 1`,
    draw: (n, random) => ({
      values: list(n, () => (random.next() < share ? 0 : 0.95 + 0.05 * random.next())),
    }),
    mean: (1 - share) * 0.975,
    range: shares,
  };
}

const scores: readonly Kind[] = [
  rare(0.02),
  rare(0.05),
  rare(0.2),
  {
    name: 'even from 0 to 1',
    draw: (n, random) => ({ values: list(n, () => random.next()) }),
    mean: 0.5,
    range: shares,
  },
  {
    name: 'difference: 5 % fall from 1 to 0, else ± 0.01',
    draw: (n, random) => ({
      values: list(n, () => (random.next() < 0.05 ? -1 : 0.02 * random.next() - 0.01)),
    }),
    mean: -0.05,
    range: differences,
  },
  {
    name: 'difference: −0.05 ± 0.2',
    draw: (n, random) => ({ values: list(n, () => 0.4 * random.next() - 0.25) }),
    mean: -0.05,
    range: differences,
  },
];

/** Returns scores that are bad for whole documents; `sizes` is the number of questions of each. */
function documents(name: string, sizesOf: (n: number) => readonly number[], bad: number): Kind {
  return {
    name: `${name}, ${100 * bad} % of them bad`,
    draw: (n, random) => {
      const each = sizesOf(n).map((size, place) => ({ size, place, isBad: random.next() < bad }));
      return {
        values: each.flatMap(({ size, isBad }) => list(size, () => (isBad ? 0 : 0.9) + 0.1 * random.next())),
        clusters: each.flatMap(({ size, place }) => list(size, () => place)),
      };
    },
    mean: 0.05 * bad + 0.95 * (1 - bad),
    range: shares,
  };
}

const clustered: readonly Kind[] = [
  documents('documents of 6', (n) => list(n, () => 6), 0.15),
  documents('documents of 6', (n) => list(n, () => 6), 0.5),
  documents('one of 30, others of 2', (n) => [30, ...list(n - 1, () => 2)], 0.5),
  documents('one of 30, others of 2', (n) => [30, ...list(n - 1, () => 2)], 0.15),
];

const confidence = 0.95;

function lowerByT({ values, clusters }: Sample): number {
  const twoSided = { values, confidence: 2 * confidence - 1 };
  const interval =
    clusters === undefined
      ? meanInterval(twoSided)
      : clusterInterval({ ...twoSided, clusters, correction: 'CR1' });
  return interval.lower ?? Number.NEGATIVE_INFINITY;
}

function lowerByShares({ values, clusters }: Sample, range: readonly [number, number]): number {
  return boundedMeanBounds({ values, clusters, range, confidence }).lower ?? Number.NEGATIVE_INFINITY;
}

/** Counts the runs of 100 whose lower bound reaches a threshold. */
function passes({ draw, range, name }: Kind, n: number, threshold: number): readonly [string, string] {
  const random = createRandom(`${name} ${n}`);
  let [byT, byGate] = [0, 0];
  for (let run = 0; run < runs; run += 1) {
    const sample = draw(n, random);
    byT += Number(lowerByT(sample) > threshold);
    byGate += Number(lowerByShares(sample, range) > threshold);
  }
  return [((100 * byT) / runs).toFixed(1), ((100 * byGate) / runs).toFixed(1)];
}

function table(kinds: readonly Kind[], sizes: readonly number[], room: number): string {
  return formatTable(
    ['values', 'bound', ...sizes.map(String)],
    kinds.flatMap((kind) => {
      const cells = sizes.map((n) => passes(kind, n, kind.mean - room));
      return [
        [kind.name, 't', ...cells.map(([t]) => t)],
        ['', 'the gate', ...cells.map(([, gate]) => gate)],
      ];
    }),
  );
}

/** Counts the misses of two-sided 95 % intervals of a true mean of 0.5, in clusters of which half are 1 and half 0. */
function missed(sizes: readonly number[]): readonly string[] {
  const random = createRandom(sizes.join('/'));
  const clusters = sizes.flatMap((size, place) => list(size, () => place));
  const wrong = { CR1: 0, CR2: 0 };
  for (let run = 0; run < runs; run += 1) {
    const means = sizes.map(() => random.next());
    const values = clusters.map((cluster) => means[cluster] as number);
    for (const correction of ['CR1', 'CR2'] as const) {
      const { lower, upper } = clusterInterval({ values, clusters, correction });
      if (lower === null || lower > 0.5 || upper < 0.5) wrong[correction] += 1;
    }
  }
  return [sizes.join(', '), ...[wrong.CR1, wrong.CR2].map((count) => ((100 * count) / runs).toFixed(1))];
}

console.log(
  `Passed wrongly, the true mean being at the threshold, of ${runs} runs, per cent, by the number of cases:\n`,
);
console.log(table(scores, [20, 50, 100, 200], 0));
console.log('\nThe same by the number of documents:\n');
console.log(table(clustered, [3, 5, 10, 20, 50], 0));
console.log('\nPassed rightly, the true mean being 5 points above the threshold, per cent:\n');
console.log(table(scores, [20, 50, 100, 200, 500], 0.05));
console.log(
  '\nIntervals of a mean that miss it (5 % stated), by the sizes of clusters whose questions all agree:\n',
);
console.log(
  formatTable(
    ['sizes', 'CR1, t on G − 1', 'CR2, Satterthwaite'],
    [
      [10, 10, 10, 10, 10],
      [30, 2, 2, 2, 2, 2],
      [30, 20, 10, 5, 5, 5, 5, 5],
      [...list(19, () => 3), 60],
    ].map(missed),
  ),
);
