import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { messageOf } from '../../core/errors.ts';
import { readHead } from '../../core/lib/network/listen.ts';
import { parseJson } from '../../core/lib/json/parse-json.ts';
import { randomId } from '../../core/lib/random-id.ts';
import { type Json, jsonSchema } from '../../core/schema/json.ts';
import type { Wire } from '../../core/schema/message.ts';
import type { Attribute, Door, DoorOutcome, ToolSession, WireOutcome } from './door.ts';

/** The code of a call that belongs to no attempt. */
const withoutTrialCode = 'tool-call-without-trial';

/** The most bytes of one message. */
const mostBytes = 10_000_000;

const callSchema = z.object({
  name: z.string().min(1),
  arguments: jsonSchema.optional(),
  server: z.string().optional(),
  readOnly: z.boolean().optional(),
  /** All tools of the program: what it reports of them and nothing has seen was not called. */
  tools: z.array(z.string()).optional(),
});

const outcomeSchema = z
  .object({
    result: jsonSchema.optional(),
    error: z.union([z.string(), z.looseObject({ message: z.string() })]).optional(),
    wire: z.custom<Wire>().optional(),
  })
  .refine((given) => 'result' in given !== 'error' in given, { message: 'one of `result` and `error`' });

const trafficSchema = z.object({
  server: z.string(),
  method: z.string(),
  request: jsonSchema.optional(),
  reply: jsonSchema.optional(),
  ms: z.number().default(0),
});

/** A call that a program runs itself, and whose outcome is awaited. */
interface OpenCall {
  readonly settle: (outcome: WireOutcome) => void;
  readonly ended: Promise<DoorOutcome>;
  readonly own: () => WireOutcome | undefined;
}

/** Creates the door for functions of a bot, which asks before it runs one and reports its outcome. */
export function createFunctionsDoor(onNames: (names: readonly string[]) => void): Door {
  const open = new Map<string, OpenCall>();
  const ids = new Set<string>();
  const begin = async (body: Json, session: ToolSession): Promise<Json> => {
    const { name, arguments: args = {}, server = '', readOnly, tools = [] } = check(callSchema, body);
    onNames([...tools]);
    const id = `c${randomId()}`;
    ids.add(id);
    const asked = Promise.withResolvers<Json>();
    const given = Promise.withResolvers<WireOutcome>();
    let own: WireOutcome | undefined;
    given.promise.catch(() => {});
    const ended = session.use({ server, name, arguments: args, isReadOnly: readOnly === true }, async () => {
      asked.resolve({ id, do: 'run' });
      own = await given.promise;
      return own;
    });
    open.set(id, { settle: given.resolve, ended, own: () => own });
    session.over.addEventListener('abort', () => {
      open.delete(id);
      given.reject(new Error('the conversation ended before the tool did'));
    });
    void ended.then((outcome) => asked.resolve({ id, ...instruct(outcome) }));
    const reply = await asked.promise;
    if ((reply as { do?: Json }).do !== 'run') open.delete(id);
    return reply;
  };
  const end = async (id: string, body: Json): Promise<Json> => {
    const call = open.get(id);
    if (call === undefined) throw new Refusal(ids.has(id) ? 410 : 404, `There is no open call ${id}.`);
    open.delete(id);
    const { result = null, error, wire } = check(outcomeSchema, body);
    const message = typeof error === 'string' ? error : error?.message;
    call.settle(message === undefined ? { result, wire } : { error: message, wire });
    const outcome = await call.ended;
    return outcome === call.own() ? { do: 'return-own' } : instruct(outcome);
  };
  const tell = async (
    method: string,
    path: string,
    body: Json,
    session: ToolSession,
  ): Promise<Json | undefined> => {
    if (method === 'POST' && path === '/calls') return await begin(body, session);
    const id = /^\/calls\/(\w+)$/.exec(path)?.[1];
    if (method === 'PUT' && id !== undefined) return await end(id, body);
    if (method === 'POST' && path === '/traffic') {
      session.noteTraffic(check(trafficSchema, body));
      return null;
    }
    if (method !== 'POST' || path !== '/replies')
      throw new Refusal(404, `No such address: ${method} ${path}.`);
    const { server, method: asked, request = null } = check(trafficSchema, body);
    const reply = await session.recordedReply(server, asked, request);
    return { offline: session.isOffline, ...(reply === undefined ? {} : { reply }) };
  };
  return {
    open: async () => {},
    handle: async (request, response, path, attribute) => {
      try {
        const body = parse(await readText(request));
        const session = sessionOf(attribute, request, body);
        const reply = await tell(request.method ?? '', path.split('?')[0] ?? '', body, session);
        send(response, reply === null ? 204 : 200, reply ?? null);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        send(response, error.status, { error: error.message });
      }
    },
    listTools: async () => undefined,
    close: async () => {},
  };
}

/** A request that is not carried out, with its HTTP status. */
class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

function sessionOf(attribute: Attribute, { headers }: IncomingMessage, body: Json): ToolSession {
  const { name } = Object(body) as { readonly name?: unknown };
  const session = attribute(undefined, typeof name === 'string' ? name : undefined);
  if (session !== undefined) return session;
  const baggage =
    headers['baggage'] === undefined ? 'no `baggage` header' : 'its `baggage` header names none';
  throw new Refusal(
    409,
    `${withoutTrialCode}: the call belongs to no attempt (${baggage}). Use the address that came with the question.`,
  );
}

function instruct(outcome: DoorOutcome): { [key: string]: Json } {
  const wire: { [key: string]: Json } = outcome.wire === undefined ? {} : { wire: outcome.wire };
  if ('result' in outcome) return { do: 'return', result: outcome.result, ...wire };
  return {
    do: 'raise',
    error: { message: outcome.error, ...(outcome.details as { [key: string]: Json } | undefined) },
    ...wire,
  };
}

function check<Schema extends z.ZodType>(schema: Schema, body: Json): z.output<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Refusal(422, `\`${issue?.path.join('.') ?? ''}\`: ${issue?.message ?? 'not this form'}`);
}

async function readText(request: IncomingMessage): Promise<string> {
  const { bytes, isWhole } = await readHead(request, mostBytes);
  if (!isWhole) throw new Refusal(413, `A message has more than ${mostBytes} bytes.`);
  return bytes.toString('utf8');
}

function parse(text: string): Json {
  try {
    return parseJson(text) as Json;
  } catch (error) {
    throw new Refusal(422, `The body is no JSON: ${messageOf(error)}`);
  }
}

function send(response: ServerResponse, status: number, body: Json): void {
  const text = status === 204 ? '' : JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}
