import type { CaseDraft, Dataset } from '../datasets/dataset.ts';
import { lintDataset, type LintNeeds } from '../lint/lint.ts';
import type { LintFinding } from '../schema/api/lint-finding.ts';
import type { Case } from '../schema/case.ts';

/** A case that is about to enter a dataset. */
export interface EnteringCase {
  /** The id of its proposal, which findings name as their file. */
  readonly proposal: string;
  readonly case: Case;
  /** The id of the case that it replaces. */
  readonly replaces?: string | undefined;
}

/** The rules that say nothing about one case, but about a whole set. */
const aboutSets = ['small-sample', 'uniform-answer', 'common-keyword'];

/**
 * Checks cases as `touchstone lint` would once they were in the dataset. Returns the findings about them; `file` is the id of
 * their proposal.
 */
export async function lintCases(
  needs: Omit<LintNeeds, 'against'>,
  entering: readonly EnteringCase[],
): Promise<LintFinding[]> {
  if (entering.length === 0) return [];
  const ids = new Set(entering.map(({ proposal }) => proposal));
  const { findings } = await lintDataset({
    ...needs,
    skip: [...needs.skip, ...aboutSets],
    dataset: withCases(needs.dataset, entering),
  });
  return findings.filter(({ file }) => ids.has(file));
}

/** Returns a dataset as it will be with further cases. */
function withCases(dataset: Dataset, entering: readonly EnteringCase[]): Dataset {
  const replaced = new Set(entering.flatMap(({ replaces }) => replaces ?? []));
  const names = new Set(entering.map(({ proposal }) => proposal));
  return {
    sources: [...dataset.sources, ...names],
    async *drafts() {
      for await (const draft of dataset.drafts()) {
        const origin = (draft.value?.['metadata'] as { origin?: { proposal?: unknown } } | undefined)?.origin;
        // A case that was written to the dataset before is not its own duplicate.
        const isOwn = typeof origin?.proposal === 'string' && names.has(origin.proposal);
        if (!isOwn && !replaced.has(String(draft.value?.['id']))) yield draft;
      }
      for (const each of entering) yield toDraft(each);
    },
  };
}

function toDraft({ case: given, proposal }: EnteringCase): CaseDraft {
  const place = { file: proposal };
  return {
    value: given,
    place,
    unknownFields: [],
    locate: (path) => ({ place, field: path.join('.') }),
  };
}
