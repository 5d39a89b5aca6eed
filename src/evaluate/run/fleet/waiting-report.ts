import { randomId } from '../../../core/lib/random-id.ts';
import { createDueWork } from '../../../core/lib/due-work.ts';
import type { BatchView, RefusedAccount, WaitingView } from '../../../core/schema/api/waiting-view.ts';
import { recordsOfRun } from '../../../stores/shared/shared-records.ts';
import type { Store } from '../../../stores/store.ts';

type Records = Pick<Store, 'shared'>;

/** The waits of a process, as they are stored. `at` is a time on the clock of the store, in milliseconds. */
interface Report extends WaitingView {
  readonly at: number;
}

/** The milliseconds between two reports. */
const reportEveryMs = 1000;
/** The milliseconds after which a report is not believed any more: its process has died. */
const forgottenAfterMs = 7000;

function reportsOf(runId: string): string {
  return `${recordsOfRun(runId)}waiting/`;
}

/** The report of what this process waits for in a run. */
export interface WaitingReport extends AsyncDisposable {
  /** Counts answers that judges begin (1) or end (-1) to be asked about. */
  countJudging(change: number): void;
  /** Sets the batches that are being answered. */
  setBatches(batches: readonly BatchView[]): void;
}

/**
 * Begins to report to the shared records of a run what this process waits for, every second while it does, for the pages and for
 * other commands. Where the store cannot be reached, it is tried again.
 */
export function beginWaitingReport(
  runId: string,
  { store: { shared }, readRefused }: ReportNeeds,
): WaitingReport {
  const name = `${reportsOf(runId)}${randomId()}`;
  let judging = 0;
  let batches: readonly BatchView[] = [];
  let isThere = false;
  const report = async () => {
    const refused = readRefused?.() ?? [];
    if (judging > 0 || refused.length > 0 || batches.length > 0) {
      isThere = true;
      await shared.change<Report, void>(name, (_, now) => ({
        value: { ...viewOf(judging, [...refused], batches), at: now },
        result: undefined,
      }));
    } else if (isThere) {
      await shared.remove(name);
      isThere = false;
    }
  };
  const work = createDueWork(
    async () => {
      await report().catch(() => {});
      work.within(reportEveryMs);
    },
    () => false,
  );
  work.within(reportEveryMs);
  return {
    countJudging: (change) => {
      judging += change;
    },
    setBatches: (now) => {
      batches = now;
    },
    [Symbol.asyncDispose]: async () => {
      await work.stop();
      // Where the store is away, the report is forgotten by itself.
      if (isThere) await shared.remove(name).catch(() => {});
    },
  };
}

interface ReportNeeds {
  readonly store: Records;
  /** Returns the refusals by which calls of this process are held up. */
  readonly readRefused?: () => readonly RefusedAccount[];
}

/** Returns what the processes of a run wait for together; undefined when they wait for nothing. */
export async function readWaiting(runId: string, { shared }: Records): Promise<WaitingView | undefined> {
  const reports = await shared.list<Report>(reportsOf(runId));
  if (reports.length === 0) return undefined;
  // Nothing is written: the clock of the store is wanted, by which the reports are dated.
  const now = await shared.change<unknown, number>(reportsOf(runId), (value, time) => ({
    value,
    result: time,
  }));
  const known = reports.filter(({ value: { at } }) => now - at < forgottenAfterMs);
  const refused = new Map<string, RefusedAccount>();
  for (const { value } of known) {
    for (const { nextTryMs, ...server } of value.refused) {
      const { inRow, nextTryMs: leastMs } = refused.get(server.account) ?? { inRow: 0, nextTryMs: Infinity };
      const leftMs = Math.max(0, nextTryMs - Math.max(0, now - value.at));
      refused.set(server.account, {
        ...server,
        inRow: Math.max(inRow, server.inRow),
        nextTryMs: Math.min(leastMs, leftMs),
      });
    }
  }
  const judging = known.reduce((sum, { value }) => sum + value.judging, 0);
  const batches = known.flatMap(({ value }) => value.batches ?? []);
  if (judging === 0 && refused.size === 0 && batches.length === 0) return undefined;
  return viewOf(judging, [...refused.values()], batches);
}

function viewOf(judging: number, refused: RefusedAccount[], batches: readonly BatchView[]): WaitingView {
  return { judging, refused, ...(batches.length > 0 && { batches: [...batches] }) };
}
