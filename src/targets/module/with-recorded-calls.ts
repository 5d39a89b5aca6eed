import type { Message, ToolCall } from '../../schema/message.ts';
import { toolCallsOf } from '../../schema/trial.ts';
import { withToolCalls } from '../reply/read-transcript.ts';
import type { Reply } from '../target.ts';

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
