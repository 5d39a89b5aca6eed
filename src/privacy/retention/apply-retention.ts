import { mainProject } from '../accounts/accounts.ts';
import { countEntriesBefore, cutAudit, recordEvent } from '../accounts/audit.ts';
import { overwriteNotes } from '../erasure/overwrite-notes.ts';
import { TouchstoneError } from '../../core/errors.ts';
import type { RunHead } from '../../core/schema/api/run-head.ts';
import type { Run } from '../../core/schema/run.ts';
import type { Store } from '../../stores/store.ts';
import { listProjects, readRetention, type RetainedKind, type RetentionDays } from './settings.ts';
import { certificateKind } from '../../stores/kinds/certificate.ts';
import { batchKind } from '../../stores/kinds/batch.ts';
import { baselineKind } from '../../stores/kinds/baseline.ts';
import { feedbackKind } from '../../stores/kinds/feedback.ts';
import { traceKind } from '../../stores/kinds/trace.ts';
import { removeTracesBeyond } from '../../stores/traces/trace-records.ts';

/** The most rows that are removed in one transaction. */
const rowsAtOnce = 10_000;
const dayMs = 86_400_000;

/** A project, with the numbers of records that a pass has removed from it or would remove. */
export interface RetainedProject {
  readonly project: string;
  readonly days: RetentionDays;
  readonly removed: Readonly<Record<RetainedKind, number>>;
  /** The old runs that stay, with the reason. */
  readonly kept: readonly { readonly run: string; readonly why: string }[];
}

/** The parts of a pass. */
export interface RetentionPass {
  /** The store with the accounts and the audit log. */
  readonly home: Store;
  readonly openProject: (project: string) => Promise<Store>;
  /** The person or program that makes the pass, for the audit log. */
  readonly who: string;
  readonly now?: Date;
  /** True to count only. */
  readonly isDry?: boolean;
}

/**
 * Removes what is older than the times of each project allow, at most 10,000 rows at a time, and adds one entry with the counts to the audit
 * log. A pass that was broken off is finished by the next one. Runs stay that are under a legal hold, that are baselines, or that
 * certificates rest on.
 */
export async function applyRetention(pass: RetentionPass): Promise<RetainedProject[]> {
  const { home, openProject, who, now = new Date(), isDry = false } = pass;
  const { accounts } = home;
  const projects: RetainedProject[] = [];
  const day = now.toISOString().slice(0, 10);
  for (const project of await listProjects(accounts)) {
    const days = await readRetention(accounts, project);
    const before = (kind: RetainedKind) => timeBefore(days[kind], now);
    const store = project === mainProject ? home : await openProject(project);
    const { removed: runs, kept } = await removeRuns(store, before('runs'), { day, isDry });
    const removed = {
      traces: await removeTraces(store, before('traces'), isDry),
      feedback: await removeFeedback(store, before('feedback'), isDry),
      runs,
      audit: project === mainProject ? await removeEntries(home, before('audit'), { who, isDry }) : 0,
    };
    projects.push({ project, days, removed, kept });
  }
  if (!isDry) {
    const counts = projects.flatMap(({ project, removed }) =>
      Object.entries(removed).map(([kind, count]) => [`${project}.${kind}`, String(count)] as const),
    );
    const event = { who, address: null, action: 'retention', project: null, object: null };
    await recordEvent(accounts, { ...event, details: Object.fromEntries(counts) });
  }
  return projects;
}

function timeBefore(days: number | null, now: Date): string | undefined {
  return days === null ? undefined : new Date(now.getTime() - days * dayMs).toISOString();
}

async function removeTraces(
  { documents }: Store,
  before: string | undefined,
  isDry: boolean,
): Promise<number> {
  if (before === undefined) return 0;
  if (isDry) return await documents.count(traceKind, { below: { received_at: before } });
  const limits = { receivedSince: before, most: Number.MAX_SAFE_INTEGER, atOnce: rowsAtOnce };
  return await repeatedly(async () => await removeTracesBeyond(documents, limits));
}

