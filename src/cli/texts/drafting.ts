import type { DraftObserver } from '../../cases/draft/draft.ts';
import { TouchstoneError } from '../../core/errors.ts';
import { didYouMean } from '../../core/lib/text/nearest-name.ts';
import { questionKinds } from '../../core/schema/api/draft-report.ts';
import { formatCount, formatPlural } from '../../look/report/format.ts';
import { estimateText } from '../../look/reporters/draft.ts';
import { createProgressLines } from '../progress-lines.ts';

/** Returns the weights of `--mix` by the kinds of question. Throws `usage-invalid` for an unknown kind. */
export function checkMix(mix: ReadonlyMap<string, number> | undefined): Record<string, number> | undefined {
  if (mix === undefined) return undefined;
  const unknown = [...mix.keys()].find((kind) => !questionKinds.some((known) => known === kind));
  if (unknown === undefined) return Object.fromEntries(mix);
  const hint = didYouMean(unknown, questionKinds);
  throw new TouchstoneError('usage-invalid', `No question is of the kind "${unknown}".${hint}`, {
    remedy: `Choose from ${questionKinds.join(', ')}.`,
  });
}

/** Creates the lines of progress on standard error: what is going to be asked at what price, then how far it is. */
export function createDraftLines(source: 'document' | 'trace') {
  const { note, show } = createProgressLines();
  let [drafted, checked] = [0, 0];
  const showCounts = () =>
    show(() => `${formatPlural(drafted, 'question')} drafted, ${formatCount(checked)} checked`);
  const observer: DraftObserver = {
    onPlanned: (estimate, documents) =>
      note(`${formatPlural(documents, source)}. ${estimateText({ ...estimate, notices: [] }).trim()}`),
    onDrafted: (questions) => {
      drafted += questions;
      showCounts();
    },
    onChecked: (questions) => {
      checked += questions;
      showCounts();
    },
  };
  return { note, observer };
}
