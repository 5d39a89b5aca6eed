import type { Agent, Dispatcher } from 'undici';
import { type Reply, TargetFailure, type TargetRequest } from '../target.ts';
import { abortedFailure } from '../until-aborted.ts';
import { toConnectionFailure } from './connection-failure.ts';
import { type HttpBody, readBody } from './read-body.ts';
import { readHttpReply, type ReplyPaths } from './read-http-reply.ts';
import { createRedactor, type Redactor } from './redact.ts';
import type { HttpRequest, RequestPlan } from './request-plan.ts';
import { statusFailure } from './status-failure.ts';

/** The connections of one target, with what its requests are made of. */
export interface Client {
  readonly plan: RequestPlan;
  readonly agent: Agent;
  readonly redactor: Redactor;
}

/** Makes a client; no connection is made before the first request. */
export async function createClient(plan: RequestPlan, maxConnections: number | undefined): Promise<Client> {
  const { Agent } = await import('undici'); // Loading it takes as long as a small run.
  // The caller has its own time limit.
  const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0, connections: maxConnections ?? null });
  return { plan, agent, redactor: createRedactor(plan.variables) };
}

/** What bounds a call, and how its reply is to be read. */
export interface CallSettings {
  readonly signal: AbortSignal;
  readonly options: ReplyPaths & { readonly allowErrorStatus: boolean };
}

/** Asks once. Throws `TargetFailure` with all secrets removed. */
export async function askServer(
  client: Client,
  request: TargetRequest,
  { signal, options }: CallSettings,
): Promise<Reply> {
  try {
    if (signal.aborted) throw abortedFailure(signal);
    const body = await send(client, client.plan.build(request), { signal, options });
    return readHttpReply(body, options, client.redactor);
  } catch (error) {
    throw client.redactor.failure(error);
  }
}

async function send(
  { agent, redactor }: Client,
  { url, method, headers, body }: HttpRequest,
  { signal, options }: CallSettings,
): Promise<HttpBody> {
  try {
    const path = `${url.pathname}${url.search}`;
    const response = await agent.request({
      origin: url.origin,
      path,
      method,
      headers: { ...headers },
      body,
      signal,
    });
    return await readResponse(response, { redactor, allowErrorStatus: options.allowErrorStatus });
  } catch (error) {
    if (error instanceof TargetFailure) throw error;
    throw signal.aborted ? abortedFailure(signal) : toConnectionFailure(error, url.host);
  }
}

interface ResponseRules {
  readonly redactor: Redactor;
  readonly allowErrorStatus: boolean;
}

async function readResponse(
  { statusCode: status, headers, body }: Dispatcher.ResponseData,
  { redactor, allowErrorStatus }: ResponseRules,
): Promise<HttpBody> {
  body.on('error', () => {}); // Giving up on a body half-way is no news.
  try {
    if ((status >= 200 && status < 300) || (allowErrorStatus && status >= 400)) {
      return await readBody(body, headers);
    }
    // The status is what matters here: a body that cannot be read must not hide it.
    const text = await readBody(body, headers).then(
      (read) => redactor.text(read.text),
      () => '',
    );
    throw statusFailure({ status, headers, text });
  } finally {
    body.destroy();
  }
}
