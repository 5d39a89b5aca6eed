import { z } from 'zod';
import { correctionMethodSchema, estimateSchema } from '../estimate.ts';
import { personSchema, recordIdSchema } from './label.ts';
import { drawRuleSchema, frameSchema } from './review-task.ts';
import { rubricNameSchema } from './rubric.ts';
import { positiveInt, wholeNumber } from '../json.ts';

const count = wholeNumber();

/** The numbers of answers by the verdict of people (true or false) and of the judge (positive or negative). */
const verdictTableSchema = z.object({
  truePositives: count,
  falseNegatives: count,
  falsePositives: count,
  trueNegatives: count,
});

const namedTableSchema = z.lazy(() => z.object({ name: z.string(), table: verdictTableSchema }));
export type NamedTable = z.infer<typeof namedTableSchema>;

/**
 * The error rates of a judge and its agreement with people, for the answers that labels were drawn from: labels drawn with
 * unequal probabilities count 1/π.
 */
export const judgeRatesSchema = z.object({
  /** True positive rate: the share of answers passed by people that the judge passes; the others likewise. */
  truePositiveRate: estimateSchema,
  trueNegativeRate: estimateSchema,
  positivePredictiveValue: estimateSchema,
  negativePredictiveValue: estimateSchema,
  /** The share of answers with the same verdict, Cohen's kappa, and Gwet's AC1. */
  agreement: estimateSchema,
  kappa: estimateSchema,
  ac1: estimateSchema,
});
export type JudgeRates = z.infer<typeof judgeRatesSchema>;

/** The agreement of people with each other, on items that several labelled, before any adjudication. */
export const peopleAgreementSchema = z.object({
  /** The number of people, and of items that at least two of them labelled. */
  people: count,
  items: count,
  /** The share of pairs of labels that are the same. */
  agreement: estimateSchema,
  /** Cohen's kappa of two people, Fleiss' kappa of more. */
  kappa: estimateSchema,
  ac1: estimateSchema,
});
export type PeopleAgreement = z.infer<typeof peopleAgreementSchema>;

/** The pass rate of the answers: as the judge says, as people say, and by both together. */
export const correctedRateSchema = z.object({
  /** The share of answers that the judge passes, and their number. */
  judge: z.object({ value: z.number().nullable(), n: count }),
  /** The estimate from as many labels drawn at random, without the judge. */
  people: estimateSchema,
  /** The method; null where no estimate is possible. */
  method: correctionMethodSchema.nullable(),
  /** The reason for the method, or for having none, in one sentence. */
  why: z.string(),
  /** The corrected rate for all questions of this kind, and for the answers of the run alone where that is narrower. */
  corrected: estimateSchema,
  ofRun: estimateSchema.nullable(),
  /** A warning about the limits. */
  caution: z.enum(['too-few-labels', 'few-disagreements']).nullable(),
  /** The factor by which people alone would need more labels for the same interval; null when unknown. */
  worth: z.number().nullable(),
});
export type CorrectedRate = z.infer<typeof correctedRateSchema>;

/** The conditions of a certificate. */
const conditionIdSchema = z.enum([
  'labels',
  'blind',
  'draw',
  'complete',
  'informative',
  'people-agree',
  'estimate',
  'prompt',
  'targets-alike',
  'steady',
]);

/** A condition of a certificate with its state. What was not measured is not met. */
export const calibrationConditionSchema = z.object({
  id: conditionIdSchema,
  /** True when there is no certificate without it. */
  isRequired: z.boolean(),
  state: z.enum(['met', 'failed', 'not-measured']),
  /** The state in one sentence, with its numbers. */
  sentence: z.string(),
  /** The number of further labels that it is expected to take; absent when met, and when labels cannot help. */
  labelsNeeded: positiveInt().optional(),
});
export type CalibrationCondition = z.infer<typeof calibrationConditionSchema>;

/** The error rates of a judge and the corrected pass rate for the answers of one target. */
export const targetCalibrationSchema = z.lazy(() =>
  z.object({
    name: z.string(),
    answers: count,
    table: verdictTableSchema,
    rates: judgeRatesSchema,
    rate: correctedRateSchema,
  }),
);
export type TargetCalibration = z.infer<typeof targetCalibrationSchema>;

/**
 * The part of the labels that certifies. Half of all cases, by their hash, are for tuning a judge and half for certifying it: a
 * judge that was changed after answers were labelled is certified by the second half alone.
 */
