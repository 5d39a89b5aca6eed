import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { movedTables, readMovedProject } from '../../scripts/site/moved-promptfoo.ts';
import { withTables } from '../../scripts/write-call-tables.ts';

const moved = await readMovedProject(path.join(import.meta.dirname, 'promptfoo'));

test('every verdict of promptfoo that our checks repeat is the same, and what differs is what the page names', () => {
  expect(moved.answers).toHaveLength(30);
  expect(moved.agreement).toMatchObject({ answers: 25, agreeing: 25, checks: 31, differences: [] });
  const differing = moved.answers.filter(({ promptfoo, touchstone }) => promptfoo !== touchstone);
  expect(differing.map(({ question, promptfoo, touchstone }) => [question, promptfoo, touchstone])).toEqual([
    ['How are you?', 'passed', 'not measured'],
    ['How are you?', 'passed', 'not measured'],
  ]);
});

test('the tables of the page are those of the results', () => {
  const page = readFileSync(path.join(import.meta.dirname, 'README.md'), 'utf8');
  expect(withTables(page, movedTables(moved))).toBe(page);
});
