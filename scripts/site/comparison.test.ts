import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { comparisonPage, comparisonTable, findOldClaims, readComparison } from './comparison.ts';

const root = path.resolve(import.meta.dirname, '..', '..');
const days = (count: number) => new Date(Date.parse('2026-11-01') + count * 86_400_000);
const cell = { text: 'a [retry] of errors', sources: ['https://example.com/retry'], checkedOn: '2026-11-01' };
const comparison = {
  about: '',
  tools: ['Other'],
  rows: [{ claim: 'after a crash', ours: '[resumes](docs/limits.md)', theirs: { Other: cell } }],
};

test('each cell links its source, and after 180 days the page says when it was read', () => {
  expect(comparisonTable(comparison).split('\n').at(-1)).toBe(
    '| after a crash | [resumes](docs/limits.md) | a [retry](https://example.com/retry) of errors |',
  );
  expect(findOldClaims(comparison, days(180))).toEqual([]);
  expect(findOldClaims(comparison, days(181))).toEqual(['after a crash: Other, read on 2026-11-01']);
  expect(comparisonPage(comparison, days(180))).not.toContain('(read on');
  expect(comparisonPage(comparison, days(181))).toContain(' of errors (read on 1 November 2026) |');
});

test('a cell without a source, and one that is missing, are refused by name', () => {
  expect(readComparison(root).rows).toHaveLength(9);
  const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-'));
  mkdirSync(path.join(folder, 'site'));
  const read = (theirs: object) => {
    const rows = [{ claim: 'after a crash', ours: '', theirs }];
    writeFileSync(path.join(folder, 'site', 'compare.json'), JSON.stringify({ ...comparison, rows }));
    return () => readComparison(folder);
  };
  expect(read({ Other: cell })).not.toThrow();
  expect(read({})).toThrow('“after a crash” of Other is missing');
  expect(read({ Other: { ...cell, text: 'no retry' } })).toThrow('has 0 links and 1 sources');
  expect(read({ Other: { ...cell, sources: [] } })).toThrow('sources');
  rmSync(folder, { recursive: true });
});
