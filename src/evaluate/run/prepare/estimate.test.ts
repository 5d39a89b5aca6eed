import { expect, test } from 'vitest';
import { createLocalExecutor } from '../../executors/local.ts';
import { createMemoryStore } from '../../../../test/support/memory-store.ts';
import { buildEvaluation, buildTarget, resolvedTarget } from '../../../../test/support/build-evaluation.ts';
import { estimateCalling } from './estimate.ts';
import { run } from '../run.ts';
import { neverStopped } from '../run-needs.ts';

const priced = (cost?: number) =>
  buildTarget(({ caseId }) => ({
    answer: 'yes',
    toolCalls: [],
    ...(cost !== undefined && caseId !== 'free' && { cost }),
  }));

async function runOf(name: string, cost?: number) {
  const cases = ['a', 'b', 'free'].map((id) => ({ id, input: id, expected: { keywords: ['yes'] } }));
  const needs = { store: createMemoryStore(), executor: createLocalExecutor(), observer: {} };
  const evaluation = buildEvaluation(cases, [resolvedTarget(name, priced(cost))]);
  return await run(evaluation, { ...needs, signals: neverStopped });
}

test('the next trials are estimated at the mean cost in the newest run that knows one', async () => {
  const [free, newer, older] = [await runOf('bot'), await runOf('bot', 0.5), await runOf('bot', 9)];
  const targets = [resolvedTarget('bot', priced())];
  expect(estimateCalling({ targets }, [free, newer, older], 100)).toEqual({
    cost: 50,
    from: [newer.id],
    unknown: [],
  });
});

test('targets without a known price are listed, and there is no estimate without any price', async () => {
  const known = await runOf('bot', 0.5);
  const targets = [resolvedTarget('bot', priced()), resolvedTarget('other', priced())];
  expect(estimateCalling({ targets }, [known], 2)).toEqual({ cost: 1, from: [known.id], unknown: ['other'] });
  expect(estimateCalling({ targets }, [], 2)).toBeNull();
});

test("rewriting questions is part of a trial's cost, also when the target reports no price", async () => {
  const rewriting = { model: 'writer', cost: 0.5 };
  for (const [cost, estimate] of [
    [undefined, 12.5],
    [2, 112.5],
  ] as const) {
    const asked = buildTarget(({ attempt }) => ({
      answer: '',
      toolCalls: [],
      ...(cost !== undefined && { cost }),
      ...(attempt === 1 && { rewriting }),
    }));
    const targets = [resolvedTarget('bot', asked)];
    const evaluation = { ...buildEvaluation([{ id: 'q', input: 'q' }], targets), attempts: 2 };
    const earlier = await run(evaluation, {
      store: createMemoryStore(),
      executor: createLocalExecutor(),
      observer: {},
      signals: neverStopped,
    });
    expect(estimateCalling({ targets }, [earlier], 50)?.cost).toBe(estimate);
  }
});
