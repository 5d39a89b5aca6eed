import { loadLint, type LintChoices } from '../config/load-lint.ts';
import { lintDataset } from '../../cases/lint/lint.ts';
import type { LintReport } from '../../core/schema/api/lint-finding.ts';

/** Options of checking a dataset. */
export interface LintOptions extends Omit<Partial<LintChoices>, 'files' | 'isOwn'> {}

/**
 * Checks the files of a dataset as `touchstone lint` does: duplicates, expectations that say nothing, questions that are
 * also in other files, and so on. Nothing is called.
 * @param files - Files of any format of datasets, relative to the folder; without them, the files of the config's dataset.
 * @throws TouchstoneError for files that cannot be opened, an unknown rule, or a config that is named and cannot be used.
 */
export async function lint(
  files: string | readonly string[],
  options: LintOptions = {},
): Promise<LintReport> {
  const { folder = process.cwd(), onNotice = () => {} } = options;
  return await lintDataset(await loadLint({ ...options, files: [files].flat(), folder, onNotice }));
}
