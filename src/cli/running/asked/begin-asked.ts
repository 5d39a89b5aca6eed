import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { messageOf, TouchstoneError } from '../../../core/errors.ts';
import { askAgainArguments } from '../../../core/schema/api/acting/ask-again.ts';
import {
  addPlan,
  type AskedRun,
  failAsked,
  leaveAsked,
  readAsked,
  takeAsked,
} from '../../../library/api/asked/asked-runs.ts';
import { forgetWorker, noteWorker, signEveryMs } from '../../../library/api/asked/workers.ts';
import type { RunPlan } from '../../../library/api/project/plan-run.ts';
import { findRun } from '../../../look/queries/runs.ts';
import { agentArguments } from '../../../server/mcp/beginning.ts';
import { requireOwnCommand } from '../../../server/routes/acting/own-command.ts';
import type { Store } from '../../../stores/store.ts';
import { openLocalProject } from '../../agents/local-project.ts';
import { createAsking } from '../../asking-process.ts';
import { whenReachable, isAway } from '../../fleet/wait-for-store.ts';
import { collect, refusal, startOwnProcess } from '../../own-process.ts';
import { formatPlan } from '../print-plan.ts';
import { askedVariable } from './admission.ts';

/** The milliseconds between two looks at what is asked for. */
const lookEveryMs = 1000;

/** A worker that begins the runs which people and coding agents ask for on a server. */
export interface AskedWorker {
  /** Its name, which no other process has. */
  readonly worker: string;
  /** The config that it was started with; undefined for the one that a run names, else the one of the folder. */
  readonly config: string | undefined;
  /** The store as `--store` names it. */
  readonly storeName: string | undefined;
  readonly note: (message: string) => void;
  readonly stop: AbortSignal;
  /** Cancels the calls in flight, too. */
  readonly abort: AbortSignal;
}

/**
 * Plans and begins what people and coding agents ask for on the server of a store, until it is stopped: the plan first, and the run, in a
 * process of its own, once somebody has confirmed it. One run at a time.
 */
export async function beginAsked(store: Store, worker: AskedWorker): Promise<void> {
  const { note, stop } = worker;
  const waiting = { note, stop, isAway };
  const reach = async <Result>(use: () => Promise<Result>) => await whenReachable(use, waiting);
  const sign = setInterval(
    // Where the store is away, the loop waits for it.
    () => void noteWorker(store.shared, worker.worker).catch(() => {}),
    signEveryMs,
  );
  let begun: Promise<void> | undefined;
  try {
    await reach(async () => await noteWorker(store.shared, worker.worker));
    while (!stop.aborted) {
      const mayBegin = begun === undefined;
      const asked = await reach(async () => await takeAsked(store, worker.worker, { mayBegin }));
      if (asked?.state === 'planning') await reach(async () => await planAsked(store, asked, worker));
      if (asked?.state === 'starting')
        begun = reach(async () => await begin(store, asked, worker)).finally(() => (begun = undefined));
      // Aborted while it waits: the loop ends.
      if (asked === undefined) await pause(lookEveryMs, undefined, { signal: stop }).catch(() => {});
    }
    await begun;
  } finally {
    clearInterval(sign);
    await forgetWorker(store.shared, worker.worker).catch(() => {});
  }
}

async function planAsked(store: Store, asked: AskedRun, worker: AskedWorker): Promise<void> {
  try {
    const plan = await planOf(store, asked, worker);
    await addPlan(store, asked, { text: formatPlan(plan), plan });
  } catch (error) {
    await leave(store, asked, { error, worker });
  }
}

/** Begins a run, and waits for its end. It begins only if its plan is still the one that was confirmed. */
async function begin(store: Store, asked: AskedRun, worker: AskedWorker): Promise<void> {
  try {
    const plan = await planOf(store, asked, worker);
    requireSame(asked.planned?.plan, plan);
    const complaint = await runToEnd(await argumentsOf(store, asked, { worker, plan }), asked.id, worker);
    const { asked: after } = (await readAsked(store, asked.id)) ?? {};
    if (after?.state === 'starting') throw refusal(complaint);
    if (after?.run === undefined) return;
    worker.note(`Run ${after.run}, which ${asked.by} has asked for, has ended.`);
    if ((await store.readRun(after.run)) === undefined)
      await failAsked(store, asked.id, toRefusal(refusal(complaint)));
  } catch (error) {
    await leave(store, asked, { error, worker });
  }
}

