import type { Dataset } from '../datasets/dataset.ts';
import { checkDraft } from '../run/prepare/check-draft.ts';
import type { Case } from '../schema/case.ts';

/** Reads the cases of a golden set. Rows that are no cases are left out: `touchstone lint` lists them. */
export async function readGolden(dataset: Dataset): Promise<Case[]> {
  const cases: Case[] = [];
  for await (const draft of dataset.drafts()) {
    const checked = checkDraft(draft, { isOneOfMany: true });
    if ('case' in checked) cases.push(checked.case);
  }
  return cases;
}
