import { expect, test } from 'vitest';
import { findIn, lintRows } from '../../../../test/support/lint-rows.ts';
import { leak } from './leak.ts';

const training = [{ question: 'When do you open?' }, { question: 'Where is the cancellation form?' }];

test('a question that is in the other file is an error, a similar one a warning', async () => {
  const rows = [
    { question: 'Do you ship to Malta?' },
    { question: 'when do you open', expected_answer: 'At nine.' },
    { question: 'Where is the cancelation form?' },
  ];
  const found = await findIn(leak, rows, { against: training });
  expect(found.map(({ line, severity, related }) => [line, severity, related?.line])).toEqual([
    [2, 'error', 1],
    [3, 'warning', 2],
  ]);
});

test('duplicates within either file are not leaks', async () => {
  const twice = [...training, { question: 'when do you open' }];
  expect(await lintRows(leak, [{ question: 'Hello there, who is it?' }], { against: twice })).toEqual([]);
  expect(await lintRows(leak, twice)).toEqual([]);
});
