import { expect, test } from 'vitest';
import { recordedSpellings } from '../../../evaluate/datasets/field-mapping.ts';
import { recordParts } from '../../../evaluate/targets/replay/record-aliases.ts';
import { fieldsOf, splitFields } from './load-scoring.ts';

test('every part of a recorded answer has its own spelling, except the parts that identify its case', () => {
  const found = ['id', 'question', 'target', 'traces'];
  const parts = recordParts.filter((part) => !found.includes(part));
  expect(recordedSpellings.toSorted()).toEqual(
    ['recorded', ...parts.map((part) => `recorded.${part}`)].toSorted(),
  );
});

test('a column belongs to the case, to the answer or to both', () => {
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

test('invalid fields are left to the check of the config', () => {
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