export const calibrationSplitSchema = z.object({
  part: z.enum(['all', 'certify']),
  /** The reason, in one sentence. */
  why: z.string(),
  /** The number of labelled answers that do not count, because they are for tuning. */
  tuning: count,
});
export type CalibrationSplit = z.infer<typeof calibrationSplitSchema>;

/** The labels that a calibration could not use, by the reason. */
export const leftOutSchema = z.object({
  /** Too few people have answered, or all have skipped. */
  open: count,
  disputed: count,
  notApplicable: count,
  /** Labels exist, but none that was given without sight of the judge's verdict. */
  notBlind: count,
  /** The judge gave no verdict, or the answer is not in the run. */
  noVerdict: count,
});
export type LeftOut = z.infer<typeof leftOutSchema>;

/** A judge compared with the labels of people. */
export const calibrationSchema = z.lazy(() =>
  z.object({
    judge: z.object({
      name: z.string(),
      /** Hash of the model, its parameters and the panel. */
      fingerprint: z.string(),
      /** The models that replied, as they name themselves. */
      models: z.array(z.string()),
    }),
    /** The judged metric. Its fingerprint covers the judge, the question and the options. */
    metric: z.object({ name: z.string(), fingerprint: z.string() }),
    rubric: rubricNameSchema,
    /** The run whose verdicts were used, and the review task whose labels were used. */
    run: z.string(),
    task: recordIdSchema,
    frame: frameSchema,
    draw: drawRuleSchema,
    /** The answers that the numbers are about. */
    population: z.object({
      dataset: z.string(),
      targets: z.array(z.object({ name: z.string(), fingerprint: z.string() })),
      /** The number of answers, and of the cases that they are to. */
      categories: z.array(z.object({ category: z.string(), answers: positiveInt(), cases: positiveInt() })),
      /** The creation of the run, ISO 8601. */
      at: z.iso.datetime(),
    }),
    /** The labels that decided, by their ids in order, and the hash of this list. */
    labels: z.object({ ids: z.array(recordIdSchema), hash: z.string() }),
    split: calibrationSplitSchema,
    /** The number of answers that people settled blind and the judge has a verdict on. */
    answers: count,
    leftOut: leftOutSchema,
    table: verdictTableSchema,
    byCategory: z.array(namedTableSchema),
    byTarget: z.array(namedTableSchema),
    rates: judgeRatesSchema,
    people: peopleAgreementSchema,
    rate: correctedRateSchema,
    /** The same of each target; empty when labels are of one. */
    ofTargets: z.array(targetCalibrationSchema),
    /** The least lower limit of kappa or AC1 of people that was asked for. */
    leastAgreement: z.number(),
    /**
     * For a judge that may have been tuned on labels: the number of the look at the labels that certify it, from 1, and the two-sided
     * confidence of all limits, which grows with each look.
     */
    look: z.object({ number: positiveInt(), confidence: z.number().gt(0).lt(1) }).optional(),
    conditions: z.array(calibrationConditionSchema),
  }),
);
export type Calibration = z.infer<typeof calibrationSchema>;

/** The version of files of certificates. */
export const certificateVersion = 1;

/** The time, the author and the program of a certificate or a refused calibration. */
const made = {
  version: z.literal(certificateVersion),
  madeAt: z.iso.datetime(),
  /** The person who compared the judge with labels; absent when unknown. */
  by: personSchema.optional(),
  touchstoneVersion: z.string(),
};

/** The statement that a judge met all required conditions, with everything it was derived from. */
export const certificateSchema = z.lazy(() =>
  z.object({
    ...made,
    /** Hash of everything else. */
    id: recordIdSchema,
    validUntil: z.iso.datetime(),
    calibration: calibrationSchema,
  }),
);
export type Certificate = z.infer<typeof certificateSchema>;

/**
 * A judge compared with labels without meeting all required conditions. It is stored for people to read, and is no certificate:
 * no gate, no report and no correction reads it.
 */
export const refusedCalibrationSchema = z.lazy(() =>
  z.object({
    ...made,
    /** Hash of the calibration: the same numbers are refused once. */
    id: recordIdSchema,
    calibration: calibrationSchema,
  }),
);
export type RefusedCalibration = z.infer<typeof refusedCalibrationSchema>;
