// `node bench/failure-modes.ts`: measures how often the intervals of failure modes contain the truth: of parts of a run by exact
// enumeration, of several answers a question, of kinds not seen and of two readers by simulation. `--rounds 2000`. See bench/NOTES.md.
import { parseArgs } from 'node:util';
import { createRandom, type Random } from '../src/core/stats/random.ts';
import { hypergeometricProbability } from '../src/core/stats/shares/hypergeometric.ts';
import { cohensKappa } from '../src/core/stats/agreement/cohens-kappa.ts';
import { shareInRun, stratifiedShare } from '../src/core/stats/shares/share-in-run.ts';
import { shareOfCases } from '../src/core/stats/shares/share-of-cases.ts';
import { unseenShare } from '../src/core/stats/shares/unseen-share.ts';
import { formatTable } from './format-table.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '2000' } } });
const rounds = Number(values.rounds);
const percent = (share: number) => (100 * share).toFixed(1);

/** Returns the coverage of a share over two parts of a run, by all that can be found in both. */
function coverageOfParts(
  sizes: readonly [number, number],
  read: readonly [number, number],
  marked: readonly [number, number],
) {
  const truth = (marked[0] + marked[1]) / (sizes[0] + sizes[1]);
  let [mover, normal] = [0, 0];
  for (let one = 0; one <= Math.min(read[0], marked[0]); one += 1) {
    for (let two = 0; two <= Math.min(read[1], marked[1]); two += 1) {
      const chance =
        hypergeometricProbability({ found: one, size: sizes[0], marked: marked[0], sampled: read[0] }) *
        hypergeometricProbability({ found: two, size: sizes[1], marked: marked[1], sampled: read[1] });
      if (chance < 1e-12) continue;
      const share = stratifiedShare({
        strata: [
          { successes: one, sampled: read[0], size: sizes[0] },
          { successes: two, sampled: read[1], size: sizes[1] },
        ],
      });
      const { estimate, lower, upper, standardError } = share;
      if ((lower ?? 0) <= truth + 1e-12 && truth <= (upper ?? 1) + 1e-12) mover += chance;
      if (Math.abs((estimate ?? 0) - truth) <= 1.96 * (standardError ?? 0) + 1e-12) normal += chance;
    }
  }
  return { mover, normal };
}

const frames = [
  { sizes: [80, 320], read: [40, 40] },
  { sizes: [40, 160], read: [30, 30] },
  { sizes: [150, 850], read: [50, 50] },
] as const;
const shares = [0.05, 0.2, 0.5].flatMap((failed) =>
  [0.005, 0.02, 0.05].map((passed) => [failed, passed] as const),
);
const parts = frames.flatMap(({ sizes, read }) =>
  shares.map(([failed, passed]) =>
    coverageOfParts(sizes, read, [Math.round(failed * sizes[0]), Math.round(passed * sizes[1])]),
  ),
);
console.log(`Parts of a run, ${parts.length} populations, least coverage of 95 %:`);
console.log(
  `  MOVER ${percent(Math.min(...parts.map(({ mover }) => mover)))} (reference 93.4), normal ${percent(Math.min(...parts.map(({ normal }) => normal)))} (16)\n`,
);

// The 27 populations of the reference are not stated, so all are enumerated in two frames: up to half of what failed, and a tenth of what passed.
for (const { sizes, read } of frames.slice(0, 2)) {
  const all = Array.from({ length: sizes[0] / 4 + 1 }, (_, half) => 2 * half).flatMap((failed) =>
    Array.from({ length: sizes[1] / 10 + 1 }, (_, passed) => [failed, passed] as const),
  );
  const covered = all
    .filter(([failed, passed]) => failed + passed > 0)
    .map((marked) => coverageOfParts(sizes, read, marked).mover);
  const below = covered.filter((coverage) => coverage < 0.934).length / covered.length;
  const mean = covered.reduce((sum, coverage) => sum + coverage, 0) / covered.length;
  console.log(
    `  ${read.join(' + ')} of ${sizes.join(' + ')}, ${covered.length} populations: MOVER at least ${percent(Math.min(...covered))}, below 93.4 in ${percent(below)} % of them, mean ${percent(mean)}`,
  );
}

