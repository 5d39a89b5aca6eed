import { isReplyObject, readReply } from '../read-reply.ts';
import { type Reply, TargetFailure } from '../target.ts';

/**
 * The reply in a text of which it is not known whether it is JSON: an object with one of the names of an answer is
 * read as one; any other text is the answer itself, without its last line ending.
 */
export function readReplyText(text: string): Reply {
  const value = parseObject(text);
  return readReply(isReplyObject(value) ? value : text.replace(/\r?\n$/, ''));
}

function parseObject(text: string): unknown {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Not JSON after all: an answer may well begin with a brace.
  }
}

/** A reply that also holds what the target wrote beside it. */
export function addLogs(reply: Reply, logs: string): Reply {
  const all = [reply.logs, logs].filter(Boolean).join('\n');
  return all === '' ? reply : { ...reply, logs: all };
}

/** A failure that also holds what the target wrote beside the answer it did not give; anything else as it is. */
export function addLogsToFailure(thrown: unknown, logs: string): unknown {
  if (!(thrown instanceof TargetFailure) || logs === '') return thrown;
  return thrown.with({ logs: [thrown.logs, logs].filter(Boolean).join('\n') });
}