/** Runs a command line of `touchstone run` to its end. It is stopped with this worker. Returns what it has said on standard error. */
async function runToEnd(args: readonly string[], id: string, { stop, abort }: AskedWorker): Promise<string> {
  const child = startOwnProcess(args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    isDetached: true,
    environment: { [askedVariable]: id, NO_COLOR: '1' },
  });
  const complaint = collect(child.stderr);
  const interrupt = () => void child.kill('SIGINT');
  stop.addEventListener('abort', interrupt);
  abort.addEventListener('abort', interrupt);
  if (stop.aborted) interrupt();
  try {
    await once(child, 'close');
  } finally {
    stop.removeEventListener('abort', interrupt);
    abort.removeEventListener('abort', interrupt);
  }
  return complaint();
}

async function planOf(store: Store, asked: AskedRun, worker: AskedWorker): Promise<RunPlan> {
  const { wanted } = asked;
  const { config, storeName } = worker;
  if (wanted.type === 'plan') {
    const { call } = openLocalProject(process.cwd(), config);
    return await call('plan', config, { ...wanted.request, store: storeName });
  }
  const printed = await createAsking().plan([...(await againArguments(store, asked, worker)), '--json']);
  return JSON.parse(printed) as RunPlan;
}

/** Returns the command line of a run that was confirmed. Its cost is limited by the confirmation and by the config. */
async function argumentsOf(
  store: Store,
  asked: AskedRun,
  { worker, plan }: { readonly worker: AskedWorker; readonly plan: RunPlan },
): Promise<string[]> {
  const { config, storeName } = worker;
  const { wanted, limits = {}, by } = asked;
  const most = Math.min(limits.maxCost ?? Infinity, plan.maxCost ?? Infinity);
  const maxCost = most === Infinity ? undefined : most;
  if (wanted.type === 'plan') {
    const args = agentArguments(wanted.request, { config, maxCost, note: limits.note });
    return storeName === undefined ? args : [...args, `--store=${storeName}`];
  }
  const limit = maxCost === undefined ? [] : [`--max-cost=${maxCost}`];
  return [...(await againArguments(store, asked, worker)), ...limit, `--tag=by=${by}`];
}

/** Returns the command line that asks the questions of an earlier run. Throws `asking-refused` for a command line that is not of this folder. */
async function againArguments(
  store: Store,
  { wanted }: AskedRun,
  { config, storeName }: AskedWorker,
): Promise<string[]> {
  if (wanted.type !== 'again') return [];
  const run = await findRun(store, wanted.run);
  const [name = 'run', ...args] = run.command ?? [];
  // The config of the worker, wherever it is, takes the place of the recorded one.
  const options = config !== undefined && args[0]?.startsWith('-') === false ? args.slice(1) : args;
  requireOwnCommand({ id: run.id, command: [name, ...options] }, process.cwd());
  const own = { ...run, command: [name, ...(config === undefined ? [] : [config]), ...options] };
  // The limit of the cost comes with the confirmation.
  const { ids, targets } = wanted.asked;
  return askAgainArguments({ run: own, storeFolder: storeName }, { ids, targets });
}

function requireSame(confirmed: RunPlan | undefined, plan: RunPlan): void {
  const sizeOf = ({ cases, targets, underConditions, attempts, kept, calls }: RunPlan) =>
    JSON.stringify([cases, targets, underConditions, attempts, kept, calls]);
  if (confirmed !== undefined && sizeOf(confirmed) === sizeOf(plan)) return;
  throw new TouchstoneError(
    'asking-refused',
    `The plan has changed since it was confirmed: it would make ${plan.calls} calls now.`,
    { remedy: 'Ask again, and look at the new plan.' },
  );
}

async function leave(
  store: Store,
  asked: AskedRun,
  { error, worker }: { readonly error: unknown; readonly worker: AskedWorker },
): Promise<void> {
  if (isAway(error)) throw error;
  worker.note(`${messageOf(error)}\nThis worker does not begin the run that ${asked.by} has asked for.`);
  await leaveAsked(store, asked, toRefusal(error));
}

function toRefusal(error: unknown) {
  const remedy = error instanceof TouchstoneError ? error.remedy : 'The log of the worker says more.';
  return { message: messageOf(error), remedy };
}
