import { messageOf, TouchstoneError } from '../../../core/errors.ts';
import { fetchThroughProxy } from '../../../core/lib/network/agent.ts';
import { wait } from '../../../core/lib/waiting.ts';
import { type ReceivedRun, receivedRunSchema } from '../../../core/schema/api/acting/received-run.ts';
import { safeAddress } from './safe-address.ts';

/** The variable with the token of the server; its scope is `run`. */
const tokenVariable = 'TOUCHSTONE_TOKEN';

/** The server to send a run to, and the surroundings of the sender. */
export interface RunReceiver {
  readonly server: string;
  readonly project: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Receives a sentence when a part has to be sent again. */
  readonly onNotice?: (message: string) => void;
  readonly stop: AbortSignal;
  /** Milliseconds before the first repetition; each further one waits twice as long. */
  readonly firstPauseMs?: number;
}

/** A part of a run to send: its lines, and how many come before them. */
export interface LinesPart {
  readonly text: string;
  readonly from: number;
}

/** The pauses before a part is sent again, in milliseconds, and how often that is tried before it is given up. */
const [usualFirstPauseMs, longestPauseMs, mostRepetitions] = [500, 15_000, 8];
/** The longest time for one part, in milliseconds. */
const partLimitMs = 120_000;

/**
 * Creates the function that sends parts of a run to a server and returns how much of it is stored there. What may pass is tried again, after
 * pauses that grow or that the server asks for. Throws `environment-missing` without a token, and `push-refused` for what the server refuses.
 */
export function createSender(run: string, end: string, receiver: RunReceiver) {
  const { server, project, environment, stop } = receiver;
  const token = environment[tokenVariable] ?? '';
  if (token === '')
    throw new TouchstoneError('environment-missing', `The server needs a token in ${tokenVariable}.`, {
      remedy: `Make one there, \`touchstone server token ci --scope run\`, and set ${tokenVariable} to it.`,
    });
  const address = new URL(
    `/api/projects/${encodeURIComponent(project)}/runs`,
    safeAddress(server, '--server'),
  );
  return async ({ text, from }: LinesPart): Promise<ReceivedRun> => {
    const url = new URL(address);
    url.search = new URLSearchParams({ run, end, from: String(from) }).toString();
    const init = {
      method: 'POST',
      body: text,
      // A token is never sent on to where a server redirects to.
      redirect: 'manual',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' },
      signal: AbortSignal.any([stop, AbortSignal.timeout(partLimitMs)]),
    } as const;
    return await withRepetitions(async () => await sendOnce(url, init), receiver);
  };
}

/** A failure that may pass. */
class Passing extends Error {
  /** The pause that the server asks for, in milliseconds. */
  readonly pauseMs: number;

  constructor(message: string, pauseMs = 0) {
    super(message);
    this.pauseMs = pauseMs;
  }
}

async function sendOnce(url: URL, init: RequestInit): Promise<ReceivedRun> {
  const response = await fetchThroughProxy(url, init).catch((error: unknown) => {
    throw new Passing(`${url.origin} cannot be reached: ${reasonOf(error)}`);
  });
  const said: unknown = await response.json().catch(() => undefined);
  if (response.ok) {
    const received = receivedRunSchema.safeParse(said);
    if (received.success) return received.data;
  }
  const {
    code,
    message = 'nothing that Touchstone says',
    remedy,
  } = Object(said) as Partial<Record<'code' | 'message' | 'remedy', string>>;
  const { status } = response;
  const text = `${url.origin} says ${status}: ${message}`;
  if (status === 429 || status >= 500 || code === 'run-in-progress')
    throw new Passing(text, 1000 * (Number(response.headers.get('retry-after')) || 0));
  throw new TouchstoneError('push-refused', text, { remedy: remedy ?? remedyOf(status) });
}

function remedyOf(status: number): string {
  if (status >= 300 && status < 400) return 'Name the address that it redirects to.';
  return 'Name the address of a server that `touchstone server` has started, of this version or a newer one.';
}

/** Returns why a request has failed: `fetch` says that in the cause. */
function reasonOf(error: unknown): string {
  const { cause } = Object(error) as { readonly cause?: unknown };
  const said = cause instanceof Error ? cause : error;
  return (messageOf(said) || (Object(said) as { readonly code?: string }).code) ?? 'no answer';
}

async function withRepetitions<Result>(
  work: () => Promise<Result>,
  { stop, onNotice, firstPauseMs = usualFirstPauseMs }: RunReceiver,
): Promise<Result> {
  for (let count = 0; ; count += 1) {
    try {
      return await work();
    } catch (error) {
      if (stop.aborted)
        throw new TouchstoneError('run-stopped', 'The run is not sent whole: it was stopped.');
      if (!(error instanceof Passing)) throw error;
      if (count >= mostRepetitions)
        throw new TouchstoneError('push-refused', error.message, {
          remedy: 'Run the same command again once the server is back: it goes on where it was cut off.',
        });
      const grownMs = Math.min(firstPauseMs * 2 ** count, longestPauseMs);
      // Fifty jobs that were cut off together do not all come back at once.
      const pauseMs = Math.max(error.pauseMs, grownMs * (0.5 + Math.random() / 2));
      if (count > 0) onNotice?.(`${error.message}. Trying again in ${Math.ceil(pauseMs / 1000)} s.`);
      await wait(pauseMs, stop).catch(() => {}); // Stopped: said above.
    }
  }
}
