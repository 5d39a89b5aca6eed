import { expect, test } from 'vitest';
import { checkDraft } from '../../run/prepare/check-draft.ts';
import { createFieldMapping } from '../field-mapping.ts';
import { draftCase } from '../draft-case.ts';

function load(row: Record<string, unknown>, hasTextCells = false) {
  const place = { file: 'cases.csv', line: 2 };
  const value = { question: 'What is 1 + 1?', ...row };
  const found = checkDraft(
    draftCase(
      { value, place, locate: () => ({ ...place, column: 7 }) },
      {
        mapping: createFieldMapping({ Anteil: 'weight', other: null }),
        hasTextCells,
        base: undefined,
      },
    ),
  );
  return 'case' in found ? found.case : found.problems;
}

test.each([
  [{ weight: 2.5 }, 2.5],
  [{ weight: '2.5' }, 2.5],
  [{ Gewicht: '2,5' }, 2.5],
  [{ case_weight: '1.204,5' }, 1204.5],
  [{ 'Sample Weight': 3 }, 3],
  [{ Anteil: '0,25' }, 0.25],
])('%j is the weight %d', (row, weight) => {
  expect(load(row)).toMatchObject({ weight });
  expect(load(row, true)).toMatchObject({ weight });
});

test.each([
  [0, 'the number 0'],
  [-1, 'the number -1'],
  ['-2,5', 'the number -2.5'],
  ['heavy', 'the text "heavy"'],
  [true, 'found true'],
  [[2], 'a list'],
])('the weight %j is refused with its place and what to do', (weight, found) => {
  const [problem] = load({ weight }) as { message: string; remedy: string }[];
  expect(problem!.message).toContain('cases.csv:2:7: weight: expected a number above 0');
  expect(problem!.message).toContain(found);
  expect(problem!.remedy).toContain("fields: { 'weight': null }");
});

test('an empty cell is no weight, and the mass of a thing is metadata', () => {
  expect(load({ weight: '' }, true)).not.toHaveProperty('weight');
  expect(load({ weight: null })).not.toHaveProperty('weight');
  for (const weight of ['2 kg', '1,5 t', '12 oz']) {
    const found = load({ weight });
    expect(found).not.toHaveProperty('weight');
    expect(found).toMatchObject({ metadata: { weight } });
  }
});
