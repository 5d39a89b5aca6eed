import { z } from 'zod';
import { TouchstoneError } from '../../errors.ts';
import {
  type Ballot,
  type Judge,
  type JudgeAnswer,
  type JudgeContext,
  judgeOption,
  type JudgeQuestion,
} from '../../judges/judge.ts';
import { lazily } from '../../lib/lazily.ts';
import type { Json } from '../../schema/json.ts';
import type { AnswerShape } from '../../schema/judgement.ts';
import { useOrNameSchema } from '../../schema/use.ts';
import type { Verdict, VerdictSample } from '../../schema/verdict.ts';
import type { MetricNeeds } from '../metric.ts';

/** A computed metric that can decide before the judge is asked. */
const decidingRuleSchema = z.lazy(() =>
  z.strictObject({
    metric: useOrNameSchema.describe('The metric that decides: `exact-match`, or one with its options.'),
    atLeast: z.number().optional().describe('It decides when its value is not less.'),
    atMost: z.number().optional().describe('It decides when its value is not more.'),
    score: z.number().min(0).max(1).describe('The score that it decides on.'),
  }),
);

/** Options that every judged metric has. */
export const judgedOptions = lazily(() =>
  z.strictObject({
    judge: judgeOption
      .optional()
      .describe("The judge to ask: `{ use: chat-model, model: … }`; the configuration's when left out."),
    samples: z
      .int()
      .min(1)
      .max(100)
      .default(1)
      .describe('How often each question is asked: the mean counts, and the spread is shown.'),
    threshold: z.number().min(0).max(1).optional().describe('Least value for the verdict to pass.'),
    decidedBy: z
      .array(decidingRuleSchema)
      .default([])
      .describe(
        'Computed metrics that can decide without the judge: `[{ metric: exact-match, atLeast: 1, score: 1 }]`; the first that does counts.',
      ),
  }),
);
export type JudgedOptions = z.output<ReturnType<typeof judgedOptions>>;

/** The judge of a metric. Throws `judge-missing`. */
export function findJudge(
  metric: string,
  { judge }: Pick<JudgedOptions, 'judge'>,
  needs: MetricNeeds,
): Judge {
  const found = needs.judge?.(judge);
  if (found !== undefined) return found;
  throw new TouchstoneError('judge-missing', `the metric ${metric} asks a judge, and none is configured`);
}

/** A question that has not been given the number of a sample. */
export type QuestionDraft<Shape extends AnswerShape> = Omit<JudgeQuestion<Shape>, 'sample'>;

/** Makes the questions of all samples. */
export function samplesOf<Shape extends AnswerShape>(
  question: QuestionDraft<Shape>,
  samples: number,
): JudgeQuestion<Shape>[] {
  return Array.from({ length: samples }, (_, index) => ({ ...question, sample: index + 1 }));
}

/** Who is asked, and how often. */
interface SampleChoices {
  readonly judge: Judge;
  readonly context: JudgeContext;
  readonly samples: number;
}

/**
 * Asks a question as often as wanted, at the same time. When one of the samples has no answer, neither has the whole: a
 * mean over fewer would be another measurement.
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
  /** What the judge said on another scale. */
  readonly given?: Given | undefined;
};

type Given = NonNullable<Ballot<'score'>['answer']['given']>;

/** The verdict of scores: their mean, with the spread when there are several. */
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
    passed: threshold === undefined ? undefined : value >= threshold - 1e-9,
    explanation: explain(votes, value),
    evidence: describeVotes(votes, value),
    ...perSample(ballots, (sample) => verdictOfScores(sample, threshold)),
    judgements: ballots.map(({ judgement }) => judgement),
  };
}

/** The verdict of yes and no: 1 or 0 by majority, 0.5 when both have as many. */
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

/** The verdict that each sample would give by itself, of all judges; empty where there was only one. */
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
  // Rounding of the sum must not leave the range that all votes are in.
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

/** Every ballot and how far they agree; of a single one, whose reason is the explanation, what was said on another scale. */
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
