import { escapeJson } from '../../core/lib/objects.ts';
import type { Run } from '../../core/schema/run.ts';
import { deleteRuns, findRun } from '../../look/queries/runs.ts';
import { formatPlural } from '../../look/report/format.ts';
import type { Store } from '../../stores/store.ts';
import { confirm } from '../confirm.ts';
import { openStore } from '../open-store.ts';
import { claimStdout } from '../output.ts';

/**
 * Runs `touchstone delete RUN…`: removes runs with all their records, unless a process is working on one of them. Returns
 * the exit code.
 */
export async function deleteCommand(
  names: readonly string[],
  flags: { store?: string; json?: boolean; yes?: boolean },
): Promise<number> {
  const output = claimStdout();
  const store = await openStore(flags.store);
  try {
    const runs = new Map<string, Run>();
    for (const name of names) {
      const run = await findRun(store, name);
      runs.set(run.id, run);
    }
    const ids = [...runs.keys()];
    const labels = await countLabels(ids, store);
    if (flags.yes !== true) await confirmDeletion([...runs.values()], labels);
    await deleteRuns(ids, store);
    await output.write(
      flags.json === true
        ? `${escapeJson(JSON.stringify({ deleted: ids, labelsKept: labels }))}\n`
        : `Deleted ${ids.join(', ')}.\n`,
    );
    if (labels > 0) console.error(describeKept(labels));
    return 0;
  } finally {
    await store.close();
  }
}

/** Counts people's labels of the answers of runs. */
async function countLabels(ids: readonly string[], { reviews }: Store): Promise<number> {
  const counts = await Promise.all(ids.map(async (run) => await reviews.countLabels({ run })));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Labels outlive their run, since they hold for the same answers in other runs; but the answers can no longer be shown. */
function describeKept(labels: number): string {
  const noun = formatPlural(labels, 'label');
  return `${noun} of these answers by people stay in the store; items that are not labelled yet can no longer be.`;
}

async function confirmDeletion(runs: readonly Run[], labels: number): Promise<void> {
  if (labels > 0) console.error(describeKept(labels));
  const what = runs.map(({ id, dataset }) => `${id} (${formatPlural(dataset.cases, 'case')})`).join(', ');
  await confirm({
    question: `Delete ${what} permanently?`,
    unasked: `Deleting cannot be undone: ${what}.`,
    remedy: 'Confirm with `--yes`. To keep a copy first: `touchstone export`.',
    refused: 'Nothing was deleted.',
  });
}
