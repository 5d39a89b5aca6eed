import { z } from 'zod';
import { TouchstoneError } from '../../../core/errors.ts';
import {
  type Ballot,
  type Judge,
  type JudgeAnswer,
  type JudgeContext,
  judgeOption,
  type JudgeQuestion,
} from '../../judges/judge.ts';
import { lazily } from '../../../core/lib/lazily.ts';
import { type Json, share } from '../../../core/schema/json.ts';
import type { AnswerShape } from '../../../core/schema/judgement.ts';
import { useOrNameSchema } from '../../../core/schema/use.ts';
import type { Verdict, VerdictSample } from '../../../core/schema/verdict.ts';
import type { MetricNeeds } from '../metric.ts';
import { reaches, thresholdOption } from '../verdicts.ts';

/** A computed metric that can decide before the judge is asked. */
const decidingRuleSchema = z.lazy(() =>
  z.strictObject({
    metric: useOrNameSchema.describe(
      'The metric that decides: its name, such as `exact-match`, or the name with options.',
    ),
    atLeast: z.number().optional().describe('The metric decides when its value is at least this.'),
    atMost: z.number().optional().describe('The metric decides when its value is at most this.'),
    score: share().describe('The score in that case.'),
  }),
);

/** The options that every judged metric has. */
export const judgedOptions = lazily(() =>
  z.strictObject({
    judge: judgeOption
      .optional()
      .describe(
        'The judge to ask: `{ use: chat-model, model: … }`; the one of the configuration when absent.',
      ),
    samples: z
      .int()
      .min(1)
      .max(100)
      .default(1)
      .describe('How often each question is asked; the value is the mean, and the spread is shown.'),
    threshold: thresholdOption(),
    ignoresAttachments: z
      .boolean()
      .optional()
      .describe(
        'True where pictures and other files do not matter to it: the judge is asked without them. Otherwise a judge that cannot see them is not asked.',
      ),
    decidedBy: z
      .array(decidingRuleSchema)
      .default([])
      .describe(
        'Computed metrics that can decide without the judge: `[{ metric: exact-match, atLeast: 1, score: 1 }]`; the first one that decides is used.',
      ),
  }),
);
export type JudgedOptions = z.output<ReturnType<typeof judgedOptions>>;

/** Returns the judge of a metric. Throws `judge-missing` when none is configured. */
export function findJudge(
  metric: string,
  { judge, ignoresAttachments }: Pick<JudgedOptions, 'judge' | 'ignoresAttachments'>,
  needs: MetricNeeds,
): Judge {
  const found = needs.judge?.(judge);
  if (found !== undefined) return ignoresAttachments === true ? withoutFiles(found) : found;
  throw new TouchstoneError('judge-missing', `the metric ${metric} asks a judge, and none is configured`);
}

/** Returns a judge that is asked about texts alone. */
function withoutFiles(judge: Judge): Judge {
  return {
    ...judge,
    ask: (question, context) => {
      const material = question.material.map(({ attachments: _files, ...part }) => part);
      return judge.ask({ ...question, material }, context);
    },
  };
}

/** A question without the number of its sample. */
export type QuestionDraft<Shape extends AnswerShape> = Omit<JudgeQuestion<Shape>, 'sample'>;

/** Returns one question for each sample. */
export function samplesOf<Shape extends AnswerShape>(
  question: QuestionDraft<Shape>,
  samples: number,
): JudgeQuestion<Shape>[] {
  return Array.from({ length: samples }, (_, index) => ({ ...question, sample: index + 1 }));
}

/** The judge to ask, the context of the trial, and the number of samples. */
interface SampleChoices {
  readonly judge: Judge;
  readonly context: JudgeContext;
  readonly samples: number;
}

/**
 * Asks all samples of a question at the same time. When one of them fails, the whole fails: a mean over fewer samples
 * would be another measurement.
 */
export async function askSamples<Shape extends AnswerShape>(
  question: QuestionDraft<Shape>,
  { judge, context, samples }: SampleChoices,
): Promise<JudgeAnswer<Shape>> {
  const asked = samplesOf(question, samples).map(async (each) => await judge.ask(each, context));
  const answers = await Promise.all(asked);
  const ballots = answers.flatMap((answer) => (answer.status === 'answered' ? answer.ballots : []));
  const failed = answers.filter((answer) => answer.status === 'failed');
  const [first] = failed;
  if (first === undefined) return { status: 'answered', ballots };
  const judgements = [
    ...ballots.map(({ judgement }) => judgement),
    ...failed.flatMap((each) => each.judgements),
  ];
  const share = samples === 1 ? '' : `${failed.length} of ${samples} samples failed: `;
  return { ...first, reason: `${share}${first.reason}`, judgements };
}

