import type { Judge, JudgeNeeds, JudgeQuestion } from '../../src/evaluate/judges/judge.ts';
import { scriptedJudge } from '../../src/evaluate/judges/scripted.ts';
import type { Factory } from '../../src/core/lib/define.ts';
import { exactMatch } from '../../src/evaluate/metrics/text/exact-match.ts';
import type { Metric, MetricInput, MetricNeeds } from '../../src/evaluate/metrics/metric.ts';
import type { Case } from '../../src/core/schema/case.ts';
import type { Trial } from '../../src/core/schema/trial.ts';
import type { Verdict } from '../../src/core/schema/verdict.ts';
import { buildCase, buildTrial, createJudgementMemory } from '../../src/library/testing/build-records.ts';

/** The verdict of a judged metric on one answer. */
export interface JudgedAnswer {
  readonly verdict: Verdict;
  /** The questions that the judge was asked, in order. */
  readonly questions: readonly JudgeQuestion[];
}

/** The parts of a judged answer that matter to a test. */
export interface JudgedAnswerOptions {
  readonly options?: object;
  readonly case?: Partial<Case>;
  readonly trial?: Partial<Trial>;
  /** Rules of the scripted judge. */
  readonly rules?: readonly object[];
}

/** Scores one answer with a judged metric and a scripted judge, for tests. */
export async function judgeAnswer<Input, Options>(
  { definition }: Factory<'metric', Input, Options, Metric, MetricNeeds>,
  answer: string | null,
  { options = {}, rules = [], ...parts }: JudgedAnswerOptions = {},
): Promise<JudgedAnswer> {
  const questions: JudgeQuestion[] = [];
  const metric = definition.create(definition.options.parse(options), {
    judge: () => listen(createScripted(rules), questions),
    metric: () => exactMatch.definition.create(exactMatch.definition.options.parse({}), {}),
  });
  const input: MetricInput = { case: buildCase(parts.case), trial: buildTrial(answer, parts.trial) };
  const { context } = await createJudgementMemory();
  return { verdict: await metric.score(input, context()), questions };
}

function createScripted(rules: readonly object[]): Judge {
  const { definition } = scriptedJudge;
  const given = rules.length === 0 ? [{ reply: { reason: 'as the rule says', score: 0.5 } }] : rules;
  return definition.create(definition.options.parse({ rules: given }), {} as JudgeNeeds);
}

function listen(judge: Judge, questions: JudgeQuestion[]): Judge {
  return {
    ...judge,
    ask: async (question, context) => {
      questions.push(question);
      return await judge.ask(question, context);
    },
  };
}
