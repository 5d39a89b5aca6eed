import type { Outcome } from '../../src/core/schema/result.ts';
import type { Calibration } from '../../src/core/schema/review/certificate.ts';
import { defaultConfidence } from '../../src/core/stats/interval.ts';
import type { JudgeErrorRates } from '../../src/core/stats/judges/misclassified-mean.ts';
import { createRandom, type Random } from '../../src/core/stats/random.ts';
import {
  correctDifference,
  type DifferenceSide,
} from '../../src/decide/certificates/corrected-difference.ts';
import type { JudgedTrial, PeopleVerdict } from '../../src/decide/certificates/judged-trials.ts';

/** Two equally good versions, of which a judge is fair to one and lenient with the other. */
export interface ComparisonCell {
  /** The share of answers that people pass, in both versions. */
  readonly rate: number;
  /** The share of bad answers of the second version that the judge finds; of the first, and of good answers, it is 0.9. */
  readonly trueNegativeRate: number;
  /** The number of labels of each version. */
  readonly labels: number;
  /** The labels: of both answers to the same cases, or of other answers of each version, so that error rates correct. */
  readonly by: 'pairs' | 'rates';
  /** The number of cases; 200 by default. */
  readonly cases?: number;
}

/** The number of comparisons that were made, and that called one of the versions better. */
export interface ComparedVersions {
  readonly compared: number;
  readonly wrong: number;
}

const fair = 0.9;

/** Compares many pairs of equally good versions by corrected differences with limits at 95 %. */
export function simulateComparisons(
  cell: ComparisonCell,
  { rounds, seed }: { readonly rounds: number; readonly seed: number | string },
): ComparedVersions {
  const random = createRandom(seed);
  let [compared, wrong] = [0, 0];
  for (let round = 0; round < rounds; round += 1) {
    const sides = [fair, cell.trueNegativeRate].map((tnr, place) => drawSide(cell, { tnr, place, random }));
    const found = correctDifference(sides[0] as DifferenceSide, sides[1] as DifferenceSide);
    // What a comparison refuses decides nothing.
    if ('reason' in found) continue;
    const { status, lower, upper, caution } = found.at(defaultConfidence);
    if (status === 'undefined' || caution === 'too-few-labels') continue;
    compared += 1;
    wrong += Number((lower ?? 0) > 0 || (upper ?? 0) < 0);
  }
  return { compared, wrong };
}

interface Version {
  readonly tnr: number;
  readonly place: number;
  readonly random: Random;
}

/** The outcomes of an answer that the judge fails and passes. */
const outcomes = [0, 1].map((total) => ({ case: {}, scorecard: { total } }) as Outcome);

function drawAnswer({ rate }: ComparisonCell, { tnr, random }: Version) {
  const isGood = random.next() < rate;
  const said = Number(random.next() < (isGood ? fair : 1 - tnr));
  return { isGood, said };
}

function drawSide(cell: ComparisonCell, version: Version): DifferenceSide {
  const { cases = 200, labels, by } = cell;
  const people = new Map<string, PeopleVerdict>();
  const trials = Array.from({ length: cases }, (_, position): JudgedTrial => {
    const { isGood, said } = drawAnswer(cell, version);
    // The order is random, so that the first cases are a random draw.
    if (by === 'pairs' && position < labels)
      people.set(String(position), { passes: isGood, probability: labels / cases });
    const outcome = outcomes[said] as Outcome;
    return { position, key: String(position), said, outcome, variants: outcomes };
  });
  const calibration = {
    draw: { type: 'random' },
    labels: { hash: String(version.place) },
    metric: { fingerprint: 'judge' },
  } as unknown as Calibration;
  const rates = measureRates(cell, version);
  const errors = { status: 'known', from: 'labels', calibration, rates, labels } as const;
  return {
    trials,
    judges: [{ bit: 0, errors, people: by === 'pairs' ? people : undefined }],
    read: ({ scorecard }) => scorecard?.total ?? undefined,
    caseAt: (position) => String(position),
  };
}

/** Measures the error rates of the judge on a version by labels of other answers; undefined without labels of either kind. */
function measureRates(cell: ComparisonCell, version: Version): JudgeErrorRates | undefined {
  const drawn = Array.from({ length: cell.labels }, () => drawAnswer(cell, version));
  const [sensitivity, specificity] = [1, 0].map((kind) => {
    const own = drawn.filter(({ isGood }) => Number(isGood) === kind);
    return { rate: own.filter(({ said }) => said === kind).length / own.length, trials: own.length };
  });
  if (sensitivity === undefined || specificity === undefined) return undefined;
  return sensitivity.trials > 0 && specificity.trials > 0 ? { sensitivity, specificity } : undefined;
}
