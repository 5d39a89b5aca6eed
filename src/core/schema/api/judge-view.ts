import { z } from 'zod';
import { estimateSchema, measureNoiseSchema } from '../estimate.ts';
import { certificateSchema, refusedCalibrationSchema } from '../review/certificate.ts';
import { certificateEndSchema, driftSchema } from '../review/certification.ts';
import { disagreementSchema } from '../summary.ts';
import { percentilesSchema, totalSchema } from '../usage.ts';
import { amount, positiveInt, wholeNumber } from '../json.ts';

/** A judge as the records of runs name it. */
const judgeNameSchema = z.object({ name: z.string(), fingerprint: z.string() });

/** A judge over all runs of a store, from their records. */
export const judgeRowSchema = z.lazy(() =>
  judgeNameSchema.extend({
    /** The names of the metrics that it answers for. */
    metrics: z.array(z.string()),
    runs: positiveInt(),
    /** The newest of them. */
    lastRun: z.object({ id: z.string(), createdAt: z.string() }),
    /** Verdicts of its metrics, and those that are missing because the judge failed. */
    verdicts: wholeNumber(),
    failed: wholeNumber(),
    /** Cost in US dollars of the runs in which it was the only judge; null when none reported any. */
    cost: amount().nullable(),
    /** True when it judged together with another judge, so that the cost of these runs is not known for each. */
    isCostShared: z.boolean(),
    /** The state of the certificate of each metric, for the newest run. */
    certificates: z.array(
      z.object({
        metric: z.string(),
        status: z.enum(['none', 'valid', 'ended']),
        validUntil: z.string().nullable(),
        /** The time of the newest calibration of this metric that gave no certificate; null when there is none. */
        refusedAt: z.string().nullable(),
      }),
    ),
  }),
);
export type JudgeRow = z.infer<typeof judgeRowSchema>;

export const judgeListSchema = z.object({ judges: z.array(judgeRowSchema) });

/** A metric of a run with its judge. */
const judgedMetricSchema = z.object({ run: z.string(), metric: z.string(), judge: judgeNameSchema });
export type JudgedMetric = z.infer<typeof judgedMetricSchema>;

/** One trial on which two verdicts differ. */
const splitSchema = z.object({
  run: z.string(),
  ordinal: wholeNumber(),
  caseId: z.string(),
  target: z.string(),
  /** The verdict of the judge, true for a yes. */
  verdict: z.boolean(),
});

/** The agreement of two judges on the same trials. */
const judgeAgreementSchema = z.lazy(() =>
  z.object({
    own: judgedMetricSchema,
    other: judgedMetricSchema,
    /** Trials on which both said yes or no, and those on which both said the same. */
    pairs: wholeNumber(),
    alike: wholeNumber(),
    /** Share of the pairs that are alike; attempts at a case are averaged first. */
    share: estimateSchema,
    /** Trials with a verdict of both that is no yes or no, such as a score between. */
    graded: wholeNumber(),
    /** The first trials on which they differ. */
    splits: z.array(splitSchema),
  }),
);
export type JudgeAgreement = z.infer<typeof judgeAgreementSchema>;

/** The differences between samples of a judge on the same answers. */
const judgeFlipsSchema = z.lazy(() =>
  z.object({
    run: z.string(),
    metric: z.string(),
    /** Answers that were judged several times, and those whose samples are not all the same. */
    answers: wholeNumber(),
    flipped: wholeNumber(),
    share: estimateSchema,
    splits: z.array(splitSchema),
  }),
);
export type JudgeFlips = z.infer<typeof judgeFlipsSchema>;

/** A certificate with its state for the newest run of the judge that has its metric. */
const certificateViewSchema = z.lazy(() =>
  z.object({
    certificate: certificateSchema,
    status: z.enum(['valid', 'ended']),
    ends: z.array(certificateEndSchema),
    drift: driftSchema.nullable(),
    /** The run for which it is or is not valid. */
    run: z.string(),
    /** The time until which it is valid, ISO 8601. */
    validUntil: z.string(),
    /** The hours that labelling again takes, and the command for it. */
    hours: amount(),
    remedy: z.string(),
  }),
);
export type CertificateView = z.infer<typeof certificateViewSchema>;

/** One question that the judge was asked, in one version of its wording. */
const judgeQuestionSchema = z.lazy(() =>
  z.object({
    /** The author of the question with the version of its wording: `relevance@1`. */
    id: z.string(),
    shape: z.string(),
    judgements: positiveInt(),
    /** The failures by code, with the reason of the first. */
    failures: z.array(z.object({ code: z.string(), reason: z.string(), judgements: positiveInt() })),
  }),
);
export type JudgeQuestion = z.infer<typeof judgeQuestionSchema>;

/** A judge with its judgements, its agreement with others, and what contradicts it. */
export const judgeViewSchema = z.lazy(() =>
  z.object({
    judge: judgeRowSchema,
    /** The certificates of its metrics, the newest first. */
    certificates: z.array(certificateViewSchema),
    /** The calibrations of its metrics that gave no certificate, the newest first. */
    refused: z.array(refusedCalibrationSchema),
    /** The newest runs, with the judge's metrics in each. */
    runs: z.array(z.object({ id: z.string(), createdAt: z.string(), metrics: z.array(z.string()) })),
    /** The runs whose judgements were read, and the number of judgements. */
    read: z.object({ runs: wholeNumber(), judgements: wholeNumber() }),
    questions: z.array(judgeQuestionSchema),
    models: z.array(z.object({ model: z.string(), calls: positiveInt() })),
    calls: wholeNumber(),
    cost: totalSchema,
    /** Time of a call in milliseconds; null when none was recorded. */
    latency: percentilesSchema.nullable(),
    agreements: z.array(judgeAgreementSchema),
    flips: z.array(judgeFlipsSchema),
    /** The spread of the judge's samples, for each target of the newest run in which it is known. */
    noise: z.array(z.object({ run: z.string(), target: z.string(), measure: measureNoiseSchema })),
    /** The ways in which other metrics contradict the judge in the newest run that has some. */
    disagreements: z.object({ run: z.string(), kinds: z.array(disagreementSchema) }).nullable(),
  }),
);
export type JudgeView = z.infer<typeof judgeViewSchema>;
