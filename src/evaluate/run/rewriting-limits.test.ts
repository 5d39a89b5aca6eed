import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { ChatModel } from '../models/model.ts';
import { scripted } from '../models/scripted.ts';
import { paraphrase } from '../conditions/perturbations/paraphrase.ts';
import type { QuestionPerturbation } from '../conditions/perturbations/perturbation.ts';
import { createRewriter } from '../conditions/rewriter.ts';
import { withPerturbedQuestion } from '../conditions/with-perturbed-question.ts';
import type { Target, TargetContext } from '../targets/target.ts';
import { buildTarget } from '../../../test/support/build-evaluation.ts';
import { requestOf } from '../../../test/support/prepare-target.ts';
import { askTarget } from './call/ask-target.ts';
import { FirstTurn } from './call/first-turn.ts';
import type { CallLimits } from './call/within-limits.ts';

type Before = (context: Pick<TargetContext, 'signal' | 'onWaiting'>) => Promise<unknown>;

/**
 * Creates a target whose questions are rewritten, at half a dollar, by a model that runs the given work before it
 * replies.
 */
function rewritten(target: Target, before: Before = async () => {}): Target {
  const { definition } = scripted;
  const needs = { folder: '.', environment: {} };
  const model = definition.create(definition.options.parse({ otherwise: 'Other words' }), needs);
  const generate: ChatModel['generate'] = async (request, context) => {
    await before(context);
    return { ...(await model.generate(request, context)), cost: 0.5 };
  };
  const rewriter = createRewriter({ ...model, name: 'writer', generate });
  const perturbation = paraphrase as QuestionPerturbation;
  return withPerturbedQuestion(target, { perturbation, rate: 1, variant: undefined, rewriter });
}

const limits = (more: Partial<CallLimits> = {}): CallLimits => ({
  timeLimitMs: 600,
  maxRetries: 0,
  abort: new AbortController().signal,
  ...more,
});

const abortedAfter = (milliseconds: number) => AbortSignal.timeout(milliseconds);

const untilItEnds: Before = async ({ signal }) => await wait(10_000, undefined, { signal });
const paid = { model: 'writer', cost: 0.5 };

const waitForTurn =
  (milliseconds: number): Before =>
  async ({ onWaiting }) => {
    onWaiting?.(true);
    await wait(milliseconds);
    onWaiting?.(false);
  };

test("waiting for another trial's rewriting does not count towards the time limit", async () => {
  const target = rewritten(
    buildTarget(() => 'Yes.'),
    waitForTurn(1200),
  );
  const asked = await Promise.all([1, 2, 3].map(() => askTarget(requestOf('What?'), target, limits())));
  expect(asked.map(({ reply }) => reply?.answer)).toEqual(['Yes.', 'Yes.', 'Yes.']);
  expect(asked.flatMap(({ reply }) => reply?.rewriting ?? [])).toEqual([paid]);
});

test("once a run is stopped, a trial that waits for another's rewriting is given up, and the rewriting trial ends", async () => {
  const stop = new AbortController();
  const target = rewritten(
    buildTarget(() => 'Yes.'),
    async () => await wait(500),
  );
  const turns = [new FirstTurn(stop.signal), new FirstTurn(stop.signal)];
  const all = turns.map((firstTurn) => askTarget(requestOf('What?'), target, limits({ firstTurn })));
  await wait(30);
  stop.abort();
  const [first] = await Promise.all(all);
  expect(first?.reply?.answer).toBe('Yes.');
  expect(turns.map(({ isGivenUp }) => isGivenUp)).toEqual([false, true]);
});

test("a trial that waited for another's rewriting is given up where it waits for the target", async () => {
  const stop = new AbortController();
  const bot = buildTarget(async (_request, context) => {
    await waitForTurn(1000)(context);
    return 'Yes.';
  });
  const target = rewritten(bot, waitForTurn(50));
  const turns = [new FirstTurn(stop.signal), new FirstTurn(stop.signal)];
  const all = turns.map((firstTurn) => askTarget(requestOf('What?'), target, limits({ firstTurn })));
  await expect.poll(() => bot.calls.length).toBe(2);
  stop.abort();
  await Promise.all(all);
  // The first has a rewriting that was paid for.
  expect(turns.map(({ isGivenUp }) => isGivenUp)).toEqual([false, true]);
});

test('a trial that is cancelled while its question is rewritten has not failed', async () => {
  const bot = buildTarget(() => 'Yes.');
  for (const before of [untilItEnds, async () => await wait(900)]) {
    const { failure } = await askTarget(
      requestOf('What?'),
      rewritten(bot, before),
      limits({ abort: abortedAfter(50) }),
    );
    expect(failure).toMatchObject({ code: 'cancelled', message: 'the run was stopped' });
  }
  await wait(900);
  expect(bot.calls).toEqual([]);
});

test('a question that is not rewritten in time is not a failure of the target, which is not asked afterwards', async () => {
  const bot = buildTarget(() => 'Yes.');
  const late = Promise.withResolvers<void>();
  for (const before of [untilItEnds, async () => await late.promise]) {
    const { failure } = await askTarget(requestOf('What?'), rewritten(bot, before), limits());
    expect(failure).toMatchObject({
      code: 'perturbation-failed',
      message: 'the question could not be rewritten: no answer within 600 ms',
    });
  }
  late.resolve();
  await wait(100);
  expect(bot.calls).toEqual([]);
});

test('the question and usage of an aborted call are known', async () => {
  let late = 0;
  const heedful = async ({ signal }: TargetContext) => await wait(60_000, undefined, { signal });
  const answered = Promise.withResolvers<void>();
  const deaf = async () => await answered.promise;
  for (const work of [heedful, deaf]) {
    const bot = buildTarget(async (_request, context) => {
      await work(context);
      return 'Yes.';
    });
    const { failure } = await askTarget(
      requestOf('What?'),
      rewritten(bot),
      // Long enough for the rewriting, on a busy machine too.
      limits({ timeLimitMs: 2000, onLate: () => (late += 1) }),
    );
    expect(failure).toMatchObject({ code: 'timeout', message: 'no answer within 2000 ms' });
    expect(failure?.partial).toMatchObject({ asked: 'Other words', rewriting: paid });
  }
  answered.resolve();
  await expect.poll(() => late).toBe(1);
});
