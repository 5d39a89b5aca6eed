import { expect, test } from 'vitest';
import { findRowFields } from '../../../../src/cases/edits/row-fields.ts';
import { replaceField, type RowDraft } from './edit-row.tsx';

function draftOf(text: string, head = '', isTable = false): RowDraft {
  return { text, fields: findRowFields(text, head, isTable) };
}

/** Edits fields one after the other, and returns the text. */
function edit(draft: RowDraft, values: Readonly<Record<string, string>>): string {
  return Object.entries(values).reduce((before, [name, value]) => {
    const field = before.fields.find((each) => each.name === name);
    if (field === undefined) throw new Error(`There is no field ${name}.`);
    return replaceField(before, field, value);
  }, draft).text;
}

test('of JSON, texts of the first level are fields, and everything else stays byte for byte', () => {
  const row =
    '{"id": "q1",  "question":"How\\u0020much?", "n": 12900000000000000001, "expected_keywords": ["a"]}';
  const draft = draftOf(row);
  expect(draft.fields.map(({ name, value }) => [name, value])).toEqual([
    ['id', 'q1'],
    ['question', 'How much?'],
  ]);
  expect(edit(draft, { question: 'How "many"?', id: 'question-1' })).toBe(
    '{"id": "question-1",  "question":"How \\"many\\"?", "n": 12900000000000000001, "expected_keywords": ["a"]}',
  );
});

test('of a table, cells are fields, with quotation marks where they need them', () => {
  const draft = draftOf('q1,"Is it 5, or 6?",', 'id,question,expected_answer\n', true);
  expect(draft.fields.map(({ name, value }) => [name, value])).toEqual([
    ['id', 'q1'],
    ['question', 'Is it 5, or 6?'],
    ['expected_answer', ''],
  ]);
  expect(edit(draft, { question: 'Five?', expected_answer: 'yes, 5' })).toBe('q1,Five?,"yes, 5"');
  expect(edit(draftOf('q1;a', 'id;question\n', true), { question: 'b;c' })).toBe('q1;"b;c"');
});

test('of YAML, texts are fields, and comments stay', () => {
  const row =
    '  - id: q1 # the first\n    question: How much?\n    expected_answer: |\n      two\n      lines';
  expect(edit(draftOf(row), { question: 'How: much?' })).toBe(
    '  - id: q1 # the first\n    question: "How: much?"\n    expected_answer: |\n      two\n      lines',
  );
});

test('what cannot be read as fields has none', () => {
  expect(draftOf('{"id": "q1"').fields).toEqual([]);
  expect(draftOf('["a"]').fields).toEqual([]);
});
