import { TouchstoneError } from '../../../core/errors.ts';
import { shorten } from '../../../core/lib/text/terminal-text.ts';
import { uncategorized } from '../../../core/schema/case.ts';
import type { Evaluation } from '../evaluation.ts';
import { refuseConversation, refuseToolResults, requireUser } from '../participants.ts';
import { type LoadedCase, type LoadNotice, loadCases } from './load.ts';

type Participant = 'targets' | 'tools' | 'users';

/**
 * Yields the cases that a run asks. The whole dataset is read in any case, since a bad row anywhere should be reported.
 * Throws the errors of `loadCases`, `dataset-empty` when no case is left, and `user-missing` when no user can play a
 * case's user.
 */
export async function* selectCases(
  {
    dataset,
    selects,
    limit,
    caseChecks,
    ...participants
  }: Pick<Evaluation, 'dataset' | 'selects' | 'limit' | 'caseChecks' | Participant>,
  onNotice: (notice: LoadNotice) => void,
): AsyncGenerator<LoadedCase> {
  const categories = new Set<string>();
  let read = 0;
  let selected = 0;
  for await (const loaded of loadCases(dataset, { onNotice, caseChecks })) {
    read += 1;
    if (categories.size <= mostCategories) categories.add(loaded.case.category ?? uncategorized);
    if (selected >= limit || !selects(loaded.case)) continue;
    selected += 1;
    requireUser(loaded, participants);
    refuseConversation(loaded, participants);
    refuseToolResults(loaded, participants);
    yield loaded;
  }
  if (selected === 0) throw noneSelected(read, [...categories]);
}

const mostCategories = 12;
const longestName = 40;

function noneSelected(read: number, categories: readonly string[]): TouchstoneError {
  const shown = categories.slice(0, mostCategories).map((category) => shorten(category, longestName));
  const list = `${shown.join(', ')}${categories.length > mostCategories ? ', …' : ''}`;
  return new TouchstoneError(
    'dataset-empty',
    `The filter ${read === 1 ? 'does not select the only question' : `selects none of the ${read} questions`}.`,
    {
      remedy: `Loosen \`--filter\`. The categories are ${list}.`,
    },
  );
}
