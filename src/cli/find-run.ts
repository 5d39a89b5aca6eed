import { TouchstoneError } from '../errors.ts';
import { nearestName } from '../lib/text/nearest-name.ts';
import { isJudgeMissing } from '../run/prepare/resume.ts';
import type { Run } from '../schema/run.ts';
import type { Store } from '../stores/store.ts';

/**
 * Finds the run that a user names: by its id, the beginning or the end of it, `latest`, or `latest~1` for the one before
 * the latest. Throws `run-not-found` when none or several match.
 */
export async function findRun(store: Store, given = 'latest'): Promise<Run> {
  const exact = await store.readRun(given);
  if (exact !== undefined) return exact;
  const runs = await store.listRuns();
  const [latest] = runs;
  if (latest === undefined) {
    throw new TouchstoneError('run-not-found', 'There are no runs yet.', {
      remedy: 'Make one: `touchstone run`.',
    });
  }
  if (given === 'latest') return latest;
  const back = /^latest~(\d+)$/.exec(given)?.[1];
  if (back !== undefined) return runs[Number(back)] ?? throwTooFew(given, runs.length);
  const matches = runs.filter(({ id }) => id.startsWith(given) || id.endsWith(given));
  const [match] = matches;
  if (match !== undefined && matches.length === 1) return match;
  if (match !== undefined) {
    const ids = matches.slice(0, 5).map(({ id }) => id);
    throw new TouchstoneError(
      'run-not-found',
      `"${given}" matches ${matches.length} runs: ${ids.join(', ')}.`,
      {
        remedy: 'Give more of the id.',
      },
    );
  }
  const nearest = nearestName(
    given,
    runs.map(({ id }) => id),
  );
  const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
  throw new TouchstoneError('run-not-found', `There is no run "${given}".${hint}`);
}

function throwTooFew(given: string, count: number): never {
  throw new TouchstoneError('run-not-found', `There is no run ${given}: the store has ${count}.`);
}

/**
 * Finds the newest run that ended early or that still lacks verdicts of its judge. Rescored runs are not considered, since
 * their answers belong to another run. Throws `run-not-found` when there is none.
 */
export async function findUnfinishedRun(store: Store): Promise<Run> {
  const runs = (await store.listRuns()).filter(({ rescoredFrom }) => rescoredFrom === undefined);
  const unfinished = runs.find(
    (run) => run.status === 'interrupted' || run.status === 'running' || isJudgeMissing(run),
  );
  if (unfinished !== undefined) return unfinished;
  const completed = runs.find(({ status }) => status === 'completed');
  const further =
    completed === undefined
      ? ''
      : `; or ask only what has changed in the dataset since the last run: \`touchstone run --resume ${completed.id}\``;
  throw new TouchstoneError('run-not-found', 'There is no unfinished run to resume.', {
    remedy: `Start one: \`touchstone run\`${further}.`,
  });
}