/** Returns the coverage of the share of a run of which a part was read, by all numbers that can be found. */
function coverageOfRun(size: number, sampled: number, marked: number): number {
  let covered = 0;
  for (let found = Math.max(0, sampled + marked - size); found <= Math.min(sampled, marked); found += 1) {
    const { lower, upper } = shareInRun({ successes: found, sampled, size });
    const isIn = (lower ?? 0) <= marked / size + 1e-12 && marked / size <= (upper ?? 1) + 1e-12;
    if (isIn) covered += hypergeometricProbability({ found, size, marked, sampled });
  }
  return covered;
}

const ofRun = Array.from({ length: 121 }, (_, marked) => coverageOfRun(120, 40, marked));
console.log(
  `40 of 120 read, 121 populations, least coverage: ${(100 * Math.min(...ofRun)).toFixed(2)} % (reference 95.65)\n`,
);

/** Draws from a beta distribution with whole and half shapes, as the ratio of sums of squared normals. */
function drawBeta(random: Random, a: number, b: number): number {
  const gamma = (shape: number) => {
    // Marsaglia and Tsang (2000), for shapes below 1 by a power of a uniform.
    const d = (shape < 1 ? shape + 1 : shape) - 1 / 3;
    for (;;) {
      const z = Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
      const v = (1 + z / Math.sqrt(9 * d)) ** 3;
      if (v > 0 && Math.log(1 - random.next()) < 0.5 * z * z + d - d * v + d * Math.log(v))
        return d * v * (shape < 1 ? (1 - random.next()) ** (1 / shape) : 1);
    }
  };
  const x = gamma(a);
  return x / (x + gamma(b));
}

const cells = [20, 50].flatMap((cases) =>
  [0.1, 0.2, 0.5].flatMap((mean) => [0.2, 0.5].map((rho) => ({ cases, mean, rho }))),
);
const clustered = cells.map(({ cases, mean, rho }) => {
  const random = createRandom(7).fork(`${cases} ${mean} ${rho}`);
  const spread = 1 / rho - 1;
  let [covered, measured] = [0, 0];
  for (let round = 0; round < rounds; round += 1) {
    const counts = Array.from({ length: cases }, () => {
      const chance = drawBeta(random, mean * spread, (1 - mean) * spread);
      return { successes: [0, 1, 2].filter(() => random.next() < chance).length, answers: 3 };
    });
    const { lower, upper } = shareOfCases({ cases: counts });
    measured += 1;
    covered += Number((lower ?? 0) <= mean && mean <= (upper ?? 1));
  }
  return covered / measured;
});
console.log(
  `Three answers a question, ${clustered.length} cells × ${rounds}: ${percent(Math.min(...clustered))} to ${percent(Math.max(...clustered))} % (reference 90.9 to 96.0)\n`,
);

const zipf = (modes: number, power = 1) => Array.from({ length: modes }, (_, rank) => (rank + 1) ** -power);
const distributions: Readonly<Record<string, readonly number[]>> = {
  '3 equal': zipf(3, 0),
  '5 equal': zipf(5, 0),
  '10 equal': zipf(10, 0),
  '20 equal': zipf(20, 0),
  '50 equal': zipf(50, 0),
  '100 equal': zipf(100, 0),
  'Zipf 5': zipf(5),
  'Zipf 10': zipf(10),
  'Zipf 30': zipf(30),
  'Zipf 200': zipf(200),
  'Zipf² 30': zipf(30, 2),
  'one and a tail': [20, ...zipf(20, 0)],
};

/** The number of failures after which reading ends. */
const mostRead = 300;

/** Reads failures one by one until the limit is at most 10 %, looked at every ten from 20 on, and until 20 in a row bring nothing new. */
function readOn(random: Random, cumulated: readonly number[], weights: readonly number[]) {
  const counts = new Map<number, number>();
  const coverage = new Map<number, boolean>();
  const unseen = () => weights.reduce((sum, weight, mode) => (counts.has(mode) ? sum : sum + weight), 0);
  const limit = (failures: number) => {
    const all = [...counts.values()];
    const once = all.filter((count) => count === 1).length;
    return unseenShare({ failures, once, twice: all.filter((count) => count === 2).length }).upper;
  };
  let stop: { readonly at: number; readonly isWrong: boolean } | undefined;
  let usual: boolean | undefined;
  let streak = 0;
  for (let read = 1; read <= mostRead; read += 1) {
    const drawn = random.next();
    const mode = cumulated.findIndex((end) => drawn < end);
    streak = counts.has(mode) ? streak + 1 : 0;
    counts.set(mode, (counts.get(mode) ?? 0) + 1);
    if ([20, 50, 100, 200].includes(read)) coverage.set(read, unseen() <= limit(read));
    if (stop === undefined && read >= 20 && read % 10 === 0 && limit(read) <= 0.1)
      stop = { at: read, isWrong: unseen() > 0.1 };
    if (usual === undefined && streak >= 20) usual = unseen() > 0.1;
  }
  return { coverage, stop, usual };
}

