import type { InputRequiredResult, ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { TouchstoneError } from '../../core/errors.ts';
import type { Reply } from './fit-reply.ts';
import type { Beginning, LocalProject, McpProject } from './project.ts';

/** The longest reply of any tool, in characters: clients refuse replies of more than 25,000 tokens. */
export const longestReply = 24_000;

/** The part of a call that a tool sees besides its input. */
export interface ToolCall {
  readonly project: McpProject;
  readonly context: ServerContext;
  /** Returns what the client can do; undefined when it has not said so. */
  readonly capabilities: () => { readonly elicitation?: unknown } | undefined;
}

/** A tool: what it is for, what it takes, and the names of what it answers. */
export interface Tool<Input extends z.ZodType = z.ZodType> {
  readonly name: string;
  /** At most 400 characters: a client sends all of them with each request of an agent. */
  readonly description: string;
  readonly input: Input;
  /** The names of the members of a reply, besides `notice`. */
  readonly output: readonly string[];
  /** The longest reply, in characters. */
  readonly limit: number;
  /** True for a tool that starts or stops something. */
  readonly isWriting?: boolean;
  /** True when calling it again changes nothing further. */
  readonly isIdempotent?: boolean;
  /** True when bots or judges are called because of it. */
  readonly isOpenWorld?: boolean;
  /** True for a tool that reads the files of a project or starts processes in it. */
  readonly isLocal?: boolean;
  /** True for a tool that plans or begins runs. */
  readonly isBeginning?: boolean;
  /** True for a tool of the referee, which is listed where the config has one. */
  readonly isReferee?: boolean;
  readonly call: (input: z.output<Input>, call: ToolCall) => Promise<Reply | InputRequiredResult>;
}

/** Declares a tool; its input is inferred from the schema. */
export function defineTool<Input extends z.ZodType>(tool: Tool<Input>): Tool {
  return tool;
}

/** Returns the files of a project. A server without them does not list the tools that need them. */
export function localOf({ project }: Pick<ToolCall, 'project'>): LocalProject {
  if (project.local !== undefined) return project.local;
  throw new TouchstoneError('usage-invalid', 'This server has no files of a project.');
}

/** Returns the means to begin runs. A server without them does not list the tools that need them. */
export function beginningOf({ project }: Pick<ToolCall, 'project'>): Beginning {
  if (project.beginning !== undefined) return project.beginning;
  throw new TouchstoneError('usage-invalid', 'No run can be begun by this server.');
}

/** The `run` of an input. */
export const runInput = z
  .string()
  .min(1)
  .max(200)
  .describe('Id or part of it, latest, latest~1, a baseline or a name.');
