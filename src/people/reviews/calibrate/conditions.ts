import { formatPoints } from '../../../core/lib/text/format-points.ts';
import { isDifferent } from '../../../decide/certificates/treats-alike.ts';
import type { Estimate } from '../../../core/schema/estimate.ts';
import type {
  CalibrationCondition,
  CorrectedRate,
  JudgeRates,
  LeftOut,
  PeopleAgreement,
} from '../../../core/schema/review/certificate.ts';
import { type WeightedAnswer, compareTargets, leastOfClass } from './agreement.ts';
import type { PromptLeak } from './tuned-judge.ts';

/** Everything that the conditions of a certificate depend on. */
export interface ConditionInput {
  readonly answers: readonly (Omit<WeightedAnswer, 'probability'> & { readonly target: string })[];
  /** The same answers with their probabilities; null when a draw says none. */
  readonly weighted: readonly (WeightedAnswer & { readonly target: string })[] | null;
  readonly leftOut: LeftOut;
  /** The reason why the labels do not stand for the answers of the run; null when they do. */
  readonly drawFault: string | null;
  /** The labelled items whose texts the judge's prompt contains. */
  readonly leaks: readonly PromptLeak[];
  readonly rates: JudgeRates;
  readonly people: PeopleAgreement;
  readonly rate: CorrectedRate;
  /** The share of answers on which repeats of the judge differ; value null without repeats. */
  readonly flips: Estimate;
  /** The least lower bound of kappa or AC1 of people. */
  readonly leastAgreement: number;
}

const leastLabels = 100;
const leastOfEach = 50;
const leastInformation = 0.3;
const mostLost = 0.1;
const mostFlips = 0.05;

type Found = Pick<CalibrationCondition, 'state' | 'sentence' | 'labelsNeeded'>;
type Check = (input: ConditionInput) => Found;

/** The conditions that a certificate requires, and those that it does not, in the order of reports. */
const required: readonly (readonly [CalibrationCondition['id'], Check])[] = [
  ['labels', checkLabels],
  ['blind', checkBlind],
  ['draw', checkDraw],
  ['complete', checkComplete],
  ['informative', checkInformative],
  ['people-agree', checkPeople],
  ['estimate', checkEstimate],
  ['prompt', checkPrompt],
];
const others: typeof required = [
  ['targets-alike', checkTargets],
  ['steady', checkSteady],
];

/** Returns every condition of a certificate with its state, in the order of reports. */
export function checkConditions(input: ConditionInput): CalibrationCondition[] {
  return [
    ...required.map(([id, check]) => ({ id, isRequired: true, ...check(input) })),
    ...others.map(([id, check]) => ({ id, isRequired: false, ...check(input) })),
  ];
}

/** Returns whether all conditions that a certificate requires are met. */
export function isCertifiable(conditions: readonly CalibrationCondition[]): boolean {
  return conditions.every(({ isRequired, state }) => !isRequired || state === 'met');
}

function checkLabels({ answers }: ConditionInput): Found {
  const passes = answers.filter(({ truth }) => truth).length;
  const fails = answers.length - passes;
  const sentence = `People passed ${passes} and failed ${fails} of ${answers.length} labelled answers; ${leastOfEach} of each are required, and ${leastLabels} in all.`;
  const isMet = Math.min(passes, fails) >= leastOfEach && answers.length >= leastLabels;
  if (isMet) return { state: 'met', sentence };
  // The share of each kind among further labels is taken to be the share among the given labels, one more of each kind.
  const furtherFor = (own: number) =>
    own >= leastOfEach ? 0 : (leastOfEach - own) / ((own + 1) / (answers.length + 2));
  const further = Math.max(furtherFor(passes), furtherFor(fails), leastLabels - answers.length);
  return { state: 'failed', sentence, labelsNeeded: Math.ceil(further) };
}

function checkBlind({ answers, leftOut: { notBlind } }: ConditionInput): Found {
  const left =
    notBlind === 0
      ? ''
      : ` ${notBlind} do not count: the verdict was shown, or it is unknown what was (for labels of other tools, \`touchstone labels import --blind\` says so).`;
  if (answers.length === 0) {
    const sentence = `No answer was labelled without sight of the judge's verdict.${left}`;
    return { state: notBlind > 0 ? 'failed' : 'not-measured', sentence };
  }
  const sentence = `All labels used were given without sight of the judge's verdict and of other labels.${left}`;
  return { state: 'met', sentence };
}

