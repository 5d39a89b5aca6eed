// `node bench/drift-watch.ts`: measures how often, and how soon, designs of the drift watch say that a judge agrees less with people
// than its certificate says: unchanged judges (false alarms), lenient ones and strict ones, at several shares of good answers.
// `--rounds 2000 --labels 260` (13 weeks of 20, the life of a certificate). See bench/NOTES.md.
import { parseArgs } from 'node:util';
import { type FreshLabel, watchDrift } from '../src/core/stats/judges/drift-watch.ts';
import { wilsonInterval } from '../src/core/stats/proportion-interval.ts';
import { createRandom, type Random } from '../src/core/stats/random.ts';
import { formatTable } from './format-table.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '2000' }, labels: { type: 'string', default: '260' } },
});
const [rounds, labels] = [Number(values.rounds), Number(values.labels)];

/** A label: what people say, and what the judge says. */
type Label = { readonly truth: boolean; readonly said: boolean };
/** The right verdicts among labelled good and bad answers of a certificate. */
type Basis = { readonly tp: number; readonly yes: number; readonly tn: number; readonly no: number };
/** What is measured: the share of good answers, and how the judge errs. */
type World = { readonly good: number; readonly tpr: number; readonly tnr: number };
/** Creates a watch, which takes a label after the other and returns its evidence as a share of the limit. */
type Design = (basis: Basis) => (label: Label) => number;

const ln = Math.log;
const within = (rate: number) => Math.min(0.98, Math.max(0.02, rate));
const lowerOf = (right: number, n: number) => wilsonInterval({ successes: right, trials: n }).lower ?? 0;

/** Creates a cumulative sum of log likelihood ratios of a loss. */
function cusum(loss: number, limit: number) {
  let sum = 0;
  return (isRight: boolean, rate: number) => {
    const [known, worse] = [within(rate), within(rate - loss)];
    sum = Math.max(0, sum + ln(isRight ? worse / known : (1 - worse) / (1 - known)));
    return sum / limit;
  };
}

/** Reckons with each rate that labels of the certificate leave open (beta, Jeffreys' prior) on a grid, before and after a change. */
function openRate(right: number, n: number, losses: readonly number[]) {
  const grid = Array.from({ length: 100 }, (_, index) => (index + 0.5) / 100);
  const weights = grid.map((p) => (right - 0.5) * Math.log(p) + (n - right - 0.5) * Math.log(1 - p));
  const top = Math.max(...weights);
  const same = weights.map((weight) => Math.exp(weight - top));
  const changed = losses.map(() => grid.map(() => 0));
  return (isRight: boolean) => {
    let [known, total] = [0, 0];
    for (const [at, p] of grid.entries()) {
      const before = same[at] as number;
      for (const [which, loss] of losses.entries()) {
        const q = within(p - loss);
        const row = changed[which] as number[];
        const next = ((row[at] as number) + before / losses.length) * (isRight ? q : 1 - q);
        row[at] = next;
        total += next;
      }
      same[at] = before * (isRight ? p : 1 - p);
      known += same[at];
    }
    return total / known / 2600;
  };
}

/** Joins a watch for what people pass and one for what they fail. */
const byPeople =
  (create: (right: number, n: number) => (isRight: boolean) => number): Design =>
  ({ tp, yes, tn, no }) => {
    const [passed, failed] = [create(tp, yes), create(tn, no)];
    return ({ truth, said }) => (truth ? passed(said) : failed(!said));
  };
/** Joins a watch for what the judge passes and one for what it fails: it sees a bot that changes, too. */
const byVerdict =
  (create: (right: number, n: number) => (isRight: boolean) => number): Design =>
  ({ tp, yes, tn, no }) => {
    const [passed, failed] = [create(tp, tp + no - tn), create(tn, tn + yes - tp)];
    return ({ truth, said }) => (said ? passed(truth) : failed(!truth));
  };
const designs: Record<string, Design> = {
  'one CUSUM, loss 10, lower limits (until now)': ({ tp, yes, tn, no }) => {
    const rates = [lowerOf(tn, no), lowerOf(tp, yes)];
    const sum = cusum(0.1, ln(2000));
    return ({ truth, said }) => sum(said === truth, rates[Number(truth)] as number);
  },
  'by people, loss 10, lower limits': byPeople((right, n) => {
    const sum = cusum(0.1, ln(4000));
    return (isRight) => sum(isRight, lowerOf(right, n));
  }),
  'by verdict, loss 10, estimates': byVerdict((right, n) => {
    const sum = cusum(0.1, ln(4000));
    return (isRight) => sum(isRight, right / n);
  }),
  'by people, open rates': byPeople((right, n) => openRate(right, n, [0.1, 0.2, 0.4])),
  'by people, loss 20, estimates: `watchDrift`': ({ tp, yes, tn, no }) => {
    const given: FreshLabel[] = [];
    const rates = {
      sensitivity: { rate: tp / yes, trials: yes },
      specificity: { rate: tn / no, trials: no },
    };
    // Looked at after each week; it remembers an alarm of its sums.
    return ({ truth, said }) => {
      given.push({ truth, isAlike: truth === said });
      return given.length % 20 === 0 && watchDrift({ labels: given, ...rates }).isDrifted ? 1 : 0;
    };
  },
};

