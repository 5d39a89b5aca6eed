import { expect, test } from 'vitest';
import { findSharedTables, splitOptions } from './shared-options.ts';

const option = (name: string, meaning = 'as ever') => ({ name, rows: [[name, meaning]] });
const owner = (name: string, page: string, ...options: ReturnType<typeof option>[]) => ({
  name,
  page,
  options,
});

const rubric = owner('rubric', 'metrics.md', option('judge'), option('threshold'), option('text'));
const safety = owner('safety', 'metrics.md', option('judge'), option('threshold'));
const match = owner('match', 'metrics.md', option('threshold', 'another one'), option('text', 'a third one'));
const panel = owner('panel', 'judges.md', option('judge'));
const owners = [rubric, safety, match, panel];
const plan = { title: 'Judged metrics', owner: 'rubric', options: ['judge'] };
const tables = findSharedTables(owners, [plan], { 'metrics.md': 'Options of several metrics' });

test('options that are the same word for word are printed once', () => {
  expect(tables).toEqual([
    { title: 'Judged metrics', page: 'metrics.md', options: [option('judge')] },
    { title: 'Options of several metrics', page: 'metrics.md', options: [option('threshold')] },
  ]);
});

test('an owner keeps what it has alone and links to the rest, on another page too', () => {
  expect(splitOptions(rubric, tables)).toEqual({
    own: [option('text')],
    shared: [
      'More options: `judge` ([judged metrics](#judged-metrics)); `threshold` ([options of several metrics](#options-of-several-metrics)).',
    ],
  });
  expect(splitOptions(match, tables)).toEqual({ own: match.options, shared: [] });
  expect(splitOptions(panel, tables)).toEqual({
    own: [],
    shared: ['Options: `judge` ([judged metrics](metrics.md#judged-metrics)).'],
  });
});

test('a planned table with an option that is not shared is an error', () => {
  const title = 'Texts';
  expect(() => findSharedTables(owners, [{ title, owner: 'rubric', options: ['text'] }], {})).toThrow(
    'The shared table "Texts" has an option of rubric that it shares with no other.',
  );
});
