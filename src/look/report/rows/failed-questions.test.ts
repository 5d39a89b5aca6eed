import { expect, test } from 'vitest';
import { sampleInput } from '../../../../test/support/build-sample-run.ts';
import type { SampleTrial } from '../../../../test/support/judge-sample.ts';
import type { Run } from '../../../core/schema/run.ts';
import { collectFindings } from '../findings.ts';
import { failedQuestions, failsForAll } from './failed-questions.ts';

const right = { found: ['x'], expectedTools: ['search'], usedTools: ['search'] };
const wrong = { missing: ['149', '30 days'], expectedTools: ['search'], usedTools: ['list'] };
const late = { error: { code: 'timeout', message: 'no answer' } };

async function failedOf(trials: readonly SampleTrial[], changes: Partial<Run> = {}) {
  return failedQuestions(await collectFindings(sampleInput(trials, changes))).questions;
}

test('questions that most targets did not pass come first, with the attempt that was worst', async () => {
  const of = (target: string, ids: readonly string[]): SampleTrial[] =>
    ['a', 'b', 'c'].map((id) => ({ ...(ids.includes(id) ? wrong : right), id, target, question: `${id}?` }));
  const [one, two] = [of('one', ['b', 'c']), of('two', ['c'])];
  const failed = await failedOf(one.flatMap((trial, index) => [trial, two[index] as SampleTrial]));
  expect(failed.map(({ row, outcomes }) => [row.id, ...outcomes])).toEqual([
    ['c', 'failed', 'failed'],
    ['b', 'failed', 'passed'],
  ]);
  expect(failed.map(failsForAll)).toEqual([true, false]);
  expect(failed[1]).toMatchObject({ target: 'one', place: 0, ordinal: 2 });
});

test('an error comes before the lowest score, and errors that are alike are one line', async () => {
  const failed = await failedOf([
    { ...wrong, id: 'low' },
    { ...late, id: 'first' },
    { ...late, id: 'second' },
  ]);
  expect(failed.map(({ row, alike }) => [row.id, alike])).toEqual([
    ['first', 1],
    ['low', 0],
  ]);
});

test('of several attempts the rule of the run decides, and without one every attempt has to pass', async () => {
  const attempts = [wrong, right, right].map((each, index) => ({ ...each, id: 'a', attempt: index + 1 }));
  const outcomes = async (changes: Partial<Run>) =>
    (await failedOf(attempts, { attempts: 3, ...changes })).map((each) => each.outcomes);
  expect(await outcomes({})).toEqual([['failed']]);
  expect(await outcomes({ caseRule: { passes: 2, isCurtailed: false } })).toEqual([]);
  expect(await outcomes({ caseRule: { passes: 3, isCurtailed: false } })).toEqual([['failed']]);
});

test('of several attempts, one that ended as the question did is shown', async () => {
  const shown = async (...attempts: readonly SampleTrial[]) => {
    const trials = attempts.map((each, index) => ({ ...each, id: 'a', attempt: index + 1 }));
    const [failed] = await failedOf(trials, { attempts: attempts.length });
    return [failed?.outcomes[0], failed?.row.outcome, failed?.ordinal];
  };
  expect(await shown(late, wrong)).toEqual(['failed', 'failed', 1]);
  expect(await shown(late, right)).toEqual(['error', 'error', 0]);
  expect(await shown(right, wrong, late)).toEqual(['failed', 'failed', 1]);
});

test('where nothing passes or fails, the answers that a metric gives least come first, after errors', async () => {
  const trials = [
    { ...right, id: 'best' },
    { ...wrong, id: 'low' },
    { ...late, id: 'late' },
  ];
  const failed = await failedOf(trials, { scorecard: null });
  expect(failed.map(({ row, outcomes }) => [row.id, ...outcomes])).toEqual([
    ['late', 'error'],
    ['low', 'unscored'],
  ]);
  expect(failed[1]?.ordinal).toBe(1);
  expect(failed[1]?.row.missing.length).toBeGreaterThan(0);
});
