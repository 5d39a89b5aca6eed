import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { messageOf } from '../../../core/errors.ts';
import { parseJson } from '../../../core/lib/json/parse-json.ts';
import type { Json } from '../../../core/schema/json.ts';
import { readWhole } from '../carry/bodies.ts';
import type { DoorOutcome, ServerTraffic, ServerToolUse, ToolSession, WireOutcome } from '../door.ts';
import { asFields, type Fields } from './mcp-message.ts';

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
  const send = async (method: string, path: string, body: unknown) =>
    await tell(`${address}${path}`, method, body);
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
    use: async (use, run) => await useThere(use, run, send),
    noteTraffic: (traffic: ServerTraffic) => {
      const note = async () => await send('POST', '/traffic', traffic).catch(() => undefined);
      notes = notes.then(note);
    },
    recordedReply: async (_server, method, request) => {
      // A run that is gone has none; calls then say so.
      const asked = await send('POST', '/replies', { server, method, request }).catch(() => undefined);
      return asked?.['reply'];
    },
    notePast: () => {},
    noted: async () => {
      await notes;
    },
  };
}

type Send = (method: string, path: string, body: unknown) => Promise<Fields>;

/** Asks about a call, makes it where that is the answer, and reports what came of it. The real tool is never used unasked. */
async function useThere(
  { server, name, arguments: given, isReadOnly }: ServerToolUse,
  run: Parameters<ToolSession['use']>[1],
  send: Send,
): Promise<DoorOutcome> {
  try {
    const asked = await send('POST', '/calls', { server, name, arguments: given, readOnly: isReadOnly });
    if (asked['do'] !== 'run') return toOutcome(asked);
    const id = String(asked['id']);
    const own = await run({ key: id }).catch((error: unknown): WireOutcome => ({ error: messageOf(error) }));
    const told = await send('PUT', `/calls/${id}`, own);
    return told['do'] === 'return-own' ? own : toOutcome(told);
  } catch (error) {
    return {
      error: `The run that this tool belongs to cannot be asked: ${messageOf(error)}`,
      from: 'refused',
    };
  }
}

function toOutcome(told: Fields): DoorOutcome {
  const wire = asFields(told['wire']);
  const parts = wire === undefined ? {} : { wire };
  if (told['do'] === 'return') return { result: told['result'] ?? null, ...parts };
  const { message, code, status } = asFields(told['error']) ?? {};
  const details = {
    ...(typeof code === 'string' && { code }),
    ...(typeof status === 'number' && { status }),
  };
  return { error: String(message), details, ...parts };
}

/** Sends JSON to an address of this machine, and returns the answer. No proxy is asked. Throws for an error status. */
async function tell(address: string, method: string, body: unknown): Promise<Fields> {
  const { request } = process.getBuiltinModule('node:http');
  const bytes = Buffer.from(JSON.stringify(body));
  const headers = { 'content-type': 'application/json', 'content-length': bytes.length };
  const asked = request(address, { method, headers });
  asked.end(bytes);
  const [reply] = (await once(asked, 'response')) as [IncomingMessage];
  const text = (await readWhole(reply)).toString('utf8');
  const status = reply.statusCode ?? 0;
  if (status >= 300) throw new Error(`${status} ${text}`);
  return text === '' ? {} : (asFields(parseJson(text) as Json) ?? {});
}
