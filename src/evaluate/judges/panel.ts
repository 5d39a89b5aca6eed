import { z } from 'zod';
import { TouchstoneError } from '../../core/errors.ts';
import { hashContent } from '../../core/lib/content-hash.ts';
import type { AnswerShape } from '../../core/schema/judgement.ts';
import { defineJudge, type Judge, type JudgeAnswer, type JudgeEstimate, judgeOption } from './judge.ts';

/** A judge of several judges that answer each question independently. */
export const panel = defineJudge({
  name: 'panel',
  version: 1,
  summary:
    'Several judges: scores are averaged, a yes or no is decided by majority, and disagreements are shown.',
  words: 'several judges, jury, majority, ensemble, vote, average of judges',
  example: {
    judges: [
      { use: 'openai-chat', model: 'gpt-5' },
      { use: 'anthropic', model: 'claude-sonnet-4-5' },
    ],
  },
  options: () =>
    z.strictObject({
      judges: z.array(judgeOption).min(2).describe('The judges; each answers independently of the others.'),
    }),
  create: (options, { resolveJudge }): Judge => {
    const judges = options.judges.map((use) => resolveJudge(use));
    const fingerprints = judges.map(({ fingerprint }) => fingerprint);
    if (new Set(fingerprints).size < judges.length) {
      throw new TouchstoneError(
        'config-invalid',
        'two judges of the panel are the same, so their agreement would mean nothing',
        {
          remedy: 'Use another model, or ask one judge several times with `samples`.',
        },
      );
    }
    return createPanel(judges);
  },
});

/** Creates a judge of several judges, which must differ in their fingerprints. */
export function createPanel(judges: readonly Judge[]): Judge {
  const fingerprints = judges.map(({ fingerprint }) => fingerprint);
  return {
    name: `panel of ${judges.map(({ name }) => name).join(', ')}`,
    fingerprint: hashContent(['panel', 1, ...fingerprints.toSorted()]),
    concurrency: Math.min(...judges.map(({ concurrency }) => concurrency)),
    models: [...new Set(judges.flatMap(({ models }) => models))],
    members: judges,
    open: async () => {
      await Promise.all(judges.map(async (judge) => await judge.open?.()));
    },
    close: async () => {
      await Promise.all(judges.map(async (judge) => await judge.close?.()));
    },
    ask: async (question, context) =>
      pool(await Promise.all(judges.map(async (judge) => await judge.ask(question, context)))),
    estimate: async (questions) =>
      addUp(await Promise.all(judges.map(async (judge) => await judge.estimate(questions)))),
  };
}

/** Combines the answers. When a member has none, the panel has no answer: with it, the panel might have decided differently. */
function pool<Shape extends AnswerShape>(answers: readonly JudgeAnswer<Shape>[]): JudgeAnswer<Shape> {
  const failed = answers.find((answer) => answer.status === 'failed');
  if (failed === undefined) {
    return {
      status: 'answered',
      ballots: answers.flatMap((answer) => (answer.status === 'answered' ? answer.ballots : [])),
    };
  }
  const judgements = answers.flatMap((answer) =>
    answer.status === 'answered' ? answer.ballots.map(({ judgement }) => judgement) : answer.judgements,
  );
  return { ...failed, judgements };
}

function addUp(estimates: readonly JudgeEstimate[]): JudgeEstimate {
  const sum = (amount: (estimate: JudgeEstimate) => number) =>
    estimates.reduce((total, estimate) => total + amount(estimate), 0);
  const isPriced = estimates.every(({ cost }) => cost !== undefined);
  const isInBatches = isPriced && estimates.some(({ usualCost }) => usualCost !== undefined);
  return {
    calls: sum(({ calls }) => calls),
    inputTokens: sum(({ inputTokens }) => inputTokens),
    outputTokens: sum(({ outputTokens }) => outputTokens),
    cost: isPriced ? sum(({ cost }) => cost ?? 0) : undefined,
    ...(isInBatches && { usualCost: sum(({ cost, usualCost }) => usualCost ?? cost ?? 0) }),
  };
}