type Vote = {
  readonly judge: string;
  readonly sample: number;
  readonly value: number;
  readonly reason: string;
  /** The score on the judge's own scale, when that is not 0 to 1. */
  readonly given?: Given;
};

type Given = NonNullable<Ballot<'score'>['answer']['given']>;

/** Combines scores to a verdict: their mean, with the spread when there are several. */
export function verdictOfScores(ballots: readonly Ballot<'score'>[], threshold: number | undefined): Verdict {
  const votes = ballots.map(({ answer, ...ballot }) => ({
    ...ballot,
    value: answer.score,
    reason: answer.reason,
    given: answer.given,
  }));
  const value = meanOf(votes);
  return {
    status: 'scored',
    value,
    passed: reaches(value, threshold),
    explanation: explain(votes, value),
    evidence: describeVotes(votes, value),
    ...perSample(ballots, (sample) => verdictOfScores(sample, threshold)),
    judgements: ballots.map(({ judgement }) => judgement),
  };
}

/** Combines yes and no answers to a verdict by majority: 1 or 0, and 0.5 for a tie. */
export function verdictOfVerdicts(ballots: readonly Ballot<'verdict'>[]): Verdict {
  const votes = ballots.map(({ answer, ...ballot }) => ({
    ...ballot,
    value: answer.verdict === 'yes' ? 1 : 0,
    reason: answer.reason,
  }));
  const share = meanOf(votes);
  const value = share === 0.5 ? 0.5 : Math.round(share);
  return {
    status: 'scored',
    value,
    passed: value > 0.5,
    explanation: explain(votes, value),
    evidence: describeVotes(votes, share),
    ...perSample(ballots, verdictOfVerdicts),
    judgements: ballots.map(({ judgement }) => judgement),
  };
}

/**
 * Returns the verdict of each sample by itself, over all judges of a panel; an empty object when there is only one
 * sample.
 */
export function perSample<Cast extends Pick<Ballot, 'sample'>>(
  ballots: readonly Cast[],
  count: (ballots: readonly Cast[]) => Verdict,
): { readonly samples?: VerdictSample[] } {
  const bySample = [...Map.groupBy(ballots, ({ sample }) => sample).values()];
  if (bySample.length < 2) return {};
  const samples = bySample.flatMap((sample) => {
    const verdict = count(sample);
    if (verdict.status !== 'scored') return [];
    const { value, passed } = verdict;
    return [passed === undefined ? { value } : { value, passed }];
  });
  return { samples };
}

function meanOf(votes: readonly Vote[]): number {
  const sum = votes.reduce((total, { value }) => total + value, 0);
  // Rounding errors of the sum must not leave the range of the votes.
  return Math.min(1, Math.max(0, sum / votes.length));
}

function explain(votes: readonly Vote[], value: number): string {
  const nearest = votes.reduce((best, vote) =>
    Math.abs(vote.value - value) < Math.abs(best.value - value) ? vote : best,
  );
  const { given } = nearest;
  const scale = given === undefined ? '' : ` on the scale from ${given.least} to ${given.most}`;
  if (votes.length === 1)
    return given === undefined ? nearest.reason : `${given.score}${scale}. ${nearest.reason}`;
  const values = votes.map((vote) => vote.given?.score ?? vote.value);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const range = least === most ? `all ${format(least)}` : `from ${format(least)} to ${format(most)}`;
  const spread = `${range}${scale}`;
  return `${votes.length} ballots, ${spread}. ${nearest.reason}`;
}

/**
 * Returns every ballot with the mean and spread. A single ballot has its reason in the explanation already, so only the
 * score on its own scale is left to show.
 */
function describeVotes(votes: readonly Vote[], mean: number): Json | undefined {
  if (votes.length === 1) return votes[0]?.given === undefined ? undefined : { given: votes[0].given };
  const values = votes.map(({ value }) => value);
  const squares = values.reduce((total, value) => total + (value - mean) ** 2, 0);
  return {
    mean,
    standardDeviation: Math.sqrt(squares / (votes.length - 1)),
    least: Math.min(...values),
    most: Math.max(...values),
    ballots: votes.map(({ judge, sample, value, reason, given }) => ({
      judge,
      sample,
      value,
      reason,
      ...(given && { given }),
    })),
  };
}

function format(value: number): string {
  return String(Math.round(value * 100) / 100);
}
