import { TouchstoneError } from '../../core/errors.ts';
import type { CaseHistory } from '../../core/schema/api/dataset-view.ts';
import type { RunHead } from '../../core/schema/api/run-head.ts';
import { outcomeOfTrial, type PlannedCase } from '../../core/schema/result.ts';
import type { Store } from '../../stores/store.ts';
import { runsOver } from './datasets.ts';

/** The number of the last runs that are searched for a case. */
const mostRuns = 100;

/** Reads the contents of a case over time, and its results in every run. Throws `case-not-found` when no run has it. */
export async function readCaseHistory(store: Store, name: string, caseId: string): Promise<CaseHistory> {
  const runs = (await runsOver(store, name)).slice(0, mostRuns);
  const asked: AskedCase[] = [];
  for (const run of runs) {
    const planned = await store.findCase(run.id, caseId);
    if (planned !== undefined) asked.push({ run, planned });
  }
  if (asked.length === 0) {
    throw new TouchstoneError('case-not-found', `No run over ${name} has a question "${caseId}".`);
  }
  return {
    name,
    id: caseId,
    contents: contentsOf(asked),
    runs: await Promise.all(asked.map(async (one) => await readResults(store, one))),
  };
}

/** A case in the plan of a run. */
interface AskedCase {
  readonly run: RunHead;
  readonly planned: PlannedCase;
}

function contentsOf(asked: readonly AskedCase[]): CaseHistory['contents'] {
  const byHash = Map.groupBy(asked, ({ planned }) => planned.hash);
  return Array.from(byHash, ([hash, own]) => {
    const [newest, oldest] = [own[0] as AskedCase, own.at(-1) as AskedCase];
    return {
      hash,
      place: newest.planned.place,
      firstSeen: oldest.run.createdAt,
      lastSeen: newest.run.createdAt,
      case: newest.planned.case,
    };
  });
}

async function readResults(
  store: Pick<Store, 'readResults'>,
  { run, planned: { position, hash } }: AskedCase,
): Promise<CaseHistory['runs'][number]> {
  const ofCase = run.targetCount * run.attempts;
  const ordinals = Array.from({ length: ofCase }, (_, index) => position * ofCase + index);
  const results = await Array.fromAsync(store.readResults(run.id, ordinals));
  const { id, createdAt, description, passMark } = run;
  return {
    run: id,
    createdAt,
    description,
    hash,
    trials: results.map((result) => {
      const { ordinal, target, attempt } = result.trial;
      return {
        ordinal,
        target,
        attempt,
        result: outcomeOfTrial({ scorecard: passMark === null ? null : {} }, result),
        total: result.scorecard?.total ?? null,
      };
    }),
  };
}