async function removeFeedback(
  { documents }: Store,
  before: string | undefined,
  isDry: boolean,
): Promise<number> {
  if (before === undefined) return 0;
  const old = { below: { received_at: before } };
  if (isDry) return await documents.count(feedbackKind, old);
  return await repeatedly(
    async () =>
      await documents.change(
        [feedbackKind],
        async (change) => await change.remove(feedbackKind, { ...old, limit: rowsAtOnce }),
      ),
  );
}

async function removeEntries(
  { accounts }: Store,
  before: string | undefined,
  { who, isDry }: { readonly who: string; readonly isDry: boolean },
): Promise<number> {
  if (before === undefined) return 0;
  return isDry ? await countEntriesBefore(accounts, before) : await cutAudit(accounts, who, before);
}

async function removeRuns(
  store: Store,
  before: string | undefined,
  { day, isDry }: { readonly day: string; readonly isDry: boolean },
) {
  const kept: { readonly run: string; readonly why: string }[] = [];
  let removed = 0;
  if (before === undefined) return { removed, kept };
  const needed = await findNeeded(store);
  for (const head of await store.listRuns()) {
    if (head.createdAt >= before) continue;
    const why =
      needed.get(head.id) ??
      (await whyKept(store, head)) ??
      (isDry ? undefined : await removeRun(store, head, day));
    if (why === undefined) removed += 1;
    else kept.push({ run: head.id, why });
  }
  return { removed, kept };
}

/** Returns the runs that others rest on, with the reason. */
async function findNeeded(store: Store): Promise<Map<string, string>> {
  const needed = new Map<string, string>();
  for await (const { name, run } of store.documents.list(baselineKind))
    needed.set(run.id, `it is the baseline ${name}`);
  for await (const { calibration } of store.documents.list(certificateKind))
    needed.set(calibration.run, `a certificate of ${calibration.judge.name} rests on it`);
  return needed;
}

async function whyKept(store: Store, { id }: RunHead): Promise<string | undefined> {
  const { holds = [] } = (await store.readRun(id)) ?? {};
  if (holds.length > 0) return `it is under a legal hold: ${holds.join(', ')}`;
  const submitted = { where: { run_id: id, state: ['submitting', 'submitted'] } };
  if ((await store.documents.count(batchKind, submitted)) > 0) return 'a batch of it is being answered';
  return (await store.isClaimed(id)) ? busy : undefined;
}

const busy = 'a process works on it';

/**
 * Removes a run with the judgements that were asked in it and that no other run uses, and the words of its answers in what people wrote about
 * them. From the first row on it counts as one whose import was
 * broken off, which is never taken for whole. Returns why it stays; undefined when it is removed.
 */
async function removeRun(store: Store, { id }: RunHead, day: string): Promise<string | undefined> {
  try {
    await using _claim = await store.claimRun(id);
    const { summary: _then, finishedAt: _at, ...run } = (await store.readRun(id)) as Run;
    if (run.holds !== undefined) return `it is under a legal hold: ${run.holds.join(', ')}`;
    await store.updateRun({ ...run, status: 'planning', isImporting: true });
    await overwriteNotes(store, id, day);
    await repeatedly(async () => await store.shrinkRun(id, rowsAtOnce));
    await repeatedly(async () => await store.eraseJudgements(id, rowsAtOnce));
    await store.deleteRun(id);
  } catch (error) {
    if (error instanceof TouchstoneError && error.code === 'run-in-progress') return busy;
    throw error;
  }
  return undefined;
}

/** Repeats a removal until nothing is left. Returns the sum of what it removed. */
async function repeatedly(remove: () => Promise<number>): Promise<number> {
  for (let sum = 0; ; ) {
    const removed = await remove();
    if (removed === 0) return sum;
    sum += removed;
  }
}

const passAt = 'retention-pass';

/** Makes a pass unless one was made within a day, by this server or another one over the same store. Returns whether it did. */
export async function applyDaily(pass: RetentionPass): Promise<boolean> {
  const isDue = await pass.home.accounts.records.change<number, boolean>(passAt, (last = 0, now) =>
    now - last < dayMs ? { value: last, result: false } : { value: now, result: true },
  );
  if (isDue) await applyRetention(pass);
  return isDue;
}
