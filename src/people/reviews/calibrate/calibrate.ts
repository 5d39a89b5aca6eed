import { toEstimate } from '../../../decide/analysis/summary/estimates.ts';
import { longestValidMs } from '../../../decide/certificates/certificate-ends.ts';
import { hashContent } from '../../../core/lib/content-hash.ts';
import {
  type Calibration,
  type Certificate,
  type NamedTable,
  type RefusedCalibration,
  type TargetCalibration,
  certificateVersion,
} from '../../../core/schema/review/certificate.ts';
import { type ConfusionCounts, confusionCounts } from '../../../core/stats/agreement/confusion.ts';
import { selfConsistency } from '../../../core/stats/agreement/self-consistency.ts';
import { defaultConfidence } from '../../../core/stats/interval.ts';
import { confidenceOfLook } from './looks.ts';
import { judgeRates, peopleAgreement, type WeightedAnswer } from './agreement.ts';
import { checkConditions, isCertifiable } from './conditions.ts';
import { correctedRate, correctedRateOf, type FrameAnswer, type RateInput } from './corrected-rate.ts';
import { type LabelledAnswer, type PairedLabels, weigh } from '../../../decide/certificates/pair-labels.ts';
import type { PromptLeak } from './tuned-judge.ts';

/** Everything that a calibration is derived from. */
export interface CalibrationInput
  extends Pick<
    Calibration,
    'judge' | 'metric' | 'rubric' | 'run' | 'task' | 'frame' | 'draw' | 'population' | 'split'
  > {
  readonly strata: Parameters<typeof weigh>[0]['strata'];
  readonly paired: PairedLabels;
  /** The answers of the run that could be drawn and have a verdict. */
  readonly answers: readonly FrameAnswer[];
  /** True when the labels were drawn from these answers. */
  readonly isFromFrame: boolean;
  /** The reason why labels do not stand for the answers of the run; null when they do. */
  readonly drawFault: string | null;
  /** The verdicts of the judge's samples, one row for each answer that it was asked about several times. */
  readonly samples: readonly (readonly boolean[])[];
  /** The labelled items that certify whose texts the judge's prompt contains. */
  readonly leaks: readonly PromptLeak[];
  /** The least lower bound of kappa or AC1 of people; 0.4 by default. */
  readonly leastAgreement?: number;
  /** For a judge that was tuned on labels: the number of this look at the labels that certify, which widens all limits. */
  readonly look?: number;
}

/** Compares a judge with the labels of people. */
export function calibrate(input: CalibrationInput): Calibration {
  const {
    strata,
    paired,
    answers: frame,
    isFromFrame,
    drawFault,
    samples,
    leaks,
    leastAgreement = 0.4,
    look,
    ...head
  } = input;
  const { answers, leftOut, labels } = paired;
  const draw = head.draw.type;
  const weighted = weigh({ draw, strata, answers });
  const targets = new Map(answers.map(({ target }, index) => [index, target]));
  const confidence = look === undefined ? defaultConfidence : confidenceOfLook(look);
  const rates = judgeRates(weighted ?? [], confidence);
  const people = peopleAgreement(paired.ratings);
  const rateInput = { draw, strata, answers, frame, isFromFrame, confidence };
  const rate = correctedRate(rateInput);
  const conditions = checkConditions({
    answers,
    weighted: weighted?.map((each, index) => ({ ...each, target: targets.get(index) ?? '' })) ?? null,
    leftOut,
    drawFault,
    leaks,
    rates,
    people,
    rate,
    flips: toEstimate(selfConsistency({ verdicts: samples }).flipRate),
    leastAgreement,
  });
  return {
    ...head,
    labels: { ids: [...labels], hash: hashContent(labels) },
    answers: answers.length,
    leftOut,
    table: tableOf(answers),
    byCategory: tablesBy(answers, ({ category }) => category),
    byTarget: tablesBy(answers, ({ target }) => target),
    rates,
    people,
    rate,
    ofTargets: calibrateTargets(rateInput, weighted),
    leastAgreement,
    look: look === undefined ? undefined : { number: look, confidence },
    conditions,
  };
}

/** Returns the error rates and the corrected rate of each of several targets. */
function calibrateTargets(input: RateInput, weighted: readonly WeightedAnswer[] | null): TargetCalibration[] {
  const { answers } = input;
  const names = [...new Set(answers.map(({ target }) => target))].toSorted();
  if (names.length < 2) return [];
  return names.map((name) => {
    const own = answers.filter(({ target }) => target === name);
    return {
      name,
      answers: own.length,
      table: tableOf(own),
      rates: judgeRates(
        weighted?.filter((_, index) => answers[index]?.target === name) ?? [],
        input.confidence,
      ),
      rate: correctedRateOf(name, input),
    };
  });
}

function tableOf(answers: readonly LabelledAnswer[]): ConfusionCounts {
  const truth = answers.map((answer) => answer.truth);
  return confusionCounts({ truth, predicted: answers.map(({ passed }) => passed) });
}

function tablesBy(
  answers: readonly LabelledAnswer[],
  nameOf: (answer: LabelledAnswer) => string,
): NamedTable[] {
  const groups = [...Map.groupBy(answers, nameOf)];
  return groups
    .map(([name, own]) => ({ name, table: tableOf(own) }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** The time, the author and the version of a certificate, and the certificates that the metric had before. */
interface CertificateNeeds {
  readonly now: Date;
  readonly by?: string;
  readonly touchstoneVersion: string;
  readonly before?: readonly Certificate[];
}

/**
 * Returns the certificate of a judge that meets all required conditions, and null for any other. It is valid for 90 days since
 * the judge was first certified by these labels: calibrating again does not make them younger.
 */
export function certify(
  calibration: Calibration,
  { now, by, touchstoneVersion, before = [] }: CertificateNeeds,
): Certificate | null {
  if (!isCertifiable(calibration.conditions)) return null;
  const same = before.filter(
    ({ calibration: { labels, metric } }) =>
      labels.hash === calibration.labels.hash && metric.fingerprint === calibration.metric.fingerprint,
  );
  const since = Math.min(
    now.getTime(),
    ...same.map(({ validUntil }) => Date.parse(validUntil) - longestValidMs),
  );
  const content = {
    version: certificateVersion,
    madeAt: now.toISOString(),
    validUntil: new Date(since + longestValidMs).toISOString(),
    by,
    touchstoneVersion,
    calibration,
  } as const;
  return { ...content, id: hashContent(content) };
}

/** Returns the record of a calibration that gave no certificate. */
export function refuse(
  calibration: Calibration,
  { now, by, touchstoneVersion }: Omit<CertificateNeeds, 'before'>,
): RefusedCalibration {
  return {
    version: certificateVersion,
    id: hashContent(calibration),
    madeAt: now.toISOString(),
    by,
    touchstoneVersion,
    calibration,
  };
}

/** Returns the name of the file of a judge's certificate: the judge, with signs other than letters and digits replaced, and the fingerprint. */
export function certificateFile({ judge, metric }: Pick<Calibration, 'judge' | 'metric'>): string {
  const name = judge.name
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
    .replaceAll(/^[.-]+|[.-]+$/g, '')
    .slice(0, 80);
  return `${name === '' ? 'judge' : name}@${metric.fingerprint}.json`;
}
