import { randomUUID } from 'node:crypto';
import type { AccountRecord } from '../../../core/schema/usage.ts';
import type { ToolsReport } from '../../../core/schema/tools/tools-report.ts';
import { recordsOfRun } from '../../../stores/shared/shared-records.ts';
import type { Store } from '../../../stores/store.ts';
import { joinAccounts } from '../limits/run-control.ts';
import type { PlanPart } from '../prepare/plan-parts.ts';

type Records = Pick<Store, 'shared'>;

/** The record that a process leaves when it has worked on a run. */
export interface WorkerRecord {
  readonly accounts: readonly AccountRecord[];
}

/** Returns the name of the record of a process that has worked on a run, or, of an empty text, the beginning of all such names. */
export function workerRecordName(runId: string, id: string): string {
  return `${recordsOfRun(runId)}worker/${id}`;
}

function toolReportName(runId: string, id: string): string {
  return `${recordsOfRun(runId)}tools/${id}`;
}

/**
 * Records that a process works on a run, whose report of what came to the tools is still to come. Returns the function that records
 * the report in its place: a process that is killed leaves the first record.
 */
export async function beginToolReport(
  runId: string,
  tools: { report(): ToolsReport } | undefined,
  { shared }: Records,
): Promise<() => Promise<void>> {
  if (tools === undefined) return async () => {};
  const name = toolReportName(runId, randomUUID());
  const keep = async (value: ToolsReport) =>
    await shared.change<ToolsReport, void>(name, () => ({ value, result: undefined }));
  await keep({ ...tools.report(), unreported: 1 });
  return async () => await keep(tools.report());
}

/** Removes the reports of what came to the tools of a run in its processes, and returns them. */
export async function takeToolReports(runId: string, { shared }: Records): Promise<ToolsReport[]> {
  const records = await shared.list<ToolsReport>(toolReportName(runId, ''));
  for (const { name } of records) await shared.remove(name);
  return records.map(({ value }) => value);
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

/** The order to the workers of a run: to end once their calls in flight are stored, or to cancel these, too. */
export type StopOrder = 'stop' | 'abort';

function stopName(runId: string): string {
  return `${recordsOfRun(runId)}stop`;
}

/** Orders all workers of a run to stop, those included that this process has not started. */
export async function orderStop(runId: string, order: StopOrder, { shared }: Records): Promise<void> {
  await shared.change<StopOrder, void>(stopName(runId), (before) => ({
    value: before === 'abort' ? before : order,
    result: undefined,
  }));
}

/** Returns the order to the workers of a run; undefined when they may work. */
export async function readStop(runId: string, { shared }: Records): Promise<StopOrder | undefined> {
  const [record] = await shared.list<StopOrder>(stopName(runId));
  return record?.value;
}

/** Lets workers work on a run again that was stopped. */
export async function clearStop(runId: string, { shared }: Records): Promise<void> {
  await shared.remove(stopName(runId));
}

function openName(runId: string): string {
  return `${recordsOfRun(runId)}open`;
}

/** Records that workers which any process has started may work on a run, until it is disposed of or this process ends. */
export async function openToWorkers(runId: string, { shared }: Records): Promise<AsyncDisposable> {
  await shared.change<true, void>(openName(runId), () => ({ value: true, result: undefined }));
  // Where the store is away, a run that nothing has claimed is open to no worker either.
  return { [Symbol.asyncDispose]: async () => void (await shared.remove(openName(runId)).catch(() => {})) };
}

/** Returns the ids of the runs, of some, that are open to workers, and whose first process is alive. */
export async function findOpenRuns(
  runIds: readonly string[],
  store: Records & Pick<Store, 'isClaimed'>,
): Promise<string[]> {
  const open: string[] = [];
  for (const runId of runIds) {
    const [record] = await store.shared.list<true>(openName(runId));
    if (record !== undefined && (await store.isClaimed(runId))) open.push(runId);
  }
  return open;
}

function traceName(runId: string): string {
  return `${recordsOfRun(runId)}trace`;
}

/** Records the span of a run, as W3C Trace Context writes it, for its workers; undefined when there is none. */
export async function keepTraceparent(
  runId: string,
  traceparent: string | undefined,
  { shared }: Records,
): Promise<void> {
  await shared.change<string, void>(traceName(runId), () => ({ value: traceparent, result: undefined }));
}

/** Returns the span of a run; undefined when no process sends one. */
export async function readTraceparent(runId: string, { shared }: Records): Promise<string | undefined> {
  const [record] = await shared.list<string>(traceName(runId));
  return record?.value;
}

/** Returns the beginning of the names of the reports of the workers of a run. */
export function reportsOf(runId: string): string {
  return `${recordsOfRun(runId)}report/`;
}

/** Removes what the processes of a run have recorded, but for their calls and for the order to stop. */
export async function forgetFleet(runId: string, { shared }: Records): Promise<void> {
  const reports = await shared.list(reportsOf(runId));
  for (const { name } of [...reports, { name: donePartsName(runId) }]) await shared.remove(name);
}

/** Removes the records of the calls on each account that the processes of a run have made, and returns their sums. */
export async function takeAccounts(runId: string, { shared }: Records): Promise<AccountRecord[]> {
  const records = await shared.list<WorkerRecord>(workerRecordName(runId, ''));
  for (const { name } of records) await shared.remove(name);
  return records.reduce<AccountRecord[]>((all, { value }) => joinAccounts(all, value.accounts), []);
}
