import { expect, test } from 'vitest';
import type { RecordedRow } from './recorded-row.ts';
import { RecordingIndex } from './recording-index.ts';

type Parts = Partial<Omit<RecordedRow, 'place' | 'value'>>;

function indexOf(...rows: readonly Parts[]): RecordingIndex {
  const index = new RecordingIndex();
  for (const [handle, parts] of rows.entries()) {
    const place = { file: 'f', line: handle + 1 };
    const row = {
      ids: [],
      question: undefined,
      attempt: undefined,
      isTrace: false,
      target: undefined,
      startedAt: undefined,
    };
    index.add({ ...row, ...parts, place, value: {} }, handle);
  }
  return index;
}

const find = (index: RecordingIndex, caseId: string, attempt: number, input = '?') =>
  index.find({ caseId, input, attempt }).map(({ handle }) => handle);

test('attempts that count from 0 are accepted', () => {
  const numbers = [0, 1, 2];
  for (const from of [0, 1]) {
    const index = indexOf(...numbers.map((number) => ({ ids: ['a'], attempt: number + from })));
    expect(numbers.map((number) => find(index, 'a', number + 1))).toEqual([[0], [1], [2]]);
    expect(index.mostAttempts).toBe(3);
    expect(find(index, 'a', 4)).toEqual([]);
  }
});

test('one row that counts from 0 determines how all others count', () => {
  const index = indexOf({ ids: ['a'], attempt: 1 }, { ids: ['b'], attempt: 0 }, { ids: ['c'] });
  expect(find(index, 'a', 1)).toEqual([]);
  expect(find(index, 'a', 2)).toEqual([0]);
  expect(find(index, 'b', 1)).toEqual([1]);
  expect(find(index, 'c', 1)).toEqual([2]);
});

test('unnumbered traces of the same case or question are attempts in the order of the file', () => {
  const index = indexOf(
    { ids: ['t1'], question: 'q', isTrace: true },
    { ids: ['t2'], question: ' q\n', isTrace: true },
    { ids: ['case', 't3'], question: 'other', isTrace: true },
    { ids: ['case', 't4'], question: 'other', isTrace: true },
  );
  expect([1, 2, 3].map((attempt) => find(index, 'x', attempt, 'q'))).toEqual([[0], [1], []]);
  expect([1, 2].map((attempt) => find(index, 'case', attempt))).toEqual([[2], [3]]);
  expect(find(index, 't2', 1)).toEqual([1]);
  expect(index.attemptsAt({ caseId: 'x', input: 'q' })).toBe(2);
  expect(index.attemptsAt({ caseId: 'x', input: 'never asked' })).toBe(0);
  expect(index.mostAttempts).toBe(2);
});

test('missing attempts are counted', () => {
  const attempt = (id: string, number: number) => ({ ids: [id], attempt: number });
  const index = indexOf(attempt('a', 1), attempt('a', 2), attempt('a', 3), attempt('b', 1), attempt('c', 3));
  expect(index.gaps).toEqual({ cases: 2, attempts: 4 });
});

test('long questions are distinguished to their last character', () => {
  const long = 'x'.repeat(1000);
  const index = indexOf({ question: `${long}a` }, { question: `${long}b` });
  expect(find(index, 'x', 1, `${long}b`)).toEqual([1]);
});

test('two answers to the same trial are refused with both places', () => {
  const twice = [
    { ids: ['a'], attempt: 2 },
    { ids: ['a'], attempt: 2 },
  ];
  expect(() => indexOf(...twice)).toThrow('Two recorded answers have the id "a" and attempt 2: f:1 and f:2.');
  expect(() => indexOf({ question: 'q' }, { question: 'q' })).toThrow('the same question: f:1 and f:2.');
});
