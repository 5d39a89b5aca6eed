import path from 'node:path';
import { openForRun } from '../../evaluate/run/participants.ts';
import { loadCases } from '../../evaluate/run/prepare/load.ts';
import type { LoadedEvaluation } from '../../library/config/load-evaluation.ts';
import { hasStore, openStoreOf, storeFolderOf } from '../../library/config/open-store-of.ts';
import { isPostgresUrl } from '../../stores/postgres/url.ts';
import type { Store } from '../../stores/store.ts';

/**
 * Opens the store that a new run is made in. Where there is none yet, the questions are read first, so that no empty store is left
 * behind where they cannot be read; not from a stream, which can be read once. Throws what is wrong with them.
 */
export async function openForNewRun(loaded: LoadedEvaluation, elsewhere: string | undefined): Promise<Store> {
  const folder = elsewhere === undefined ? storeFolderOf(loaded) : folderNamed(elsewhere);
  if (folder !== undefined && !hasStore(folder)) await checkQuestions(loaded);
  return openStoreOf(loaded, { elsewhere });
}

function folderNamed(store: string): string | undefined {
  return isPostgresUrl(store) ? undefined : path.resolve(store);
}

async function checkQuestions({ evaluation }: LoadedEvaluation): Promise<void> {
  const { dataset, caseChecks } = evaluation;
  if (dataset.isReadOnce === true) return;
  try {
    for await (const _case of loadCases(dataset, { onNotice: () => {}, caseChecks }));
  } catch (error) {
    // What else keeps the run from beginning is said with it.
    await using _opened = await openForRun(evaluation);
    throw error;
  }
}
