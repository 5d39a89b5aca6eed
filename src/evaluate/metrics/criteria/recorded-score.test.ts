import { expect, test } from 'vitest';
import type { Json } from '../../../core/schema/json.ts';
import { buildCase, buildFailedTrial, buildTrial } from '../../../library/testing/build-records.ts';
import { recordedScore } from './recorded-score.ts';

type Options = NonNullable<Parameters<typeof recordedScore>[0]>;

function score(recorded: Record<string, Json> | undefined, options: Options = {}) {
  const { definition } = recordedScore;
  const trial = buildTrial('x', { recorded });
  return definition.create(definition.options.parse(options), {}).score({ case: buildCase(), trial });
}

test.each([
  [1, 1, true],
  [0, 0, false],
  [0.5, 0.5, false],
  [0.9999995, 0.9999995, true],
  [1.0000004, 1, true],
  [true, 1, true],
  [false, 0, false],
  ['Passed', 1, true],
  ['incorrect', 0, false],
  ['0.25', 0.25, false],
] as const)('a recorded reward of %j is %d, passed: %j', (reward, value, passed) => {
  expect(score({ reward })).toMatchObject({ status: 'scored', value, passed });
});

test.each([
  [{ least: 1, greatest: 5 }, 4, 0.75, false],
  [{ least: 1, greatest: 5, passMark: 4 }, 4, 0.75, true],
  [{ least: 100, greatest: 0 }, 25, 0.75, false],
  [{ least: 100, greatest: 0, passMark: 30 }, 25, 0.75, true],
])('with %j, %d is %d, passed: %j', (options, reward, value, passed) => {
  expect(score({ reward }, options)).toMatchObject({ value, passed });
});

test('a path steps into the recorded value, unless a column has that very name', () => {
  const recorded = { evaluations: { Relevance: 1 }, 'evaluations.Style': 0 };
  expect(score(recorded, { field: 'evaluations.Relevance' })).toMatchObject({ value: 1 });
  expect(score(recorded, { field: 'evaluations.Style' })).toMatchObject({ value: 0 });
});

test('a score that was not recorded, or is invalid, is not measured', () => {
  const all: (Record<string, Json> | undefined)[] = [undefined, {}, { reward: null }, { other: 1 }];
  for (const recorded of all) {
    expect(score(recorded)).toEqual({
      status: 'failed',
      code: 'not-recorded',
      reason: 'no `reward` was recorded with the answer',
    });
  }
  for (const reward of [2, -0.1, 'maybe', {}, [1]]) {
    expect(score({ reward })).toMatchObject({ status: 'failed', code: 'recorded-invalid' });
  }
});

test('a failed answer still has its recorded score', () => {
  const { definition } = recordedScore;
  const metric = definition.create(definition.options.parse({}), {});
  expect(metric.measuresFailures).toBe(true);
  const trial = buildFailedTrial('recorded-error', 'crashed', { recorded: { reward: 0 } });
  expect(metric.score({ case: buildCase(), trial })).toMatchObject({ value: 0, passed: false });
});

test('rejects equal values of `least` and `greatest`', () => {
  const { options } = recordedScore.definition;
  expect(options.safeParse({ least: 1 }).error?.issues[0]?.message).toBe(
    'expected another value than `least`',
  );
});
