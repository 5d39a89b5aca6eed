import { messageOf } from '../../errors.ts';
import type { ToolCall } from '../../schema/message.ts';
import { keptOutcome } from '../reply/kept-outcome.ts';
import { toJson } from '../reply/to-json.ts';
import type { AroundTool, HandledOutcome, ToolError, ToolOutcome } from '../target.ts';
import type { ModuleRequest } from './module-function.ts';

/** The uses of tools by a function during one call. */
export interface ToolRecorder {
  readonly useTool: ModuleRequest['useTool'];
  /** What was used so far, in the order in which it was begun. */
  calls(): ToolCall[];
}

/** Makes a `useTool` for one call of a function. */
export function createToolRecorder(around: AroundTool = async (_use, run) => await run()): ToolRecorder {
  const calls: ToolCall[] = [];
  const useTool = async <Result>(
    name: string,
    given: object,
    run: () => Result | Promise<Result>,
  ): Promise<Result> => {
    const call: ToolCall = { name: checkName(name), arguments: toJson(given) };
    calls.push(call);
    const watched = watch(run);
    const outcome = await around({ name, arguments: call.arguments ?? null }, watched.run);
    Object.assign(call, keptOutcome(outcome));
    return watched.take(outcome);
  };
  return { useTool, calls: () => calls.map((call) => ({ ...call })) };
}

/** Runs a tool, and remembers exactly what it gave or threw: what is recorded of it is a copy in JSON. */
function watch<Result>(run: () => Result | Promise<Result>) {
  let own: { readonly outcome: ToolOutcome; readonly take: () => Result } | undefined;
  return {
    run: async (): Promise<ToolOutcome> => {
      try {
        const result = await run();
        own = { outcome: { result: toJson(result) }, take: () => result };
      } catch (thrown) {
        const rethrow = (): never => {
          throw thrown;
        };
        own = { outcome: { error: messageOf(thrown).toWellFormed() }, take: rethrow };
      }
      return own.outcome;
    },
    take: (outcome: HandledOutcome): Result => {
      if (outcome === own?.outcome) return own.take();
      if ('error' in outcome) throw toError(outcome);
      // Any result of a broken tool: that it is not of the tool's type is the point of the fault.
      return structuredClone(outcome.result) as Result;
    },
  };
}

function toError({ error, details }: ToolError): Error {
  return Object.assign(new Error(error), details);
}

function checkName(name: unknown): string {
  if (typeof name === 'string' && name !== '') return name.toWellFormed();
  throw new TypeError('useTool(name, arguments, run) needs the name of the tool first.');
}
