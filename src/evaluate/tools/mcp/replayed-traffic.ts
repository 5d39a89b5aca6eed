import type { Json } from '../../../core/schema/json.ts';
import type { ToolSession } from '../door.ts';
import { asFields, buildError, methodNotFound, type RpcMessage } from './mcp-message.ts';

/** The requests beside calls that a replay answers. */
const replayed: ReadonlySet<string> = new Set([
  'initialize',
  'server/discover',
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
]);

/** The requests whose reply depends on who asks, and not on the parameters. */
const withoutParameters: ReadonlySet<string> = new Set(['initialize', 'server/discover']);

/**
 * Returns the parameters by which the reply to a request is found again: without what names the client. Undefined for a request
 * that no replay answers.
 */
export function replayKeyOf(message: RpcMessage): Json | undefined {
  const method = String(message['method']);
  if (message['id'] === undefined || !replayed.has(method)) return undefined;
  if (withoutParameters.has(method)) return {};
  const { _meta, ...parameters } = asFields(message['params']) ?? {};
  return parameters;
}

/** Answers a request as the recording does, where no server may be asked; undefined for a message that is no request. */
export async function replayMessage(
  server: string,
  message: RpcMessage,
  session: Pick<ToolSession, 'recordedReply'>,
): Promise<Json | undefined> {
  const { id, method } = message;
  if (id === undefined || typeof method !== 'string') return undefined;
  if (method === 'ping') return { jsonrpc: '2.0', id, result: {} };
  const key = replayKeyOf(message);
  const result = key === undefined ? undefined : await session.recordedReply(server, method, key);
  if (result !== undefined) return { jsonrpc: '2.0', id, result };
  return buildError(id, methodNotFound, `${method} was not recorded, and no server may be asked in a replay`);
}
