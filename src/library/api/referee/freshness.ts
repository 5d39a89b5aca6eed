import path from 'node:path';
import { TouchstoneError } from '../../../core/errors.ts';
import { readProgram } from '../../../core/lib/programs/start.ts';
import { type Case, questionOf } from '../../../core/schema/case.ts';
import { findDuplicates } from '../../../cases/lint/find-duplicates.ts';
import { readRuns } from '../../../stores/store.ts';
import { proposalKind } from '../../../stores/kinds/proposal.ts';
import { openStoreOf } from '../../config/open-store-of.ts';
import { rootOf } from './held-out-folder.ts';
import type { RefereeProject } from './open-project.ts';

/** The places in which held-out questions are that someone may have read, with the number of these questions. */
export interface KnownQuestions {
  readonly runs: number;
  readonly proposals: number;
  /** Questions in a commit; null where there is no git. */
  readonly history: number | null;
}

/** The share of words from which two questions ask the same. */
const alike = 0.9;

/** A question with its line in the file that it comes from. */
export interface PlacedCase {
  readonly case: Case;
  readonly line?: number;
}

/** Returns the questions that ask the same as one of the working set, or share a cluster with one. */
export function findShared(working: readonly Case[], heldOut: readonly PlacedCase[]): string[] {
  const clusters = new Set(working.flatMap(({ cluster }) => cluster ?? []));
  const duplicates = findDuplicates(
    working,
    heldOut.map((each) => each.case),
  );
  return heldOut.flatMap(({ case: { cluster }, line }, place) => {
    const duplicate = duplicates[place];
    const where = `line ${line ?? place + 1}`;
    if (cluster !== undefined && clusters.has(cluster))
      return `${where} is of the cluster "${cluster}", which the working set has`;
    if (duplicate === undefined || duplicate.isCandidate || duplicate.similarity < alike) return [];
    return `${where} asks the same as "${duplicate.caseId}" of the working set`;
  });
}

const mostNamed = 5;

/** Throws `usage-invalid` when questions are in both sets: an agent could learn those by heart. */
export function refuseShared(shared: readonly string[]): void {
  if (shared.length === 0) return;
  const more = shared.length > mostNamed ? `, and ${shared.length - mostNamed} more` : '';
  throw new TouchstoneError(
    'usage-invalid',
    `The held-out set and the working set share questions: ${shared.slice(0, mostNamed).join('; ')}${more}.`,
    { remedy: 'Leave them out of one of the two; no set was made.' },
  );
}

/** Counts the held-out questions that are in runs of the workspace, in proposals, or in the history of git. */
export async function countKnown(
  { config, workspace }: RefereeProject,
  cases: readonly Case[],
): Promise<KnownQuestions> {
  const questions = new Set(cases.map((each) => questionOf(each).trim()));
  const store = openStoreOf({ config, folder: workspace }, { opening: 'existing' });
  const asked = new Set<string>();
  const proposed = new Set<string>();
  const note = (found: Set<string>, testCase: Case) => {
    const question = questionOf(testCase).trim();
    if (questions.has(question)) found.add(question);
  };
  try {
    for await (const run of readRuns(store))
      for await (const { case: testCase } of store.readCases(run.id)) note(asked, testCase);
    for await (const { proposal } of store.documents.list(proposalKind)) {
      const question = JSON.stringify(proposal);
      for (const each of questions)
        if (question.includes(JSON.stringify(each).slice(1, -1))) proposed.add(each);
    }
  } finally {
    await store.close();
  }
  return {
    runs: asked.size,
    proposals: proposed.size,
    history: await countInHistory(workspace, [...questions]),
  };
}

/** Counts the texts that a commit of any branch has added or removed; null where there is no git. */
async function countInHistory(folder: string, questions: readonly string[]): Promise<number | null> {
  const root = rootOf(folder);
  const git = async (...args: string[]) => await readProgram('git', args, { folder: root });
  try {
    await git('rev-parse', '--verify', 'HEAD');
  } catch {
    return null;
  }
  let found = 0;
  for (const question of questions) {
    const text = longestPlain(question);
    if (
      text !== '' &&
      (await git('log', '--all', '-S', text, '--max-count=1', '--format=%h', '--', '.')) !== ''
    )
      found += 1;
  }
  return found;
}

/** Returns the longest part of a text that is written alike in JSON, CSV and YAML. */
function longestPlain(text: string): string {
  const parts = text.split(/["'\\\r\n\t]|[^\x20-\uFFFF]/u);
  return parts.reduce((longest, part) => (part.length > longest.length ? part : longest), '').slice(0, 2000);
}

/** Returns where questions are that someone may have read, in words; undefined when nowhere. */
export function describeKnown({ runs, proposals, history }: KnownQuestions): string | undefined {
  const places = [
    [runs, 'in runs of this workspace'],
    [proposals, 'in proposals'],
    [history ?? 0, 'in the history of git'],
  ] as const;
  const found = places.flatMap(([count, place]) => (count === 0 ? [] : `${count} ${place}`));
  return found.length === 0 ? undefined : found.join(', ');
}

/** Returns a path as a person in the workspace reads it. */
export function pathFrom(workspace: string, file: string): string {
  return path.relative(workspace, file) || '.';
}
