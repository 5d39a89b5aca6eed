import type { Json } from '../../../core/schema/json.ts';
import { askRunAt, useAsRunSays } from '../ask-run.ts';
import type { ServerTraffic, ToolSession } from '../door.ts';

/** The conversation of another process, which decides about the calls in this one. */
export type RemoteSession = ToolSession & {
  /** Fulfilled when all that was noted has arrived. */
  readonly noted: () => Promise<void>;
};

/**
 * Opens the conversation behind the address of the door for functions. Throws when nothing answers there.
 * @param over - Aborted when this process ends.
 */
export async function openRemoteSession(
  address: string,
  server: string,
  over: AbortSignal,
): Promise<RemoteSession> {
  const send = askRunAt(address);
  const begin = await send('POST', '/replies', { server, method: 'initialize', request: {} });
  let notes: Promise<unknown> = Promise.resolve();
  return {
    trialKey: '',
    mayChange: true,
    isOffline: begin['offline'] === true,
    over,
    folder: () => {
      throw new Error('Another process has the folder of this conversation.');
    },
    use: async (use, run) => await useAsRunSays(use, run, send),
    noteTraffic: (traffic: ServerTraffic) => {
      const note = async () => await send('POST', '/traffic', traffic).catch(() => undefined);
      notes = notes.then(note);
    },
    recordedReply: async (_server, method, request) => {
      // A run that is gone has none; calls then say so.
      const asked = await send('POST', '/replies', { server, method, request }).catch(() => undefined);
      return asked?.['reply'] as Json | undefined;
    },
    notePast: () => {},
    noted: async () => {
      await notes;
    },
  };
}
