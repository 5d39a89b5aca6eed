import { tryParseJson } from '../../../core/lib/json/parse-json.ts';
import { isReplyObject, readReply, type ReplyRules } from '../read-reply.ts';
import { type Reply, TargetFailure } from '../target.ts';

/**
 * Reads a reply from a text that may or may not be JSON. An object with one of the names of an answer is read as a
 * reply; any other text is the answer itself, without its last line ending.
 */
export function readReplyText(text: string, rules: ReplyRules = {}): Reply {
  const value = parseObject(text);
  return readReply(isReplyObject(value) ? value : text.replace(/\r?\n$/, ''), rules);
}

function parseObject(text: string): unknown {
  if (!/^\s*\{/.test(text)) return undefined;
  return tryParseJson(text);
}

/** Adds logs to a reply. */
export function addLogs(reply: Reply, logs: string): Reply {
  const all = [reply.logs, logs].filter(Boolean).join('\n');
  return all === '' ? reply : { ...reply, logs: all };
}

/** Adds logs to a failure. Anything else is returned as it is. */
export function addLogsToFailure(thrown: unknown, logs: string): unknown {
  if (!(thrown instanceof TargetFailure) || logs === '') return thrown;
  return thrown.with({ logs: [thrown.logs, logs].filter(Boolean).join('\n') });
}
