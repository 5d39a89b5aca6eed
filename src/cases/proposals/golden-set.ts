import type { CaseDraft, Dataset } from '../../evaluate/datasets/dataset.ts';
import { hashText } from '../../core/lib/content-hash.ts';
import { type LintNeeds, lintDataset } from '../lint/lint.ts';
import { checkDraft } from '../../evaluate/run/prepare/check-draft.ts';
import type { LintFinding } from '../../core/schema/api/lint-finding.ts';
import { type Case, questionOf } from '../../core/schema/case.ts';

/** Reads the cases of a golden set. Rows that are no cases are skipped: `touchstone lint` lists them. */
export async function readGolden(dataset: Dataset): Promise<Case[]> {
  const cases: Case[] = [];
  for await (const draft of dataset.drafts()) {
    const checked = checkDraft(draft, { isOneOfMany: true });
    if ('case' in checked) cases.push(checked.case);
  }
  return cases;
}

/**
 * Returns whether a case belongs to the part of a dataset that is held out. The hash of its cluster, or else of its question,
 * decides: the same question is always in the same part, and cases that depend on each other are in one.
 * @param share - The share that is held out, from 0 to 1.
 */
export function isHeldOut(
  testCase: Pick<Case, 'input'> & { readonly cluster?: string },
  share: number,
): boolean {
  const words = questionOf(testCase).normalize('NFKC').toLowerCase().split(/\s+/).join(' ').trim();
  const unit = testCase.cluster === undefined ? `question ${words}` : `cluster ${testCase.cluster}`;
  return Number.parseInt(hashText(`held-out ${unit}`).slice(0, 12), 16) / 2 ** 48 < share;
}

/** A case that is about to enter a dataset. */
export interface EnteringCase {
  /** The id of its proposal, which findings name as their file. */
  readonly proposal: string;
  readonly case: Case;
  /** The id of the case that it replaces. */
  readonly replaces?: string;
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

function toDraft({ case: testCase, proposal }: EnteringCase): CaseDraft {
  const place = { file: proposal };
  return {
    value: testCase,
    place,
    unknownFields: [],
    locate: (path) => ({ place, field: path.join('.') }),
  };
}
