import type { Judge, JudgeAnswer, JudgeContext, JudgeQuestion } from '../../judges/judge.ts';
import type { AnswerShape } from '../../schema/judgement.ts';

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
export interface SampleChoices {
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
