import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { findDuplicates } from '../../../cases/lint/find-duplicates.ts';
import { TouchstoneError } from '../../../core/errors.ts';
import { createRandom } from '../../../core/stats/index.ts';
import type { Case } from '../../../core/schema/case.ts';
import { openDataset } from '../../../evaluate/datasets/open-dataset.ts';
import { loadCases, type LoadedCase } from '../../../evaluate/run/prepare/load.ts';
import { datasetFiles } from '../../config/attacks/attack-set.ts';
import { readers } from '../../config/load-config.ts';
import type { PlacedCase } from './freshness.ts';
import { heldOutDataset } from './held-out-folder.ts';
import type { RefereeProject } from './open-project.ts';

/** Reads the questions of a file. */
export async function readQuestions(file: string, folder = process.cwd()): Promise<LoadedCase[]> {
  const dataset = await openDataset({ paths: [file], folder, readers });
  return await Array.fromAsync(loadCases(dataset, { onNotice: () => {} }));
}

/** Reads the questions of the working set. */
export async function readWorkingSet({ evaluation }: RefereeProject): Promise<LoadedCase[]> {
  return await Array.fromAsync(loadCases(evaluation.dataset, { onNotice: () => {} }));
}

/** Reads the questions of a held-out set. */
export async function readHeldOutCases(folder: string): Promise<Case[]> {
  const loaded = await Array.fromAsync(loadCases(heldOutDataset(folder), { onNotice: () => {} }));
  return loaded.map((each) => each.case);
}

/** Returns a question with its line. */
export function placed({ case: testCase, place: { line } }: LoadedCase): PlacedCase {
  return { case: testCase, line };
}

/** Returns the file of a working set from which lines can be taken. Throws `usage-invalid` for any other. */
export function soleFile({ config: { dataset }, workspace }: RefereeProject): string {
  const [only, ...others] = datasetFiles(dataset);
  if (only?.endsWith('.jsonl') === true && others.length === 0 && !only.includes('*'))
    return path.resolve(workspace, only);
  throw new TouchstoneError(
    'usage-invalid',
    '`--split` takes lines out of one file of JSON lines, and the dataset is another.',
    {
      remedy: 'Name a file of new questions: `--questions FILE`. They are better in any case.',
    },
  );
}

/** Draws a part of the questions. Questions of a cluster, of a line, and questions that ask the same stay together. */
export function drawPart(working: readonly LoadedCase[], share: number): LoadedCase[] {
  const groups = groupAlike(working);
  const random = createRandom(randomUUID());
  const order = groups.map((group) => ({ group, at: random.next() })).toSorted((a, b) => a.at - b.at);
  const taken: LoadedCase[] = [];
  for (const { group } of order)
    if (taken.length + group.length / 2 <= share * working.length) taken.push(...group);
  if (taken.length > 0 && taken.length < working.length) return taken;
  throw new TouchstoneError(
    'usage-invalid',
    `${working.length} questions cannot be split so that both parts have some.`,
    {
      remedy: 'Name a file of new questions: `--questions FILE`.',
    },
  );
}

function groupAlike(working: readonly LoadedCase[]): LoadedCase[][] {
  const duplicates = findDuplicates(
    [],
    working.map((each) => each.case),
  );
  const parents = working.map((_, index) => index);
  const firstOf = new Map<string, number>();
  const rootOf = (index: number): number => {
    const parent = parents[index] ?? index;
    return parent === index ? index : rootOf(parent);
  };
  for (const [index, { case: testCase, place }] of working.entries()) {
    const { id, cluster } = testCase;
    const keys = [`id ${id}`, `line ${place.file} ${place.line}`];
    if (cluster !== undefined) keys.push(`cluster ${cluster}`);
    const duplicate = duplicates[index];
    if (duplicate !== undefined) keys.push(`id ${duplicate.caseId}`);
    for (const key of keys) {
      const first = firstOf.get(key) ?? index;
      firstOf.set(key, first);
      parents[rootOf(index)] = rootOf(first);
    }
  }
  const groups = new Map<number, LoadedCase[]>();
  for (const [index, each] of working.entries()) {
    const root = rootOf(index);
    groups.set(root, [...(groups.get(root) ?? []), each]);
  }
  return [...groups.values()];
}