function checkDraw({ drawFault }: ConditionInput): Found {
  if (drawFault !== null) return { state: 'failed', sentence: drawFault };
  const sentence = 'The answers were drawn from the answers of this run, with known probabilities.';
  return { state: 'met', sentence };
}

/** Checks that few answers are missing: those that people cannot settle are not missing at random. */
function checkComplete({ answers, leftOut }: ConditionInput): Found {
  const { disputed, notApplicable, notBlind, noVerdict } = leftOut;
  const lost = disputed + notApplicable + notBlind + noVerdict;
  const seen = answers.length + lost;
  if (seen === 0) return { state: 'not-measured', sentence: 'No answer is labelled.' };
  const parts = `${disputed} disputed, ${notApplicable} not applicable, ${notBlind} not blind, ${noVerdict} without a verdict of the judge`;
  const sentence = `${lost} of ${seen} labelled answers cannot be used (${parts}); at most ${mostLost * 100} % may be missing.`;
  return { state: lost / seen <= mostLost ? 'met' : 'failed', sentence };
}

function checkInformative({ rates, answers }: ConditionInput): Found {
  const { truePositiveRate: tpr, trueNegativeRate: tnr } = rates;
  if (!isBounded(tpr) || !isBounded(tnr)) {
    const sentence = 'TPR + TNR − 1 is unknown: people have to pass some answers and fail others.';
    return { state: 'not-measured', sentence };
  }
  const power = tpr.value + tnr.value - 1;
  // Limits of a sum from the limits of its parts: G. Y. Zou & A. Donner, Statistics in Medicine 27 (2008).
  const lower = power - Math.hypot(tpr.value - tpr.lower, tnr.value - tnr.lower);
  const numbers = `TPR + TNR − 1 is ${power.toFixed(2)}, lower limit ${lower.toFixed(2)}`;
  if (power >= leastInformation && lower > 0) return { state: 'met', sentence: `${numbers}.` };
  const isTooLow = power < leastInformation;
  const isOpposite = power <= -leastInformation;
  const why = isOpposite
    ? 'the judge says the opposite of what people say; look at its question and at the rubric'
    : isTooLow
      ? `below ${leastInformation}, so that the judge says next to nothing; more labels cannot help`
      : 'so that it may say nothing';
  return {
    state: 'failed',
    sentence: `${numbers}: ${why}.`,
    ...(!isTooLow && { labelsNeeded: furtherLabels(answers.length, power - lower, power) }),
  };
}

function checkPeople({ people, leastAgreement }: ConditionInput): Found {
  if (people.items === 0) {
    const sentence =
      'No answer is labelled blind by two people, so that their own agreement is unknown (`touchstone review create --doubled 20%`).';
    return { state: 'not-measured', sentence, labelsNeeded: 40 };
  }
  const bounds = [people.kappa.lower, lowerAc1(people)];
  const known = bounds.filter((bound) => bound !== null);
  if (known.length === 0) {
    const sentence = `The labels of people on ${people.items} answers are all alike, so that their agreement beyond chance is unknown.`;
    return { state: 'not-measured', sentence, labelsNeeded: 40 };
  }
  const [kappa = null, ac1 = null] = bounds;
  const shown = `People agree with each other on ${people.items} answers: kappa ${describe(people.kappa, kappa)}, AC1 ${describe(people.ac1, ac1)}`;
  const best = Math.max(...known);
  if (best >= leastAgreement) return { state: 'met', sentence: `${shown}.` };
  const estimate = Math.max(people.kappa.value ?? -1, people.ac1.value ?? -1);
  const isRubric = estimate <= leastAgreement;
  const why = isRubric
    ? 'the rubric is the problem, not the judge'
    : 'too few answers have labels of two people';
  return {
    state: 'failed',
    sentence: `${shown}; at least ${leastAgreement} is required: ${why}.`,
    ...(!isRubric && {
      labelsNeeded: furtherLabels(people.items, estimate - best, estimate - leastAgreement),
    }),
  };
}

/**
 * Returns the lower limit of AC1. Where people always agree, it has none of its own: it then follows from the limit of the raw
 * agreement p, since (p − e) / (1 − e) is least for the greatest agreement by chance, which for AC1 is one half.
 */
