import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { messageOf } from '../../core/errors.ts';
import { isContainer } from '../../core/lib/json/is-container.ts';
import { parseJson } from '../../core/lib/json/parse-json.ts';
import { readWhole } from './carry/bodies.ts';
import type { DoorOutcome, ServerToolUse, ToolSession, WireOutcome } from './door.ts';

/** The members of an answer of the door for functions. */
type Answer = Readonly<Record<string, unknown>>;

/** Sends a request to the door for functions, and returns its answer. Throws for an error status, and when nothing answers. */
export type AskRun = (method: string, path: string, body: unknown) => Promise<Answer>;

/** Returns the function that sends requests to the door for functions at an address. No proxy of the network is asked. */
export function askRunAt(address: string): AskRun {
  return async (method, path, body) => {
    const { request } = process.getBuiltinModule('node:http');
    const bytes = Buffer.from(JSON.stringify(body));
    const headers = { 'content-type': 'application/json', 'content-length': bytes.length };
    const asked = request(`${address}${path}`, { method, headers });
    asked.end(bytes);
    const [reply] = (await once(asked, 'response')) as [IncomingMessage];
    const text = (await readWhole(reply)).toString('utf8');
    const status = reply.statusCode ?? 0;
    if (status >= 300) throw new Error(`${status} ${text}`);
    return text === '' ? {} : membersOf(parseJson(text));
  };
}

/**
 * Asks the run of another process about a call, makes the call where that is the answer, and reports its outcome. The real tool is never
 * used unasked.
 */
export async function useAsRunSays(
  { server, name, arguments: given, isReadOnly }: ServerToolUse,
  run: Parameters<ToolSession['use']>[1],
  ask: AskRun,
): Promise<DoorOutcome> {
  try {
    const asked = await ask('POST', '/calls', { server, name, arguments: given, readOnly: isReadOnly });
    if (asked['do'] !== 'run') return toOutcome(asked);
    const id = String(asked['id']);
    const own = await run({ key: id }).catch((error: unknown): WireOutcome => ({ error: messageOf(error) }));
    const told = await ask('PUT', `/calls/${id}`, own);
    return told['do'] === 'return-own' ? own : toOutcome(told);
  } catch (error) {
    const message = `The run that this tool belongs to cannot be asked: ${messageOf(error)}`;
    return { error: message, from: 'refused' };
  }
}

function toOutcome(told: Answer): DoorOutcome {
  const { result = null, wire } = told as Pick<DoorOutcome, 'wire'> & { readonly result?: never };
  if (told['do'] === 'return') return { result, wire };
  const { message, code, status } = membersOf(told['error']);
  const details = {
    code: typeof code === 'string' ? code : undefined,
    status: typeof status === 'number' ? status : undefined,
  };
  return { error: String(message), details, wire };
}

function membersOf(value: unknown): Answer {
  return isContainer(value) ? (value as Answer) : {};
}
