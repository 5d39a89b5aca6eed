import { messageOf } from '../errors.ts';
import type { Message, ToolCall } from '../schema/message.ts';
import { toolCallsOf } from '../schema/trial.ts';
import type { ModuleRequest } from './module-function.ts';
import { keptOutcome } from './reply/read-tool-calls.ts';
import { withToolCalls } from './reply/read-messages.ts';
import { toJson } from './reply/to-json.ts';
import type { AroundTool, HandledOutcome, Reply, ToolError, ToolOutcome } from './target.ts';

/**
 * A reply with the tool calls that were recorded while it was made. What a function reports of its tools by itself counts
 * instead, but which of these calls were tampered with is noted there too.
 */
export function withRecordedCalls(reply: Reply, recorded: readonly ToolCall[]): Reply {
  if (recorded.length === 0) return reply;
  const { toolCalls, transcript } = reply;
  const isReported = toolCalls.length > 0;
  return {
    ...reply,
    toolCalls: isReported ? withMarks(toolCalls, recorded) : [...recorded],
    ...(transcript !== undefined && {
      transcript: isReported ? markMessages(transcript, recorded) : withToolCalls(transcript, [...recorded]),
    }),
  };
}

function markMessages(transcript: readonly Message[], recorded: readonly ToolCall[]): Message[] {
  const marked = withMarks(toolCallsOf(transcript), recorded);
  return transcript.map((message) => {
    const { toolCalls } = message;
    return toolCalls === undefined ? message : { ...message, toolCalls: marked.splice(0, toolCalls.length) };
  });
}

/** Of a tool that was used several times, the last report is of the last use: a transcript may begin before this call. */
function withMarks(reported: readonly ToolCall[], recorded: readonly ToolCall[]): ToolCall[] {
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

/** The uses of tools by a function during one call. */
interface ToolRecorder {
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
