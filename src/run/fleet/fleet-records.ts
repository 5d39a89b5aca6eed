import type { AccountRecord } from '../../schema/usage.ts';
import { recordsOfRun } from '../../stores/shared/shared-records.ts';
import type { Store } from '../../stores/store.ts';
import { joinAccounts } from '../limits/run-control.ts';
import type { PlanPart } from '../prepare/plan-parts.ts';

type Records = Pick<Store, 'shared'>;

/** The record that a process leaves when it has worked on a run. */
export interface WorkerRecord {
  readonly accounts: readonly AccountRecord[];
}

/** Returns the name of the record of a process that has worked on a run. */
export function workerRecordName(runId: string, worker: string): string {
  return `${recordsOfRun(runId)}worker/${worker}`;
}

function donePartsName(runId: string): string {
  return `${recordsOfRun(runId)}parts`;
}

/** Returns the names of the parts of a run in which nothing is left to do. */
export async function readDoneParts(runId: string, { shared }: Records): Promise<ReadonlySet<string>> {
  const [record] = await shared.list<readonly string[]>(donePartsName(runId));
  return new Set(record?.value);
}

/** Records that nothing is left to do in a part. */
export async function addDonePart(runId: string, { name }: PlanPart, { shared }: Records): Promise<void> {
  await shared.change<readonly string[], void>(donePartsName(runId), (done = []) => ({
    value: done.includes(name) ? done : [...done, name],
    result: undefined,
  }));
}

/** Removes everything that the processes of a run have recorded. Returns the calls on each account that they made. */
export async function forgetFleet(runId: string, { shared }: Records): Promise<AccountRecord[]> {
  const records = await shared.list<WorkerRecord>(workerRecordName(runId, ''));
  for (const { name } of [...records, { name: donePartsName(runId) }]) await shared.remove(name);
  return records.reduce<AccountRecord[]>((all, { value }) => joinAccounts(all, value.accounts), []);
}
