import { expect, test } from 'vitest';
import { buildKeptRun } from '../../../../test/support/build-kept-run.ts';
import { findPart, type PartChoices } from './run-part.ts';

/** Selects a part of a run with two attempts per question, where the first attempt at every third question fails. */
async function findIn(questions: number, choices: PartChoices): Promise<readonly number[] | undefined> {
  const cases = Array.from({ length: questions }, (_, index) => ({
    asks: `q${index}`,
    category: index % 2 === 0 ? 'even' : 'odd',
    attempts: [{ total: index % 3 === 0 ? 0.2 : 1 }, { total: 1 }],
  }));
  const { run, store } = await buildKeptRun(cases);
  const part = await findPart(run, store, choices);
  return part?.ordinals;
}

test('a filter selects all trials of its cases', async () => {
  expect(await findIn(6, { filter: ['id=q1|q4'] })).toEqual([2, 3, 8, 9]);
  expect(await findIn(6, { filter: ['category=even', 'id!=q2'] })).toEqual([0, 1, 8, 9]);
  expect(await findIn(6, { filter: ['id=nothing'] })).toEqual([]);
});

test('trials that did not pass are found whether the summary lists all of them or only the first', async () => {
  for (const questions of [6, 300]) {
    const failed = Array.from({ length: questions / 3 }, (_, index) => 6 * index);
    expect(await findIn(questions, { failed: true })).toEqual(failed);
    const even = failed.filter((ordinal) => ordinal % 4 === 0);
    expect(await findIn(questions, { failed: true, filter: ['category=even'] })).toEqual(even);
  }
});

test('a filter selects trials by their results', async () => {
  expect(await findIn(6, { filter: ['passed=false'] })).toEqual([0, 6]);
  expect(await findIn(6, { filter: ['total<0.7 category=odd'] })).toEqual([6]);
  expect(await findIn(6, { filter: ['keywords=1', 'id=q0|q1'] })).toEqual([1, 2, 3]);
});

test('without a choice the whole run is selected, and an invalid filter is refused', async () => {
  expect(await findIn(2, {})).toBeUndefined();
  await expect(findIn(2, { filter: ['nonsense'] })).rejects.toMatchObject({ code: 'usage-invalid' });
  await expect(findIn(2, { filter: ['keyword<1'] })).rejects.toThrow('Did you mean "keywords"?');
});
