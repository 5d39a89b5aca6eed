import { isContainer } from '../../../core/lib/json/is-container.ts';
import type { Json } from '../../../core/schema/json.ts';
import type { Result } from '../../../core/schema/result.ts';
import type { Run } from '../../../core/schema/run.ts';
import type { NeverRetrieved } from '../../../core/schema/metric.ts';

/**
 * Finds the targets that never retrieved an expected document although they retrieved others: the ids in the dataset and in the replies
 * then probably have different forms. Returns them by name. Reads results only until each target has found one.
 */
export async function findNeverRetrieved(
  { dataset, metrics, targets }: Pick<Run, 'dataset' | 'metrics' | 'targets'>,
  readResults: () => AsyncIterable<Result>,
): Promise<ReadonlyMap<string, NeverRetrieved>> {
  const tallies = new Map<string, NeverRetrieved>();
  const names = metrics.flatMap(({ name, reads = [] }) => (reads.includes('documents') ? [name] : []));
  const areExpected = dataset.expectations?.some(({ expectation }) => expectation === 'documents');
  if (areExpected !== true || names.length === 0) return tallies;
  const pending = new Set(targets.map(({ name }) => name));
  for await (const { trial, verdicts } of readResults()) {
    if (!pending.has(trial.target)) continue;
    const ranking = names.map((name) => readRanking(verdicts[name])).find((found) => found !== undefined);
    if (ranking === undefined) continue;
    if (ranking.hasFound) {
      pending.delete(trial.target);
      tallies.delete(trial.target);
      if (pending.size === 0) break;
      continue;
    }
    const retrieved = trial.documents?.find(({ given }) => given !== true)?.id;
    const {
      missed: [expected],
    } = ranking;
    if (retrieved === undefined || expected === undefined) continue;
    const before = tallies.get(trial.target) ?? { trials: 0, expected, retrieved };
    tallies.set(trial.target, { ...before, trials: before.trials + 1 });
  }
  return tallies;
}

interface Ranking {
  readonly hasFound: boolean;
  readonly missed: readonly string[];
}

/** Reads which expected documents were found, from the evidence of a verdict or of one of its parts; undefined where it says nothing of them. */
function readRanking(verdict: Result['verdicts'][string] | undefined): Ranking | undefined {
  if (verdict?.status !== 'scored') return undefined;
  const evidence = fieldsOf(verdict.evidence);
  const parts = Object.values(fieldsOf(evidence['parts'])).map((part) =>
    fieldsOf(fieldsOf(part)['evidence']),
  );
  for (const { found, missed, retrieved } of [evidence, ...parts]) {
    if (!Array.isArray(found) || !Array.isArray(missed) || typeof retrieved !== 'number') continue;
    return { hasFound: found.length > 0, missed: missed.filter((id) => typeof id === 'string') };
  }
  return undefined;
}

function fieldsOf(value: Json | undefined): Readonly<Record<string, Json>> {
  return value !== undefined && isContainer(value) && !Array.isArray(value) ? value : {};
}