const rows = Object.entries(distributions).map(([name, shape]) => {
  const all = shape.reduce((sum, weight) => sum + weight, 0);
  const weights = shape.map((weight) => weight / all);
  let end = 0;
  const cumulated = weights.map((weight) => (end += weight));
  cumulated[cumulated.length - 1] = 1;
  const random = createRandom(7).fork(name);
  const lives = Array.from({ length: rounds }, () => readOn(random, cumulated, weights));
  const covered = [20, 50, 100, 200].map((n) =>
    percent(lives.filter(({ coverage }) => coverage.get(n) === true).length / rounds),
  );
  const stops = lives.flatMap(({ stop }) => stop ?? []);
  const median = stops.map(({ at }) => at).toSorted((one, other) => one - other)[Math.floor(rounds / 2)];
  return [
    name,
    ...covered,
    percent(stops.filter(({ isWrong }) => isWrong).length / rounds),
    median === undefined ? 'over 300' : String(median),
    percent(lives.filter(({ usual }) => usual === true).length / rounds),
  ];
});
console.log(
  'Kinds not seen: coverage of the 95 % limit at n, the rule "limit at most 10 %" (wrong %, median n), and "20 in a row" (wrong %):\n',
);
console.log(formatTable(['modes', '20', '50', '100', '200', 'wrong', 'median', '20 in a row wrong'], rows));

/** Returns how often the 95 % interval of kappa has the truth, where two readers of equal care mark answers of which a share has a mode. */
function coverageOfKappa(answers: number, share: number, care: number): number {
  const random = createRandom(7).fork(`${answers} ${share} ${care}`);
  const both = share * care ** 2 + (1 - share) * (1 - care) ** 2;
  const yes = share * care + (1 - share) * (1 - care);
  const truth = (both - yes ** 2) / (yes - yes ** 2);
  let [covered, known] = [0, 0];
  for (let round = 0; round < rounds; round += 1) {
    const table = [
      [0, 0],
      [0, 0],
    ];
    for (let answer = 0; answer < answers; answer += 1) {
      const has = random.next() < share;
      const say = () => Number(random.next() < care !== has);
      const [one, other] = [say(), say()];
      (table[one] as number[])[other] = ((table[one] as number[])[other] ?? 0) + 1;
    }
    const { lower, upper } = cohensKappa({ table });
    known += 1;
    covered += Number(lower !== null && lower <= truth && upper !== null && truth <= upper);
  }
  return covered / known;
}

const pairs = [40, 100, 200].flatMap((answers) =>
  [0.02, 0.05, 0.1, 0.2].flatMap((share) =>
    [0.9, 0.97].map((care) => ({
      bothYes: answers * (share * care ** 2 + (1 - share) * (1 - care) ** 2),
      covered: coverageOfKappa(answers, share, care),
    })),
  ),
);
console.log(
  `\nKappa of two readers, ${pairs.length} cells × ${rounds}, by the expected number of answers on which both say yes:\n`,
);
const groups = [
  { name: 'under 3', from: 0, to: 3, reference: '30 to 82' },
  { name: '3 to 8', from: 3, to: 8, reference: '86 to 92' },
  { name: 'from 8 up', from: 8, to: Infinity, reference: '92 to 95' },
];
console.log(
  formatTable(
    ['both yes', 'cells', 'least', 'most', 'reference'],
    groups.map(({ name, from, to, reference }) => {
      const own = pairs
        .filter(({ bothYes }) => bothYes >= from && bothYes < to)
        .map(({ covered }) => covered);
      return [name, String(own.length), percent(Math.min(...own)), percent(Math.max(...own)), reference];
    }),
  ),
);
