import {
  type ConfusionCounts,
  createRandom,
  type Interval,
  type LabelCaution,
  peopleAlone,
  ppiMean,
  type Random,
  roganGladen,
  verdictStrataRate,
  type VerdictStratum,
} from '../../src/core/stats/index.ts';

/** A run, its judge and the number of labels of one cell of a simulation. */
export type LabelCell = {
  /** The true pass rate of the population. */
  readonly rate: number;
  readonly sensitivity: number;
  readonly specificity: number;
  readonly labels: number;
  /** The number of items of the run; 1,000 by default. */
  readonly n?: number;
};

/** The behaviour of one interval in a cell. */
export type LabelCoverage = {
  readonly estimator: string;
  /** Share of rounds whose limits contain the truth, with any caution; rounds without limits count as covering. */
  readonly coverage: number;
  readonly meanEstimate: number;
  readonly halfWidth: number;
  /** Share of rounds that say "too few labels". */
  readonly tooFew: number;
  /** Share of rounds that say "few disagreements". */
  readonly fewDisagreements: number;
};

/** The corrected interval of one round, and the truth that it should contain. */
type Outcome = {
  readonly estimator: string;
  readonly result: Interval & { readonly caution: LabelCaution };
  readonly truth: number;
};

/** Simulates labels of runs of one cell, and returns the coverage of 95 % intervals of every estimator. */
export function simulateLabels(
  cell: LabelCell,
  { rounds, seed }: { readonly rounds: number; readonly seed: string | number },
): LabelCoverage[] {
  const random = createRandom(seed);
  const tallies = new Map<string, { -readonly [Name in keyof Omit<LabelCoverage, 'estimator'>]: number }>();
  for (let round = 0; round < rounds; round += 1) {
    for (const { estimator, result, truth } of outcomesOf(cell, random)) {
      const tally = tallies.get(estimator) ?? {
        coverage: 0,
        meanEstimate: 0,
        halfWidth: 0,
        tooFew: 0,
        fewDisagreements: 0,
      };
      tallies.set(estimator, tally);
      const { lower, upper } = result.status === 'defined' ? result : { lower: 0, upper: 1 };
      tally.coverage += Number(lower <= truth + 1e-12 && truth - 1e-12 <= upper) / rounds;
      tally.meanEstimate += (result.estimate ?? 0) / rounds;
      tally.halfWidth += (upper - lower) / 2 / rounds;
      tally.tooFew += Number(result.caution === 'too-few-labels') / rounds;
      tally.fewDisagreements += Number(result.caution === 'few-disagreements') / rounds;
    }
  }
  return Array.from(tallies, ([estimator, tally]) => ({ estimator, ...tally }));
}

type Item = { readonly label: number; readonly score: number };

function drawItem({ rate, sensitivity, specificity }: LabelCell, random: Random): Item {
  const label = Number(random.next() < rate);
  const isRight = random.next() < (label === 1 ? sensitivity : specificity);
  return { label, score: isRight ? label : 1 - label };
}

function outcomesOf(cell: LabelCell, random: Random): Outcome[] {
  const { rate, labels: m, n = 1000 } = cell;
  const items = Array.from({ length: n }, () => drawItem(cell, random));
  // The order is random, so the first items are a random draw.
  const [labelled, rest] = [items.slice(0, m), items.slice(m)];
  const labels = labelled.map(({ label }) => label);
  const scores = labelled.map(({ score }) => score);
  const otherScores = rest.map(({ score }) => score);
  const passes = items.filter(({ score }) => score === 1).length;
  const people = labels.filter((label) => label === 1).length;
  const strata = strataOf(items, m);
  const drawnByVerdict = tableOf(strata.flatMap(({ drawn }) => drawn));
  const ofRun = items.filter(({ label }) => label === 1).length / n;
  const elsewhere = tableOf(Array.from({ length: m }, () => drawItem(cell, random)));
  const byTruth = [1, 0].flatMap((label) =>
    Array.from({ length: m / 2 }, () => drawItem({ ...cell, rate: label }, random)),
  );
  const corrected = (counts: ConfusionCounts) => roganGladen({ passes, n, labels: counts });
  return [
    { estimator: 'people alone', result: peopleAlone({ passes: people, labels: m }), truth: rate },
    { estimator: 'PPI++', result: ppiMean({ labels, scores, otherScores }), truth: rate },
    { estimator: 'strata, population', result: verdictStrataRate({ strata }), truth: rate },
    { estimator: 'strata, run', result: verdictStrataRate({ strata, target: 'run' }), truth: ofRun },
    { estimator: 'Rogan-Gladen, random labels elsewhere', result: corrected(elsewhere), truth: rate },
    { estimator: 'Rogan-Gladen, half and half by truth', result: corrected(tableOf(byTruth)), truth: rate },
    { estimator: 'Rogan-Gladen, labels drawn by verdict', result: corrected(drawnByVerdict), truth: rate },
  ];
}

/** Labels half of each verdict, or all items of a verdict with fewer. */
function strataOf(
  items: readonly Item[],
  m: number,
): (VerdictStratum & { readonly drawn: readonly Item[] })[] {
  const groups = [1, 0].map((score) => items.filter((item) => item.score === score));
  const [passed = 0, failed = 0] = groups.map(({ length }) => length);
  const ofFailed = Math.min(failed, m - Math.min(passed, m / 2));
  return [m - ofFailed, ofFailed].map((labels, place) => {
    const group = groups[place] as Item[];
    const drawn = group.slice(0, labels);
    return { size: group.length, labels, passes: drawn.filter(({ label }) => label === 1).length, drawn };
  });
}

function tableOf(items: readonly Item[]): ConfusionCounts {
  const count = (label: number, score: number) =>
    items.filter((item) => item.label === label && item.score === score).length;
  return {
    truePositives: count(1, 1),
    falseNegatives: count(1, 0),
    falsePositives: count(0, 1),
    trueNegatives: count(0, 0),
  };
}
