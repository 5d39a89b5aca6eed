import type { CallPattern } from '../../core/schema/expected-calls.ts';
import type { Json } from '../../core/schema/json.ts';
import type { ToolCall } from '../../core/schema/message.ts';
import type { ToolResult } from '../../core/schema/tools/tool-result.ts';

/** A use of a tool that has not been made yet. */
export interface ToolUse {
  readonly name: string;
  readonly arguments: Json;
}

/** A tool's own error, with what programs recognise it by, such as `{ code: 'ETIMEDOUT' }` or `{ status: 429 }`. */
export interface ToolError {
  readonly error: string;
  readonly details?: { readonly code?: string; readonly status?: number };
}

/** The outcome of a tool: a result, or its own error. */
export type ToolOutcome = { readonly result: Json } | ToolError;

/** An outcome with the changes that Touchstone made to it, if any; they are stored with the tool call. */
export type HandledOutcome = ToolOutcome & Pick<ToolCall, 'fault' | 'withheld'>;

/** A function that runs a tool, or injects a fault in its place. */
export type ToolInterceptor = (use: ToolUse, run: () => Promise<ToolOutcome>) => Promise<HandledOutcome>;

/** The addresses at which a bot reaches its tools, all of this conversation. */
export interface TargetTools {
  /** By the name of the server; `functions` for functions, `mcpConfig` for the path of a file with all MCP servers. */
  readonly addresses: Readonly<Record<string, string>>;
  /** Headers for the bot to pass on, by which its calls find this conversation; mostly none. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The rules of a question about tools, for the proxy between a target and them. */
export interface ToolRules {
  /** The key of the attempt. */
  readonly key: string;
  /** The results that the question brings along. */
  readonly results: readonly ToolResult[];
  /** The calls that the question forbids. */
  readonly mustNot: readonly CallPattern[];
}
