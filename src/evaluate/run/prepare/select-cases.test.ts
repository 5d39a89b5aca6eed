import { expect, test } from 'vitest';
import type { CaseDraft, Dataset } from '../../datasets/dataset.ts';
import type { Case } from '../../../core/schema/case.ts';
import { buildEvaluation } from '../../../../test/support/build-evaluation.ts';
import { selectCases } from './select-cases.ts';

function datasetOf(values: readonly (Partial<Case> & { readonly input: string })[]): Dataset {
  async function* drafts(): AsyncGenerator<CaseDraft> {
    for (const [index, value] of values.entries()) {
      const place = { file: 'memory', line: index + 1 };
      yield { value, place, unknownFields: [], locate: () => ({ place, field: '' }) };
    }
  }
  return { sources: ['memory'], drafts };
}

const all = datasetOf([
  { id: 'a', input: 'a', category: 'x' },
  { id: 'b', input: 'b', category: 'y' },
  { id: 'c', input: 'c' },
]);

async function select(
  dataset: Dataset,
  selects: (testCase: Case) => boolean,
  limit = Number.POSITIVE_INFINITY,
) {
  const { targets, users } = buildEvaluation([], []);
  const choice = { dataset, selects, limit, targets, users };
  const cases = await Array.fromAsync(selectCases(choice, () => {}));
  return cases.map((loaded) => loaded.case.id);
}

test('the first cases that the filter selects are asked', async () => {
  expect(await select(all, () => true)).toEqual(['a', 'b', 'c']);
  expect(await select(all, ({ id }) => id !== 'a')).toEqual(['b', 'c']);
  expect(await select(all, ({ id }) => id !== 'a', 1)).toEqual(['b']);
});

test('a bad row is reported even when it stands behind the last case that is asked', async () => {
  const dataset = datasetOf([{ input: 'a' }, { input: '' }]);
  await expect(select(dataset, () => true, 1)).rejects.toMatchObject({ code: 'dataset-invalid' });
});

test('a filter that selects no case is refused with the existing categories', async () => {
  await expect(select(all, () => false)).rejects.toMatchObject({
    code: 'dataset-empty',
    message: 'The filter selects none of the 3 questions.',
    remedy: 'Loosen `--filter`. The categories are x, y, uncategorized.',
  });
  const many = datasetOf(
    Array.from({ length: 20 }, (_, index) => ({ input: 'q', id: `${index}`, category: `c${index}` })),
  );
  await expect(select(many, () => false)).rejects.toMatchObject({
    remedy: expect.stringMatching(/ c0, .*, c11, …\.$/),
  });
});
