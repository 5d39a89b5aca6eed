import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Attribute, ToolSession } from './door.ts';
import type { ToolsSetting } from './tools-setting.ts';

/** The conversations among which a request without a token is attributed. */
interface Known {
  sessionOf(token: string): ToolSession | undefined;
  /** The tokens by the ids of MCP sessions that began while one attempt was in flight. */
  readonly mcpSessions: Map<string, string>;
  /** Returns the token of the only attempt in flight. */
  only(): string | undefined;
  onStray(name: string): void;
}

/** Creates the function that finds the conversation of a request by what the bot passes on. It is never guessed. */
export function createAttribution({ trial }: ToolsSetting, { sessionOf, mcpSessions, only, onStray }: Known) {
  const header = trial.startsWith('header:') ? trial.slice('header:'.length).toLowerCase() : undefined;
  return ({ headers }: IncomingMessage, response: ServerResponse): Attribute => {
    const text = (name: string) => String(headers[name] ?? '');
    const find = (baggage: string): string | undefined => {
      if (trial === 'one-at-a-time') return only();
      const named = tokenIn(baggage) ?? tokenIn(text('baggage')) ?? (header && text(header));
      return named || mcpSessions.get(text('mcp-session-id'));
    };
    return (baggage = '', call) => {
      const token = find(baggage);
      const session = token === undefined ? undefined : sessionOf(token);
      if (session !== undefined) return session;
      if (call !== undefined) onStray(call);
      const alone = call === undefined && token === undefined ? only() : undefined;
      if (alone === undefined) return undefined;
      // An MCP session that begins while one attempt is in flight is that attempt's.
      response.once('finish', () => {
        const id = response.getHeader('mcp-session-id');
        if (typeof id === 'string') mcpSessions.set(id, alone);
      });
      return sessionOf(alone);
    };
  };
}

/** Returns the token in OpenTelemetry baggage (W3C). */
function tokenIn(baggage: string): string | undefined {
  return /(?:^|,)\s*touchstone\.trial=(?<token>[\w-]+)/.exec(baggage)?.groups?.['token'];
}
