import { expect, test } from 'vitest';
import type { Outcome } from '../../core/schema/result.ts';
import type { Calibration } from '../../core/schema/review/certificate.ts';
import type { JudgeErrorRates } from '../../core/stats/judges/misclassified-mean.ts';
import { createRandom } from '../../core/stats/random.ts';
import { isReleaseTested } from '../../../test/support/is-release-tested.ts';
import { mostWrong } from '../../../test/support/most-wrong.ts';
import { correctDifference } from './corrected-difference.ts';
import { correctMean } from './corrected-mean.ts';
import type { JudgedTrial, PeopleVerdict } from './judged-trials.ts';
import type { TrialJudge } from './number-trials.ts';

/** A judge with its error rates. */
interface Judge {
  readonly truePositiveRate: number;
  readonly trueNegativeRate: number;
}
const lenient: Judge = { truePositiveRate: 0.9, trueNegativeRate: 0.4 };
const fair: Judge = { truePositiveRate: 0.9, trueNegativeRate: 0.9 };

const random = createRandom('corrected');
const chance = (share: number) => random.next() < share;
const says = (isGood: boolean, { truePositiveRate, trueNegativeRate }: Judge) =>
  chance(isGood ? truePositiveRate : 1 - trueNegativeRate);

/** The outcome of a trial whose other criteria give it a part of the score, and the judge the rest. */
function outcomeOf(ordinal: number, passed: boolean, part: number): Outcome {
  const total = part + (1 - part) * Number(passed);
  return {
    case: {},
    trial: { ordinal, caseId: String(ordinal), target: 'bot', status: 'completed' } as Outcome['trial'],
    verdicts: {},
    scorecard: { total, lower: total, upper: total, grade: null, passed: total >= 0.7 },
  };
}

/** Draws answers of which a share is good, as a judge sees them and as people do. */
function draw(count: number, share: number, judge: Judge): { trial: JudgedTrial; isGood: boolean }[] {
  return Array.from({ length: count }, (_, position) => {
    const [isGood, part] = [chance(share), position % 2 === 0 ? 0.3 : 0.5];
    const said = says(isGood, judge);
    const variants = [false, true].map((passed) => outcomeOf(position, passed, part));
    const outcome = variants[Number(said)] as Outcome;
    return { isGood, trial: { position, key: String(position), said: Number(said), outcome, variants } };
  });
}

function errorsOf(rates: JudgeErrorRates, labels: number, name: string): TrialJudge['errors'] {
  const calibration = { draw: { type: 'random' }, labels: { hash: name }, metric: { fingerprint: 'f' } };
  return {
    status: 'known',
    from: 'version',
    calibration: calibration as unknown as Calibration,
    rates,
    labels,
  };
}

/** Measures the error rates of a judge by labels of other answers. */
function measure(labels: number, share: number, judge: Judge): JudgeErrorRates {
  const answers = draw(labels, share, judge);
  const rateOf = (isGood: boolean) => {
    const own = answers.filter((answer) => answer.isGood === isGood);
    const right = own.filter(({ trial }) => (trial.said === 1) === isGood).length;
    return { rate: right / own.length, trials: own.length };
  };
  return { sensitivity: rateOf(true), specificity: rateOf(false) };
}

/** Returns what people say of a random part of some answers. */
function label(answers: ReturnType<typeof draw>, count: number): ReadonlyMap<string, PeopleVerdict> {
  const order = answers.map((answer) => ({ answer, at: random.next() })).toSorted((a, b) => a.at - b.at);
  const probability = count / answers.length;
  return new Map(
    order
      .slice(0, count)
      .map(({ answer: { trial, isGood } }) => [trial.key, { passes: isGood, probability }]),
  );
}

const readScore = ({ scorecard }: Outcome) => scorecard?.total ?? undefined;
const readPass = ({ scorecard }: Outcome) => Number(scorecard?.passed === true);
/** Before a release more rounds show the rates themselves; the bound allows for the chance of these few. */
const rounds = isReleaseTested ? 1000 : 60;
const most = mostWrong(rounds);

test.each<[string, (outcome: Outcome) => number | undefined, (share: number) => number, boolean]>([
  ['a score', readScore, (share) => 0.4 + 0.6 * share, true],
  ['a pass rate', readPass, (share: number) => share, true],
  ['a score, by error rates', readScore, (share: number) => 0.4 + 0.6 * share, false],
  ['a pass rate, by error rates', readPass, (share: number) => share, false],
])(
  'a bot that is not good enough passes in at most 5 of 100 runs by a lenient judge that decides %s',
  (_, read, truth, isLabelled) => {
    const share = 0.6;
    let [passed, failed, fooled] = [0, 0, 0];
    for (let round = 0; round < rounds; round += 1) {
      const answers = draw(200, share, lenient);
      const people = isLabelled ? label(answers, 120) : undefined;
      const errors = errorsOf(measure(200, share, lenient), 200, 'own');
      const found = correctMean({
        trials: answers.map(({ trial }) => trial),
        judges: [{ bit: 0, errors, people }],
        read,
        isPart: false,
      });
      if ('reason' in found) throw new Error(found.reason);
      const limits = found.limitsAt(0.95, false);
      if ('reason' in limits) throw new Error(limits.reason);
      // The rule asks for a hair more than the truth, so that passing is wrong; failing is wrong for a hair less.
      passed += Number(limits.lower >= truth(share) + 1e-6);
      failed += Number(limits.upper < truth(share) - 1e-6);
      fooled += Number(found.said > truth(share) + 0.05);
    }
    expect(passed).toBeLessThanOrEqual(most);
    expect(failed).toBeLessThanOrEqual(most);
    // The judge alone would have passed nearly all of them.
    expect(fooled / rounds).toBeGreaterThan(0.9);
  },
);

test.each([
  ['labels of both answers', true],
  ['the error rates of each version', false],
])(
  'equal versions differ in at most 5 of 100 comparisons by a judge that is lenient with one, corrected by %s',
  (_, isPaired) => {
    let wrong = 0;
    for (let round = 0; round < rounds; round += 1) {
      const versions = [draw(300, 0.65, fair), draw(300, 0.65, lenient)] as const;
      const labelled = label(versions[0], 150);
      const sides = versions.map((answers, place) => {
        const own = new Map(
          answers.flatMap(({ trial: { key }, isGood }) =>
            labelled.has(key) ? [[key, { passes: isGood, probability: 0.5 }] as const] : [],
          ),
        );
        const errors = errorsOf(measure(200, 0.65, place === 0 ? fair : lenient), 200, String(place));
        return {
          trials: answers.map(({ trial }) => trial),
          judges: [{ bit: 0, errors, people: isPaired ? own : undefined }],
          read: readScore,
          caseAt: (position: number) => String(position),
        };
      });
      const found = correctDifference(sides[0]!, sides[1]!);
      if ('reason' in found) throw new Error(found.reason);
      expect(found.method).toBe(isPaired ? 'ppi' : 'rogan-gladen');
      const { lower, upper } = found.at(0.95);
      wrong += Number((lower ?? 0) > 0 || (upper ?? 0) < 0);
    }
    expect(wrong).toBeLessThanOrEqual(most);
  },
);
