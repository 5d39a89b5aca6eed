// `node bench/weights.ts`: measures how often 95 % intervals of weighted means cover the true mean, for mild and wild
// weights. See docs/intervals.md.
import { parseArgs } from 'node:util';
import { normalQuantile } from '../src/core/stats/normal.ts';
import { wilsonInterval } from '../src/core/stats/proportion-interval.ts';
import { createBoundedMeans } from '../src/core/stats/means/bounded-means.ts';
import { meanOfClusters, shareOfClusters } from '../src/core/stats/means/mean-of-clusters.ts';
import { createRandom, type Random } from '../src/core/stats/random.ts';
import { formatTable } from './format-table.ts';

const { values: options } = parseArgs({ options: { runs: { type: 'string', default: '2000' } } });
const runs = Number(options.runs);
const sizes = [10, 20, 50, 200];

/** A case: its weight, and a value that may depend on it. */
interface Drawn {
  readonly weight: number;
  readonly value: number;
}

interface Population {
  readonly name: string;
  readonly draw: (random: Random) => Drawn;
}

const weightings = {
  'weights 1 to 3': (random: Random) => 1 + 2 * random.next(),
  'weights 1 to 50': (random: Random) => 50 ** random.next(),
  'one in ten weighs 50': (random: Random) => (random.next() < 0.1 ? 50 : 1),
};

/** The values of a case by its weight. */
const valuations: Readonly<Record<string, (random: Random, weight: number) => number>> = {
  '0 or 1, 90 % are 1': (random) => Number(random.next() < 0.9),
  '0 or 1, 50 % are 1': (random) => Number(random.next() < 0.5),
  '0 or 1, heavy cases fail more': (random, weight) => Number(random.next() < 0.95 - 0.3 * (weight / 50)),
  '2 % are 0, others 0.95 to 1': (random) => (random.next() < 0.02 ? 0 : 0.95 + 0.05 * random.next()),
  'even from 0.9 to 1': (random) => 0.9 + 0.1 * random.next(),
};

const populations = Object.entries(weightings).flatMap(([of, weigh]) =>
  Object.entries(valuations).map(
    ([name, value]): Population => ({
      name: `${of}; ${name}`,
      draw: (random) => {
        const weight = weigh(random);
        return { weight, value: value(random, weight) };
      },
    }),
  ),
);

/** Returns the weighted mean of a population, from a million cases. */
function meanOf({ name, draw }: Population): number {
  const random = createRandom(`mean ${name}`);
  let [sum, total] = [0, 0];
  for (let count = 0; count < 1_000_000; count += 1) {
    const { weight, value } = draw(random);
    sum += weight * value;
    total += weight;
  }
  return sum / total;
}

interface Limits {
  readonly lower: number | null;
  readonly upper: number | null;
}

function covers({ lower, upper }: Limits, mean: number): number {
  return Number(lower !== null && upper !== null && lower - 1e-9 <= mean && mean <= upper + 1e-9);
}

/** Returns Wilson's interval for Kish's effective number of cases, and the given mean. */
function wilsonOfKish(mean: number, effective: number): Limits {
  return wilsonInterval({ successes: mean * effective, trials: effective, confidence: 0.95 });
}

/** Measures the coverage of each method in per cent, and the mean width of Gaffke's in points. */
function measureCoverage(population: Population, n: number, mean: number) {
  const random = createRandom(`${population.name} ${n}`);
  const total = { gaffke: 0, effective: 0, kish: 0, t: 0, width: 0, cases: 0 };
  for (let run = 0; run < runs; run += 1) {
    const means = createBoundedMeans();
    for (let count = 0; count < n; count += 1) {
      const { value, weight } = population.draw(random);
      means.add(value, undefined, weight);
    }
    const moments = means.current();
    const gaffke = means.interval(0.95) ?? { lower: null, upper: null };
    total.gaffke += covers(gaffke, mean);
    total.effective += covers(shareOfClusters(moments), mean);
    total.kish += covers(wilsonOfKish(moments.mean, moments.effectiveCases ?? n), mean);
    total.t += covers(meanOfClusters(moments), mean);
    total.width += (gaffke.upper ?? 1) - (gaffke.lower ?? 0);
    total.cases += moments.effectiveCases ?? n;
  }
  const percent = (sum: number) => ((100 * sum) / runs).toFixed(1);
  return [
    percent(total.gaffke),
    percent(total.effective),
    percent(total.kish),
    percent(total.t),
    percent(total.width),
    (total.cases / runs).toFixed(1),
  ];
}

const rows = populations.flatMap((population) => {
  const mean = meanOf(population);
  return sizes.map((n) => [population.name, String(n), ...measureCoverage(population, n, mean)]);
});
console.log(`Coverage in %, over ${runs} samples; normal quantile ${normalQuantile(0.975).toFixed(3)}`);
console.log(
  formatTable(
    ['cases', 'n', 'Gaffke', 'effective Wilson', 'Kish Wilson', 'weighted t', 'width', 'effective n'],
    rows,
  ),
);
