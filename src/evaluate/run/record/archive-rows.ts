import { formatPlace, type Place } from '../../../core/errors.ts';
import { hashBytes } from '../../../core/lib/content-hash.ts';
import type { Judgement } from '../../../core/schema/judgement.ts';
import type { PlannedCase, Result } from '../../../core/schema/result.ts';
import type { Store } from '../../../stores/store.ts';
import { type CheckedLine, invalidImport } from './archive-line.ts';

/** Writes the lines of an exported run after its first to a store, in batches. */
export interface RowWriter {
  /** Takes a line. Returns whether it is time to flush. Throws `import-invalid` for a line that cannot be here. */
  add(line: CheckedLine): Promise<boolean>;
  /** Stores what was taken since the last flush. */
  flush(): Promise<void>;
  /** Returns whether the last line of the run was taken. */
  hasEnded(): boolean;
}

/** The rows that are stored together. */
const batchSize = 500;

/** Creates the writer of the rows of a run whose record is in the store already. Rows that are there already are replaced. */
export function createRowWriter(runId: string, store: Store): RowWriter {
  let cases: PlannedCase[] = [];
  let judgements: Judgement[] = [];
  let results: Result[] = [];
  let end: Place | undefined;
  return {
    add: async ({ content, place }) => {
      if (end !== undefined) {
        throw invalidImport(
          `${formatPlace(place)}: more lines after the end of the run at ${formatPlace(end)}.`,
        );
      }
      if (content.type === 'blob') await keepBlob(runId, content.blob, store);
      else if (content.type === 'case') cases.push(content.case);
      else if (content.type === 'judgement') judgements.push(content.judgement);
      else if (content.type === 'result') results.push(content.result);
      else if (content.type === 'end') end = place;
      else throw invalidImport(`${formatPlace(place)}: a second run begins in the same file.`);
      return cases.length + judgements.length + results.length >= batchSize;
    },
    flush: async () => {
      await store.addCases(runId, cases);
      await store.addJudgements(runId, judgements);
      await store.addTrials(runId, results);
      await store.addScores(runId, results);
      [cases, judgements, results] = [[], [], []];
    },
    hasEnded: () => end !== undefined,
  };
}

/** Stores a file before the records that name it. Throws `import-invalid` for bytes that do not have their hash. */
async function keepBlob(
  runId: string,
  { hash, base64 }: { readonly hash: string; readonly base64: string },
  store: Store,
): Promise<void> {
  const bytes = Buffer.from(base64, 'base64');
  if (hashBytes(bytes) !== hash)
    throw invalidImport(`The file ${hash.slice(0, 12)}… does not have its hash.`);
  await store.blobs.keep(runId, [{ hash, read: async () => bytes }]);
}
