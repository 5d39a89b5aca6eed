import { messageOf } from '../../core/errors.ts';
import { copyJson } from '../../core/lib/json/copy-json.ts';
import type { ToolCall } from '../../core/schema/message.ts';
import type { ModuleRequest, ToolWork } from './module-function.ts';
import { keptOutcome } from './reply/read-tool-calls.ts';
import { mergeCalls } from './reply/merge-calls.ts';
import { toJson } from './reply/to-json.ts';
import type { HandledOutcome, Reply, ToolError, ToolInterceptor, ToolOutcome } from './target.ts';

/**
 * Puts the tool calls recorded during a call into its reply. They are what was really called: calls that the function itself reports
 * keep their place where they are the same, and calls of tools that were not recorded stay as reported.
 */
export function withRecordedCalls(reply: Reply, recorded: readonly ToolCall[]): Reply {
  if (recorded.length === 0) return reply;
  const names = new Set(recorded.map(({ name }) => name));
  return mergeCalls(reply, recorded, { isSeen: (name) => names.has(name), plainName: (name) => name });
}

/** A recorder of the tools that a function uses during one call. */
interface ToolRecorder {
  readonly useTool: ModuleRequest['useTool'];
  /** Returns the uses so far, in the order in which they began. */
  calls(): ToolCall[];
}

/** Creates a recorder with a `useTool` for one call of a function. */
export function createToolRecorder(
  intercept: ToolInterceptor = async (_use, run) => await run(),
): ToolRecorder {
  const calls: ToolCall[] = [];
  const useTool = async <Result>(name: string, args: object, run: ToolWork<Result>): Promise<Result> => {
    const call: ToolCall = { name: checkName(name), arguments: toJson(args) };
    calls.push(call);
    const watched = watch(run);
    const outcome = await intercept({ name, arguments: call.arguments ?? null }, watched.run);
    Object.assign(call, keptOutcome(outcome));
    return watched.take(outcome);
  };
  return { useTool, calls: () => calls.map((call) => ({ ...call })) };
}

/** Runs a tool and remembers exactly what it returned or threw; the recorded outcome is only a JSON copy of it. */
function watch<Result>(run: ToolWork<Result>) {
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
      // A faulty result of any type is returned: that it does not have the tool's type is the point of the fault.
      return copyJson(outcome.result) as Result;
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
