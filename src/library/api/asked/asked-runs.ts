import type { AskedAgain } from '../../../core/schema/api/acting/ask-again.ts';
import type { AskedState } from '../../../core/schema/api/acting/asked-run.ts';
import { randomId } from '../../../core/lib/random-id.ts';
import type { Store } from '../../../stores/store.ts';
import type { PlanRequest, RunPlan } from '../project/plan-run.ts';
import { readWorkers } from './workers.ts';

/** The questions that a run is to ask: of an earlier run, as a person selects them on its page, or as a coding agent plans them. */
type Wanted =
  | { readonly type: 'again'; readonly run: string; readonly asked: AskedAgain }
  | { readonly type: 'plan'; readonly request: PlanRequest };

/** Why a worker has not planned or begun a run. */
interface Refusal {
  readonly message: string;
  readonly remedy: string;
}

/** Limits of a run, as the person or the agent who asks for it has confirmed. */
interface ConfirmedLimits {
  /** US dollars, with what the run had cost before if it is continued. */
  readonly maxCost?: number;
  /** US dollars that a continued run had cost before. */
  readonly before?: number;
  readonly note?: string;
}

/** The plan of a worker, and its words for a person. */
interface WorkerPlan {
  readonly text: string;
  readonly plan: RunPlan;
}

/** A run that is asked of the workers that wait, since the server has neither a config nor bots. */
export interface AskedRun {
  readonly id: string;
  /** The name of the person, or the id of the token, that asks. */
  readonly by: string;
  /** Milliseconds since 1970 on the clock of the store. */
  readonly at: number;
  readonly changedAt: number;
  readonly wanted: Wanted;
  readonly state: AskedState;
  /** The worker that plans it or begins it. */
  readonly worker?: string;
  /** The workers that have refused it, such as those with another config. */
  readonly leftBy: readonly string[];
  readonly planned?: WorkerPlan;
  readonly limits?: ConfirmedLimits;
  readonly run?: string;
  readonly refusal?: Refusal;
}

/** A run that was asked for, and the number of workers that wait. */
export interface AskedView {
  readonly asked: AskedRun;
  readonly workers: number;
}

type Records = Pick<Store, 'shared'>;

const prefix = 'asked-runs/';
/** The milliseconds after which nothing that waits for a worker is begun any more: a run of yesterday would surprise. */
const longestWaitMs = 3_600_000;
/** The milliseconds for which it is known what became of it. What agents spend is added up over a day. */
const keptForMs = 48 * 3_600_000;

/** Asks the workers for a run. They plan it; it begins when the plan is confirmed. */
export async function askForRun(
  { shared }: Records,
  { by, wanted }: Pick<AskedRun, 'by' | 'wanted'>,
): Promise<AskedRun> {
  const id = randomId();
  const asked = await shared.change<AskedRun, AskedRun>(prefix + id, (_, now) => {
    const value: AskedRun = { id, by, at: now, changedAt: now, wanted, state: 'waiting', leftBy: [] };
    return { value, result: value };
  });
  for (const { name, value } of await shared.list<AskedRun>(prefix))
    if (asked.at - value.changedAt > keptForMs) await shared.remove(name);
  return asked;
}

/** Returns a run that was asked for, and what has become of it by now; undefined when there is none of that id. */
export async function readAsked({ shared }: Records, id: string): Promise<AskedView | undefined> {
  const aliveAt = await readWorkers(shared);
  return await shared.change<AskedRun, AskedView | undefined>(prefix + id, (known, now) => {
    if (known === undefined) return { value: known, result: undefined };
    const alive = aliveAt(now);
    const value = settle(known, alive, now);
    return { value, result: { asked: value, workers: alive.length } };
  });
}

/** Lists what is asked for and what has become of it, as it was recorded last. */
export async function listAsked({ shared }: Records): Promise<AskedRun[]> {
  return (await shared.list<AskedRun>(prefix)).map(({ value }) => value);
}

/** Returns the state that follows from the time and from the workers that are alive. */
function settle(asked: AskedRun, alive: readonly string[], now: number): AskedRun {
  const { state, worker = '', changedAt } = asked;
  const isLost = !alive.includes(worker);
  if (state === 'planning' && isLost) return { ...asked, state: 'waiting' };
  // It is not begun again: its process may be about to ask, and asks nothing once this is recorded.
  if (state === 'starting' && isLost)
    return refused(asked, now, {
      message: 'The worker that was to begin the run has ended. Nothing was asked.',
      remedy: 'Ask again.',
    });
  if ((state === 'waiting' || state === 'confirmed') && now - changedAt > longestWaitMs)
    return refused(asked, now, {
      message: 'No worker has taken it within an hour.',
      remedy: 'Start `touchstone worker --wait` in the folder of the project, and ask again.',
    });
  return asked;
}

