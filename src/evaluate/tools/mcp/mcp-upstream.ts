import type { Agent } from 'undici';
import { TouchstoneError } from '../../../core/errors.ts';
import { createAgent } from '../../../core/lib/network/agent.ts';
import { findUnreachable } from '../../../core/lib/network/connection-error.ts';
import { type CarriedReply, carry, type Header, withOwnHeaders } from '../carry/upstream.ts';
import type { ToolSession } from '../door.ts';

/** A request of the streamable transport. */
export interface McpRequest {
  readonly method: string;
  readonly headers: readonly Header[];
  readonly body: Buffer | null;
  readonly signal: AbortSignal;
}

/** A server that speaks the protocol, behind the streamable transport. */
export interface McpUpstream {
  /** Makes sure that it can be reached. Throws `target-unreachable`. */
  open(): Promise<void>;
  /** Carries a request to it. Throws `UpstreamLost`. */
  send(request: McpRequest, session: ToolSession | undefined): Promise<CarriedReply>;
  close(): Promise<void>;
}

/** Creates the upstream of an address. `headers` replace the bot's. */
export function createHttpUpstream(url: URL, headers: ReadonlyMap<string, string>): McpUpstream {
  let agent: Promise<Agent> | undefined;
  const path = `${url.pathname}${url.search}`;
  return {
    open: async () => {
      const reason = await findUnreachable(url);
      if (reason !== undefined) throw new TouchstoneError('target-unreachable', reason);
    },
    send: async (request) => {
      agent ??= createAgent();
      const carried = { ...request, path, headers: withOwnHeaders(request.headers, headers) };
      return await carry(await agent, url, carried);
    },
    close: async () => {
      await (await agent)?.destroy();
      agent = undefined;
    },
  };
}