function lowerAc1({ ac1: { value, lower }, agreement }: PeopleAgreement): number | null {
  if (lower !== null || value !== 1 || agreement.lower === null) return lower;
  return 2 * agreement.lower - 1;
}

function describe({ value }: Estimate, lower: number | null): string {
  if (value === null) return 'unknown';
  return `${value.toFixed(2)}${lower === null ? '' : ` (lower limit ${lower.toFixed(2)})`}`;
}

function checkEstimate({ rate, answers }: ConditionInput): Found {
  const found = isBounded(rate.corrected) ? rate.corrected : rate.ofRun;
  if (found === null || !isBounded(found)) {
    const reason = (found ?? rate.corrected).reason ?? rate.why;
    return {
      state: 'not-measured',
      sentence: `There is no corrected rate: ${reason}.`.replace(/\.\.$/, '.'),
    };
  }
  if (rate.caution !== 'too-few-labels')
    return {
      state: 'met',
      sentence: 'The limits of the corrected rate keep their promise.',
    };
  return {
    state: 'failed',
    sentence: `Too few labels (${answers.length}) for limits of the corrected rate that keep their promise.`,
    labelsNeeded: Math.max(leastOfEach, answers.length),
  };
}

/** The cases with leaks that are named. */
const mostNamed = 3;

function checkPrompt({ leaks, answers }: ConditionInput): Found {
  if (leaks.length > 0) {
    const named = leaks.slice(0, mostNamed).map(({ caseId, text }) => `the ${text} of ${caseId}`);
    const rest = leaks.length > mostNamed ? ` and ${leaks.length - mostNamed} more` : '';
    const sentence = `The judge's prompt contains texts of labelled questions that are to certify it: ${named.join(', ')}${rest}. Take them out, or use questions of the half for tuning.`;
    return { state: 'failed', sentence };
  }
  if (answers.length === 0) return { state: 'not-measured', sentence: 'No answer is labelled.' };
  const sentence = "The judge's prompt contains no question or answer of the questions that certify it.";
  return { state: 'met', sentence };
}

function checkTargets({ weighted, answers }: ConditionInput): Found {
  const targets = new Set(answers.map(({ target }) => target)).size;
  if (targets < 2) {
    const sentence = 'Labels are of one target: whether the judge treats several alike is unknown.';
    return { state: 'not-measured', sentence };
  }
  const { differences, short } = compareTargets(weighted ?? []);
  if (weighted === null || short.length > 0) {
    const sentence = `Too few labels of passes or fails to compare targets, ${leastOfClass} of each are needed: ${short.join(', ')}.`;
    return { state: 'not-measured', sentence };
  }
  const found = differences.filter((each) => isDifferent(each, differences.length));
  if (found.length === 0)
    return { state: 'met', sentence: 'TPR and TNR show no difference between targets.' };
  const worst = found.map(
    ({ rate, targets: pair, difference, pValue }) =>
      `${rate} of ${pair.join(' and ')} differs by ${formatPoints(difference)} points (p ${pValue < 0.001 ? '< 0.001' : `= ${pValue.toFixed(3)}`})`,
  );
  const sentence = `The judge treats targets differently: ${worst.join('; ')}. Do not compare them by this judge.`;
  return { state: 'failed', sentence };
}

function checkSteady({ flips }: ConditionInput): Found {
  if (flips.value === null) {
    const sentence = 'The judge was asked once: whether it repeats itself is unknown (`judgeSamples: 3`).';
    return { state: 'not-measured', sentence };
  }
  const sentence = `Asked again, the judge changes its verdict on ${formatPoints(flips.value)} % of ${flips.n} answers.`;
  return { state: flips.value < mostFlips ? 'met' : 'failed', sentence };
}

type Bounded = Estimate & { readonly value: number; readonly lower: number };

function isBounded(estimate: Estimate): estimate is Bounded {
  return estimate.value !== null && estimate.lower !== null;
}

/** Returns how many more observations shrink a margin to the one wished, which goes with the root of their number. */
function furtherLabels(n: number, margin: number, wished: number): number {
  return Math.max(1, Math.ceil(n * ((margin / wished) ** 2 - 1)));
}
