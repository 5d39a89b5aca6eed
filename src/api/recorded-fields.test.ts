import { expect, test } from 'vitest';
import { recordedSpellings } from '../datasets/field-mapping.ts';
import { recordParts } from '../targets/replay/record-aliases.ts';
import { fieldsOf, splitFields } from './load-scoring.ts';

test('every part of a recorded answer has a spelling of its own, but those by which it is found', () => {
  const found = ['id', 'question', 'target', 'traces'];
  const parts = recordParts.filter((part) => !found.includes(part));
  expect(recordedSpellings.toSorted()).toEqual(
    ['recorded', ...parts.map((part) => `recorded.${part}`)].toSorted(),
  );
});

test('a column is for the case, for the answer or for both', () => {
  const fields = {
    a: 'id',
    b: 'question',
    c: 'input',
    d: 'recorded.answer',
    e: 'recorded',
    f: 'expected.answer',
    g: null,
    h: false,
  } as const;
  expect(splitFields(fields)).toEqual({
    cases: fields,
    answers: { a: 'id', b: 'question', c: 'question', d: 'answer' },
    kept: ['e'],
  });
});

test('fields that are not what they should be are left for the check of the config', () => {
  const fields = { a: 'recorded.answer' };
  expect(fieldsOf({ dataset: { path: 'x', fields } })).toEqual(fields);
  for (const dataset of [
    undefined,
    'x',
    ['x'],
    { path: 'x' },
    { path: 'x', fields: { a: 'recorded.king' } },
  ]) {
    expect(fieldsOf({ dataset })).toEqual({});
  }
  expect(fieldsOf(null)).toEqual({});
});
