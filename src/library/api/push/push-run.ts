import { TouchstoneError } from '../../../core/errors.ts';
import { isEnded } from '../../../evaluate/run/prepare/is-ended.ts';
import { exportRun } from '../../../evaluate/run/record/archive.ts';
import { readEnd } from '../../../evaluate/run/record/receive.ts';
import { neverStopped } from '../../../evaluate/run/run-needs.ts';
import { findWholeRun } from '../named-runs.ts';
import type { Run } from '../../../core/schema/run.ts';
import type { Store } from '../../../stores/store.ts';
import { type StoreChoice, withStore } from '../open-store.ts';
import { createSender, type LinesPart, type RunReceiver } from './send-lines.ts';

/** The server that gets a run, and the store that it is in. */
export interface PushOptions extends StoreChoice {
  /** The address of the server: https, or of this machine. */
  readonly server: string;
  /** The project that gets the run; `main` by default. */
  readonly project?: string;
  readonly onNotice?: (message: string) => void;
  /** Stops it when it is aborted. What has arrived stays there, and is gone on with the next time. */
  readonly stop?: AbortSignal;
}

/** A run that was sent. */
export interface PushedRun {
  readonly run: string;
  /** The address of its page. */
  readonly url: string;
  readonly project: string;
  /** The lines of its export. */
  readonly lines: number;
  /** The lines that were sent now; the others were there already. */
  readonly sent: number;
}

/** The length of a part, in characters: it has one line at least. */
const partLength = 1_000_000;
/** The number of times that the server may have another number of lines than was sent. */
const mostReturns = 10;

/**
 * Sends a stored run that has ended to a server, with the token of `TOUCHSTONE_TOKEN`. What is cut off goes on where it ended, also days
 * later and from another machine; sending a run again that is there changes nothing.
 * @param runId - A run by its id, a part of it, `latest`, `latest~1`, the name of a baseline, or its own name.
 * @throws TouchstoneError `push-refused` for what the server refuses, such as a run of the same id with other content, and when it cannot be
 * reached; `environment-missing` without a token.
 */
export async function pushRun(runId: string, options: PushOptions): Promise<PushedRun> {
  const { server, project = 'main', onNotice, stop = neverStopped.stop, ...choice } = options;
  return await withStore(choice, async (store) => {
    const run = await findWholeRun(store, runId);
    if (run.status === 'running' && !(await isEnded(run, store)))
      throw new TouchstoneError('run-in-progress', `Run ${run.id} is under way.`, {
        remedy: 'Send it when it has ended.',
      });
    return await sendRun(run, store, { server, project, onNotice, stop, environment: process.env });
  });
}

/** Sends a run from a store that is open. */
export async function sendRun(run: Run, store: Store, receiver: RunReceiver): Promise<PushedRun> {
  const { lines, end } = await readEnd(run, store);
  const send = createSender(run.id, end, receiver);
  let there = await send({ text: '', from: 0 });
  const before = there.lines;
  for (let returns = 0; !there.isWhole; returns += 1) {
    if (returns > mostReturns || there.lines >= lines)
      throw new TouchstoneError('push-refused', `The server does not take all of run ${run.id}.`, {
        remedy: 'Delete what is there of it, on its page, and send it again.',
      });
    for await (const part of partsOf(run, store, there.lines)) {
      there = await send(part);
      // Another sender of this run was faster, or the server was cut off from a part.
      if (there.lines !== part.from + part.count) break;
    }
  }
  const url = new URL(`/runs/${encodeURIComponent(run.id)}`, receiver.server).href;
  return { run: run.id, url, project: receiver.project, lines, sent: lines - before };
}

/** Yields an export in parts, without its first lines. */
async function* partsOf(
  run: Run,
  store: Store,
  from: number,
): AsyncGenerator<LinesPart & { readonly count: number }> {
  let [text, first, line] = [[] as string[], from, 0];
  let length = 0;
  for await (const each of exportRun(run, store)) {
    line += 1;
    if (line <= from) continue;
    if (length > 0 && length + each.length > partLength) {
      yield { text: text.join(''), from: first, count: text.length };
      [text, first, length] = [[], first + text.length, 0];
    }
    text.push(each);
    length += each.length;
  }
  if (text.length > 0) yield { text: text.join(''), from: first, count: text.length };
}
