import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { messageOf, TouchstoneError } from '../../core/errors.ts';
import { type StartedProcess, startProgram } from '../../core/lib/programs/start.ts';
import { resetSharedLimits } from '../../evaluate/run/limits/shared/run-state.ts';
import { createSharedLimits } from '../../evaluate/run/limits/shared/shared-limits.ts';
import type { Fleet, FleetNeeds, RunNeeds } from '../../evaluate/run/run-needs.ts';
import type { Store } from '../../stores/store.ts';
import { planParts } from '../../evaluate/run/prepare/plan-parts.ts';
import type { InputOf } from '../program/input.ts';
import type { runInputs } from '../program/shared-inputs.ts';
import { readEnvironment } from './environment.ts';
import { mayPass } from './wait-for-store.ts';
import { passOn } from './worker-messages.ts';

/** The options of `touchstone run` that its workers have to know besides the record of the run. */
type FleetFlags = Pick<
  Partial<InputOf<typeof runInputs>>,
  'workers' | 'queue' | 'spool' | 'store' | 'judgeSamples' | 'cache' | 'otel' | 'otelContent'
>;

/** Returns what `--workers` adds to the surroundings of a run: its workers, and limits that hold over all of them. */
export async function fleetOf(
  { shared }: Store,
  config: string | undefined,
  { workers, store, judgeSamples, cache, queue, spool, otel, otelContent }: FleetFlags,
): Promise<
  Pick<
    RunNeeds,
    'fleet' | 'spool' | 'keepsDone' | 'createLimits' | 'resetLimits' | 'openQueue' | 'environment'
  >
> {
  if (workers === undefined) {
    if (queue === undefined) return {};
    throw new TouchstoneError('usage-invalid', '`--queue` is for runs with workers.', {
      remedy: 'Add `--workers N`, or omit `--queue`.',
    });
  }
  const args = [
    ...(config === undefined ? [] : ['--config', config]),
    ...(store === undefined ? [] : ['--store', store]),
    ...(judgeSamples === undefined ? [] : ['--judge-samples', String(judgeSamples)]),
    ...(cache === false ? ['--no-cache'] : []),
    ...(spool === undefined ? [] : ['--spool', spool]),
    ...(otel === undefined ? [] : ['--otel', ...(otel === true ? [] : [otel])]),
    ...(otelContent === true ? ['--otel-content'] : []),
  ];
  const fleet = createLocalFleet({ count: workers, args, queue });
  return {
    fleet,
    ...spoolOf({ spool }),
    ...queueOf({ queue }),
    keepsDone: true,
    environment: await readEnvironment(),
    createLimits: createSharedLimits({ records: shared, mayPass }),
    resetLimits: async (runId) => await resetSharedLimits(shared, runId),
  };
}

/** Returns what `--queue`, or the environment in its place, adds to the surroundings of a run with workers or of a worker. */
export function queueOf({ queue }: Pick<FleetFlags, 'queue'>): Pick<RunNeeds, 'openQueue'> {
  const url = queue ?? process.env['TOUCHSTONE_QUEUE'];
  if (url === undefined || url === '') return {};
  return {
    openQueue: async (run) => await (await import('../../evaluate/queues/bullmq.ts')).openQueue({ url, run }),
  };
}

/** Returns the folder in which a worker keeps answers while the store is away. */
export function spoolOf({ spool = path.join('.touchstone', 'spool') }: Pick<FleetFlags, 'spool'>) {
  return { spool: path.resolve(spool) };
}

/** The workers that are started by this process, and the arguments of each after the id of the run. */
interface LocalFleetOptions {
  readonly count: number;
  readonly args: readonly string[];
  readonly queue: string | undefined;
}

/** The number of times that a worker that died is started again. */
const mostRestarts = 3;

/**
 * Creates a fleet of processes on this machine. Each runs `touchstone worker`, and reports its progress over a channel by which it
 * notices the end of this process. A worker that dies is started again a few times: what it had not stored is made again.
 */
function createLocalFleet({ count, args, queue }: LocalFleetOptions): Fleet {
  return {
    work: async (run, needs) => {
      const workers = Math.min(count, planParts(run).length);
      await Promise.all(
        Array.from({ length: workers }, (_, index) =>
          keepAtWork(index + 1, { args: ['worker', run.id, ...args], queue }, needs),
        ),
      );
    },
  };
}

/** The arguments of a worker, and the address of its queue. */
type WorkerStart = Omit<LocalFleetOptions, 'count'>;

/** Runs one worker until it has ended by itself, or has died too often. */
async function keepAtWork(number: number, start: WorkerStart, needs: FleetNeeds): Promise<void> {
  const { observer, signals } = needs;
  for (let restarts = 0; ; restarts += 1) {
    const how = await runWorker(number, start, needs);
    if (how === 'ended' || signals.stop.aborted) return;
    const isLast = restarts === mostRestarts;
    const next = isLast ? 'and is not started again' : 'and is started again';
    observer.onNotice?.({ message: `Worker ${number} died (${how}) ${next}.` });
    if (isLast) return;
  }
}

/** Runs a worker once. Returns `ended` when it ended by itself, else how it died. */
async function runWorker(
  number: number,
  { args, queue }: WorkerStart,
  { observer, signals }: FleetNeeds,
): Promise<string> {
  const child = startProgram(process.execPath, [...process.execArgv, process.argv[1] ?? '', ...args], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
    // Ctrl-C does not reach the worker: this process decides when it stops.
    isDetached: true,
    // Its address may contain a password, which the arguments of a process would show to others.
    environment: {
      ...process.env,
      TOUCHSTONE_WRAPPED: '1',
      ...(queue !== undefined && { TOUCHSTONE_QUEUE: queue }),
    },
  });
  let calls = 0;
  child.on('message', (messages) => {
    calls += passOn(messages, observer);
  });
  if (child.stderr !== null)
    createInterface({ input: child.stderr }).on('line', (line) =>
      observer.onNotice?.({ message: `Worker ${number}: ${line}` }),
    );
  const release = forwardSignals(child, signals);
  const [code, signal] = (await once(child, 'close').catch((error: unknown) => [messageOf(error), null])) as [
    number | string | null,
    NodeJS.Signals | null,
  ];
  release();
  // The calls that the worker had begun ended with it.
  if (calls !== 0) observer.onCalling?.(-calls);
  if (signal !== null) return signal;
  // With an exit code of its own, it has reported what is wrong and would end in the same way again.
  if (typeof code === 'string') return code;
  return code === 1 ? 'exit code 1' : 'ended';
}

function forwardSignals(child: StartedProcess, { stop, abort }: FleetNeeds['signals']): () => void {
  const forward = (type: 'stop' | 'abort') => () => {
    if (child.connected) child.send({ type }, () => {});
  };
  const [onStop, onAbort] = [forward('stop'), forward('abort')];
  stop.addEventListener('abort', onStop);
  abort.addEventListener('abort', onAbort);
  if (stop.aborted) child.once('spawn', onStop);
  return () => {
    stop.removeEventListener('abort', onStop);
    abort.removeEventListener('abort', onAbort);
  };
}
