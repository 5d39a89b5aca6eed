import type { Dataset } from '../../datasets/dataset.ts';
import { TouchstoneError } from '../../errors.ts';
import { loadCases } from './load.ts';

/**
 * Adds what is wrong with a dataset to a refusal that has nothing to do with it, such as a missing key: who mends the one
 * is not refused again for the other. Gives the refusal itself where the dataset is fine, or can be read only once.
 * @param dataset - It, or what was thrown when it was opened.
 */
export async function withDatasetProblems(
  refusal: unknown,
  dataset: Dataset | TouchstoneError,
): Promise<unknown> {
  if (!(refusal instanceof TouchstoneError)) return refusal;
  const problem = dataset instanceof TouchstoneError ? dataset : await problemOf(dataset);
  if (problem === undefined) return refusal;
  return new TouchstoneError(problem.code, `${problem.message}\nAnd another problem: ${refusal.message}`, {
    remedy: `${problem.remedy}\n  → ${refusal.remedy}`,
    cause: refusal,
  });
}

async function problemOf(dataset: Dataset): Promise<TouchstoneError | undefined> {
  if (dataset.sources.includes('<stdin>')) return undefined;
  try {
    for await (const _case of loadCases(dataset, { onNotice: () => {} }));
    return undefined;
  } catch (error) {
    return error instanceof TouchstoneError ? error : undefined;
  }
}