function refused(asked: AskedRun, now: number, refusal: Refusal): AskedRun {
  return { ...asked, state: 'refused', refusal, changedAt: now };
}

/** Takes what waits longest for a worker: to plan it, or to begin it. No other worker gets it as long as this one is alive. */
export async function takeAsked(
  { shared }: Records,
  worker: string,
  { mayBegin }: { readonly mayBegin: boolean },
): Promise<AskedRun | undefined> {
  const all = (await shared.list<AskedRun>(prefix)).map(({ value }) => value);
  const isOpen = ({ state, leftBy }: AskedRun) =>
    !leftBy.includes(worker) && (state === 'waiting' || (mayBegin && state === 'confirmed'));
  const perhaps = all.filter((each) => each.state === 'planning' || isOpen(each));
  if (perhaps.length === 0) return undefined;
  const aliveAt = await readWorkers(shared);
  for (const { id } of perhaps.toSorted((one, other) => one.at - other.at)) {
    const taken = await shared.change<AskedRun, AskedRun | undefined>(prefix + id, (known, now) => {
      if (known === undefined) return { value: known, result: undefined };
      const settled = settle(known, aliveAt(now), now);
      if (!isOpen(settled)) return { value: settled, result: undefined };
      const state = settled.state === 'waiting' ? 'planning' : 'starting';
      const value: AskedRun = { ...settled, state, worker, changedAt: now };
      return { value, result: value };
    });
    if (taken !== undefined) return taken;
  }
  return undefined;
}

/** Records the plan of the worker that has taken it. */
export async function addPlan(
  records: Records,
  { id, worker }: AskedRun,
  planned: WorkerPlan,
): Promise<void> {
  await change(records, id, (known) =>
    known.state === 'planning' && known.worker === worker ? { ...known, state: 'planned', planned } : known,
  );
}

/** Records that a worker cannot plan or begin it: another worker may; without one, it is refused. */
export async function leaveAsked(
  records: Records,
  { id, worker = '' }: AskedRun,
  refusal: Refusal,
): Promise<void> {
  const aliveAt = await readWorkers(records.shared);
  await change(records, id, (known, now) => {
    const { state } = known;
    if (known.worker !== worker || (state !== 'planning' && state !== 'starting')) return known;
    const leftBy = [...known.leftBy, worker];
    const isLeft = aliveAt(now).some((other) => !leftBy.includes(other));
    if (!isLeft) return { ...refused(known, now, refusal), leftBy };
    return { ...known, leftBy, state: state === 'planning' ? 'waiting' : 'confirmed' };
  });
}

/** Confirms a plan: a worker begins the run. What is confirmed already, or over, stays as it is. */
export async function confirmAsked(records: Records, id: string, limits: ConfirmedLimits): Promise<void> {
  await change(records, id, (known) =>
    known.state === 'planned' ? { ...known, state: 'confirmed', limits } : known,
  );
}

/**
 * Admits the process of a run before its first call. Returns false when the run must not begin: its worker was given up, or it is not wanted
 * any more.
 */
export async function admitAsked({ shared }: Records, id: string, run: string): Promise<boolean> {
  return await shared.change<AskedRun, boolean>(prefix + id, (known, now) => {
    if (known?.state !== 'starting') return { value: known, result: false };
    return { value: { ...known, state: 'begun', run, changedAt: now }, result: true };
  });
}

/** Records that a run that was admitted has ended before its first call. */
export async function failAsked(records: Records, id: string, refusal: Refusal): Promise<void> {
  await change(records, id, (known, now) =>
    known.state === 'begun' ? { ...refused(known, now, refusal), run: undefined } : known,
  );
}

/** Withdraws what has not begun. Returns false when it is too late: a worker begins it, or has begun it. */
export async function withdrawAsked({ shared }: Records, id: string): Promise<boolean> {
  return await shared.change<AskedRun, boolean>(prefix + id, (known) => {
    const isBegun = known?.state === 'starting' || known?.state === 'begun';
    return isBegun ? { value: known, result: false } : { value: undefined, result: true };
  });
}

async function change(
  { shared }: Records,
  id: string,
  update: (known: AskedRun, now: number) => AskedRun,
): Promise<void> {
  await shared.change<AskedRun, void>(prefix + id, (known, now) => {
    const value = known === undefined ? undefined : update(known, now);
    return {
      value: value === known || value === undefined ? value : { ...value, changedAt: now },
      result: undefined,
    };
  });
}
