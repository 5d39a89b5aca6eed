import { createDueWork } from '../../../core/lib/due-work.ts';
import type { RunStop } from '../../../core/schema/run.ts';
import { recordsOfRun } from '../../../stores/shared/shared-records.ts';
import type { Store } from '../../../stores/store.ts';

/** A request to stop a run, as it is stored. */
interface StopRequest {
  /** The name of the person who asks for it; absent when it is not known. */
  readonly by?: string;
  /** True when a coding agent asks for it, by a tool. */
  readonly isAgent?: true;
}

/** The milliseconds between two looks for a request. */
const lookEveryMs = 1000;

function requestOf(runId: string): string {
  return `${recordsOfRun(runId)}stop-request`;
}

/**
 * Asks the process that makes a run to stop it: calls in flight are finished and stored, and nothing else is started. It is seen
 * within a second; where no process is at work on the run any more, nothing happens.
 */
export async function requestStop(
  runId: string,
  { shared }: Pick<Store, 'shared'>,
  asks: StopRequest,
): Promise<void> {
  await shared.change<StopRequest, void>(requestOf(runId), () => ({ value: asks, result: undefined }));
}

/**
 * Looks every second whether somebody has asked to stop a run, until it is disposed. A request from before is forgotten: it was
 * about an earlier process. Where the store cannot be reached, it is tried again.
 */
export async function watchStopRequest(
  runId: string,
  { shared }: Pick<Store, 'shared'>,
  stop: (why: RunStop) => void,
): Promise<AsyncDisposable> {
  const name = requestOf(runId);
  await shared.remove(name);
  const look = async (): Promise<boolean> => {
    const [request] = await shared.list<StopRequest>(name);
    if (request === undefined) return false;
    stop({ reason: 'person', message: describeRequest(request.value) });
    return true;
  };
  const work = createDueWork(
    async () => {
      const isOver = await look().catch(() => false);
      if (!isOver) work.within(lookEveryMs);
    },
    () => false,
  );
  work.within(lookEveryMs);
  return {
    [Symbol.asyncDispose]: async () => {
      await work.stop();
      await shared.remove(name).catch(() => {});
    },
  };
}

function describeRequest({ by = 'somebody', isAgent }: StopRequest): string {
  return isAgent === true ? 'a coding agent stopped it' : `${by} stopped it on the dashboard`;
}
