import type { Dataset } from '../../datasets/dataset.ts';
import { TouchstoneError } from '../../errors.ts';
import { checkDraft, type LoadedCase } from './load/check-draft.ts';
import { KeptFields, type LoadNotice, SuspiciousFields } from './load/kept-fields.ts';
import { ProblemList } from './load/problem-list.ts';

/** A longer dataset is worth compiling the schema of its cases. */
const mostUncompiled = 1000;

export type { LoadedCase, LoadNotice };

/**
 * Reads and checks all cases of a dataset, one at a time. Throws one `dataset-invalid` that names the first ten
 * problems and counts the others once everything has been read, and `dataset-empty` when there is nothing.
 */
export async function* loadCases(
  dataset: Dataset,
  { onNotice }: { readonly onNotice: (notice: LoadNotice) => void },
): AsyncGenerator<LoadedCase> {
  const problems = new ProblemList();
  const keptFields = new KeptFields();
  const suspicious = new SuspiciousFields(dataset.sources);
  let rows = 0;
  try {
    for await (const draft of dataset.drafts()) {
      rows += 1;
      keptFields.add(draft.unknownFields);
      suspicious.add(draft.suspicious);
      const checked = checkDraft(draft, rows > mostUncompiled);
      if ('problems' in checked) problems.add(...checked.problems);
      else if (problems.isEmpty && suspicious.isEmpty) yield checked;
    }
  } catch (error) {
    // Where the rest of a file cannot be read, what was wrong before it is told all the same.
    if (!(error instanceof TouchstoneError) || error.code !== 'dataset-invalid') throw error;
    problems.add({ message: error.message, remedy: error.remedy });
  }
  problems.add(...suspicious.problems());
  problems.add(...(dataset.findUnused?.() ?? []));
  problems.throwIfAny();
  if (rows === 0) {
    throw new TouchstoneError('dataset-empty', `There are no cases in ${dataset.sources.join(', ')}.`);
  }
  keptFields.report(onNotice);
}