/** Draws a label at random, or of answers that the judge passes and fails in turn. */
function drawLabel(random: Random, { good, tpr, tnr }: World, wanted?: boolean): Label {
  for (;;) {
    const truth = random.next() < good;
    const said = random.next() < (truth ? tpr : 1 - tnr);
    if (wanted === undefined || said === wanted) return { truth, said };
  }
}

/** Draws the labels of a certificate: 200 or more at random, until there are 50 of each kind. */
function drawBasis(random: Random, world: World): Basis {
  const basis = { tp: 0, yes: 0, tn: 0, no: 0 };
  while (basis.yes + basis.no < 200 || Math.min(basis.yes, basis.no) < 50) {
    const { truth, said } = drawLabel(random, world);
    if (truth) {
      basis.yes += 1;
      basis.tp += Number(said);
    } else {
      basis.no += 1;
      basis.tn += Number(!said);
    }
  }
  return basis;
}

/** Returns the share of watches that alarm within the labels, and the median of the labels until then. */
function measure(
  design: Design,
  before: World,
  after: World,
  isByVerdict = false,
): readonly [number, number] {
  const random = createRandom(JSON.stringify([before, after]));
  const alarms: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const watch = design(drawBasis(random, before));
    for (let label = 1; label <= labels; label += 1)
      if (watch(drawLabel(random, after, isByVerdict ? label % 2 === 0 : undefined)) >= 1) {
        alarms.push(label);
        break;
      }
  }
  alarms.sort((one, other) => one - other);
  return [alarms.length / rounds, alarms[Math.floor(alarms.length / 2)] ?? Number.NaN];
}

const judge = { tpr: 0.92, tnr: 0.82 };
const worlds: readonly (readonly [string, World, World])[] = [
  ...[0.5, 0.8, 0.9].flatMap((good) =>
    [judge, { tpr: 0.98, tnr: 0.95 }, { tpr: 0.7, tnr: 0.65 }].map(
      (same) =>
        [
          `unchanged, ${100 * good} % good, ${same.tpr}/${same.tnr}`,
          { good, ...same },
          { good, ...same },
        ] as const,
    ),
  ),
  ['unchanged, bot 80 to 60 % good', { good: 0.8, ...judge }, { good: 0.6, ...judge }],
  ['unchanged, bot 60 to 90 % good', { good: 0.6, ...judge }, { good: 0.9, ...judge }],
  ...[0.5, 0.8, 0.9].flatMap((good) =>
    [0.2, 0.3].map(
      (loss) =>
        [
          `TNR −${100 * loss}, ${100 * good} % good`,
          { good, ...judge },
          { good, ...judge, tnr: judge.tnr - loss },
        ] as const,
    ),
  ),
  ['TPR −10, 80 % good', { good: 0.8, ...judge }, { good: 0.8, ...judge, tpr: 0.82 }],
  ['TPR −20, 80 % good', { good: 0.8, ...judge }, { good: 0.8, ...judge, tpr: 0.72 }],
  ['both −15, 80 % good', { good: 0.8, ...judge }, { good: 0.8, tpr: 0.77, tnr: 0.67 }],
];
const cell = ([share, median]: readonly [number, number]) =>
  `${(100 * share).toFixed(1)} %${share >= 0.5 ? ` (${median})` : ''}`;
const names = Object.keys(designs);
console.log(names.map((name, index) => `${index + 1}: ${name}`).join('\n'));
for (const isByVerdict of [false, true]) {
  console.log(isByVerdict ? '\nAs many answers that the judge passes as it fails:\n' : '\nAt random:\n');
  console.log(
    formatTable(
      ['alarms', ...names.map((_, index) => `${index + 1}`)],
      worlds
        .filter(([label]) => !isByVerdict || label.includes('80 %'))
        .map(([label, before, after]) => [
          label,
          ...Object.values(designs).map((design) => cell(measure(design, before, after, isByVerdict))),
        ]),
    ),
  );
}
