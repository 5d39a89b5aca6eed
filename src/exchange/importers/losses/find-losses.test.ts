import { expect, test } from 'vitest';
import { importFiles } from '../../../../test/support/import-files.ts';
import { exactNumber } from '../../../core/lib/json/exact-number.ts';
import { findLosses, WrittenValues } from './find-losses.ts';

function lossesOf(value: unknown, written: unknown, reads: readonly string[] = []): string[] {
  const values = new WrittenValues([]);
  values.add(written);
  return findLosses([{ file: '', value }], values, reads).map(({ path: at, count }) => `${at} ${count}`);
}

test('a value of a file that nothing contains is named by its path, with its count', () => {
  const source = {
    rows: [
      { id: 'first', note: 'seen twice' },
      { id: 'second', note: 'seen twice' },
    ],
    by: 'Ada L.',
  };
  expect(lossesOf(source, [{ key: 'first' }, { key: 'second' }])).toEqual(['rows[].note 2', 'by 1']);
  expect(lossesOf(source, { all: ['first', 'second', 'seen twice', 'Ada L.'] })).toEqual([]);
});

test('a truth value or a short number is found under its name only, whatever the spelling of the name', () => {
  expect(lossesOf({ is_cached: true, n: 3 }, { other: true, three: 3 })).toEqual(['is_cached 1', 'n 1']);
  expect(lossesOf({ is_cached: true, n: 3 }, { isCached: true, n: 3 })).toEqual([]);
  expect(lossesOf({ result: { success: true } }, { passed: true }, ['result.success'])).toEqual([]);
});

test('times, seconds and JSON in a text are found in the form in which they are written', () => {
  const source = { at: '2026-01-02 03:04:05+01:00', seconds: 1.234, call: '{"city": "Oslo harbour"}' };
  const written = {
    startedAt: '2026-01-02T02:04:05.000Z',
    latencyMs: 1234,
    arguments: { city: 'Oslo harbour' },
  };
  expect(lossesOf(source, written)).toEqual([]);
});

test('a whole number beyond 2^53, such as nanoseconds since 1970, is a value of a file', () => {
  const source = { ended: exactNumber('1812345687666234567'), id: exactNumber('9007199254740993') };
  expect(lossesOf(source, { id: '9007199254740993' })).toEqual(['ended 1']);
});

test('an object of which nearly all is lost is one loss, and what a program named is one path', () => {
  const usage = { total: 1001, prompt: 1002, completion: 1003 };
  expect(lossesOf([{ answer: 'Four legs.', usage }], ['Four legs.'])).toEqual(['[].usage 3']);
  const byId = {
    '0f8fad5b-d9cb-469f-a165-70867728950e': 'gone',
    '7c9e6679-7425-40de-944b-e07fc1f90ae7': 'lost',
  };
  expect(lossesOf({ byId, left: 'here' }, ['here'])).toEqual(['byId.* 2']);
});

test('a fact with a key in it is written nowhere, and named', async () => {
  const key = `sk-${'a1B2'.repeat(8)}`;
  const trace = {
    id: 't1',
    input: 'Cost?',
    output: '49',
    timestamp: '2026-01-02T03:04:05Z',
    observations: [],
    scores: [],
  };
  const { files, record } = await importFiles({
    'traces.json': [{ ...trace, htmlPath: '/project/1', release: 'v1.2', api_key: key }],
  });
  expect(Object.values(files).join('')).not.toContain(key);
  expect(files['answers.jsonl']).toContain('"release":"v1.2"');
  expect(record.ledger).toContainEqual(
    expect.objectContaining({ fate: 'left-out', part: '[].api_key', count: 1 }),
  );
});
