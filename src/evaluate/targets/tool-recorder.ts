import { messageOf } from '../../core/errors.ts';
import { copyJson } from '../../core/lib/json/copy-json.ts';
import type { Message, ToolCall } from '../../core/schema/message.ts';
import { toolCallsOf } from '../../core/schema/trial.ts';
import type { ModuleRequest, ToolWork } from './module-function.ts';
import { keptOutcome } from './reply/read-tool-calls.ts';
import { withToolCalls } from './reply/read-messages.ts';
import { toJson } from './reply/to-json.ts';
import type { HandledOutcome, Reply, ToolError, ToolInterceptor, ToolOutcome } from './target.ts';

/**
 * Adds the tool calls recorded during a call to its reply. Tool calls that the function itself reports take precedence,
 * but faults injected into recorded calls are marked on them too.
 */
export function withRecordedCalls(reply: Reply, recorded: readonly ToolCall[]): Reply {
  if (recorded.length === 0) return reply;
  const { toolCalls, transcript } = reply;
  const isReported = toolCalls.length > 0;
  return {
    ...reply,
    toolCalls: isReported ? withFaults(toolCalls, recorded) : [...recorded],
    ...(transcript !== undefined && {
      transcript: isReported
        ? addFaultsToMessages(transcript, recorded)
        : withToolCalls(transcript, [...recorded]),
    }),
  };
}

function addFaultsToMessages(transcript: readonly Message[], recorded: readonly ToolCall[]): Message[] {
  const calls = withFaults(toolCallsOf(transcript), recorded);
  return transcript.map((message) => {
    const { toolCalls } = message;
    return toolCalls === undefined ? message : { ...message, toolCalls: calls.splice(0, toolCalls.length) };
  });
}

/**
 * Copies the faults of recorded calls to reported ones. They are matched from the end by name, since a transcript may
 * begin before this call.
 */
function withFaults(reported: readonly ToolCall[], recorded: readonly ToolCall[]): ToolCall[] {
  const left = recorded.toReversed();
  const takeLast = (name: string) => {
    const index = left.findIndex((call) => call.name === name);
    return index === -1 ? undefined : left.splice(index, 1)[0];
  };
  return reported
    .toReversed()
    .map((call) => {
      const { fault, withheld } = takeLast(call.name) ?? {};
      if (fault === undefined) return call;
      return { ...call, fault, ...(withheld !== undefined && { withheld }) };
    })
    .toReversed();
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
