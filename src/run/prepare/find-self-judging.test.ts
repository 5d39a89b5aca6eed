import { expect, test } from 'vitest';
import type { Judge } from '../../judges/judge.ts';
import { buildTarget, liveMetric, liveTarget } from '../../testing/build-evaluation.ts';
import { findSelfJudging } from './find-self-judging.ts';

test('a target that is judged by its own model is named, however deep its options name the model', () => {
  const judge = { models: ['m-1', 'm-2'] } as unknown as Judge;
  const metrics = [liveMetric('relevance', { judge, score: () => ({ status: 'scored', value: 1 }) })];
  const target = (name: string, use: object) => ({
    ...liveTarget(
      name,
      buildTarget(() => 'yes'),
    ),
    use: { use: 'chat', ...use },
  });
  const targets = [
    target('same', { model: { use: 'openai-chat', model: 'm-2' } }),
    target('other', { model: { use: 'openai-chat', model: 'm-3' } }),
    target('none', { path: 'm-1' }),
  ];
  expect(findSelfJudging({ targets, metrics })).toEqual([expect.stringMatching(/^same is judged by m-2/)]);
});
