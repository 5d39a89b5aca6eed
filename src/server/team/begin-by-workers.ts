import { TouchstoneError } from '../../core/errors.ts';
import { wait } from '../../core/lib/waiting.ts';
import {
  type AskedRun,
  type AskedView,
  askForRun,
  confirmAsked,
  listAsked,
  readAsked,
  withdrawAsked,
} from '../../library/api/asked/asked-runs.ts';
import type { PlannedRun } from '../../library/api/project/plan-run.ts';
import type { Store } from '../../stores/store.ts';
import { OwnError } from '../mcp/errors.ts';
import type { Beginning, Start } from '../mcp/project.ts';
import { dayMs } from '../mcp/spending.ts';

/** The milliseconds between two looks at what was asked for. */
const lookEveryMs = 500;
/** The longest that a call waits, in milliseconds: many clients give up after 60 seconds. */
const longestWaitMs = 45_000;

/** Returns the means by which the agents of a server begin runs: by a worker that waits, which has the config. */
export function beginByWorkers(openStore: () => Promise<Store>, by: string): Beginning {
  return {
    isShared: true,
    starts: async () => await startsOfDay(await openStore()),
    plan: async (request, signal) => {
      const store = await openStore();
      const { id } = await askForRun(store, { by, wanted: { type: 'plan', request } });
      const { planned } = await follow(store, id, { signal, while: ['waiting', 'planning'] });
      return {
        plan: planned?.plan as PlannedRun,
        start: async ({ maxCost, before, note }) => {
          await refuseSecond(store);
          await confirmAsked(store, id, { maxCost: maxCost + before, before, note });
          const { run } = await follow(store, id, { signal, while: ['confirmed', 'starting'] });
          if (run !== undefined) return run;
          throw new OwnError(
            'run-in-progress',
            'The run is being begun.',
            'It is in the list of project soon.',
          );
        },
        drop: async () => void (await withdrawAsked(store, id)),
      };
    },
  };
}

/** The states in which a call waits. */
interface Following {
  readonly signal: AbortSignal;
  readonly while: readonly AskedRun['state'][];
}

/** Waits for a worker. What no worker has taken when the time is over is withdrawn, so that nothing begins unseen. */
async function follow(store: Store, id: string, { signal, while: states }: Following): Promise<AskedRun> {
  const untilMs = performance.now() + longestWaitMs;
  for (;;) {
    const view = await readAsked(store, id);
    if (view === undefined) throw new OwnError('asking-refused', 'The request is gone.', 'Call it again.');
    const { asked } = view;
    if (asked.state === 'refused') throw refusalOf(asked);
    if (!states.includes(asked.state)) return asked;
    const isTaken = asked.worker !== undefined && asked.state !== 'waiting' && asked.state !== 'confirmed';
    const isOver = signal.aborted || performance.now() > untilMs || (view.workers === 0 && !isTaken);
    if (isOver) {
      if (await withdrawAsked(store, id)) throw noWorker(view);
      if (signal.aborted || performance.now() > untilMs) return asked;
    }
    await wait(lookEveryMs, signal).catch(() => {});
  }
}

function refusalOf({ refusal }: AskedRun): TouchstoneError {
  const { message = 'The worker has refused it.', remedy } = refusal ?? {};
  return new TouchstoneError('asking-refused', message, { remedy });
}

function noWorker({ workers }: AskedView): OwnError {
  if (workers > 0)
    return new OwnError(
      'asking-refused',
      'All workers are busy. Nothing was asked.',
      'Call it again in a minute.',
    );
  return new OwnError(
    'asking-refused',
    'No worker waits for runs of this project. Nothing was asked.',
    'A person has to start `touchstone worker --wait` in the folder of the project; then call it again.',
  );
}

/** Throws `run-in-progress` while a run of an agent waits for a worker or is being begun. */
async function refuseSecond(store: Store): Promise<void> {
  const all = await listAsked(store);
  const other = all.find(
    ({ wanted, state }) => wanted.type === 'plan' && (state === 'confirmed' || state === 'starting'),
  );
  if (other !== undefined)
    throw new OwnError(
      'run-in-progress',
      'Another run is being begun; one at a time.',
      'Call it again in a minute.',
    );
}

/** Returns what agents have begun in the last 24 hours. A run without an id yet may cost all that was confirmed. */
async function startsOfDay(store: Store): Promise<Start[]> {
  const since = Date.now() - dayMs;
  return (await listAsked(store)).flatMap(({ id, wanted, state, at, run = id, limits }) => {
    const isBegun = state === 'confirmed' || state === 'starting' || state === 'begun';
    if (wanted.type !== 'plan' || !isBegun || limits === undefined || at < since) return [];
    const { maxCost = 0, before = 0 } = limits;
    return [{ at: new Date(at).toISOString(), run, maxCost: maxCost - before, before }];
  });
}
