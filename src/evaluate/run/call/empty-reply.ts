import { standardFinish } from '../../../core/lib/finish-words.ts';
import { shorten } from '../../../core/lib/text/terminal-text.ts';
import { type Reply, TargetFailure } from '../../targets/target.ts';

/**
 * Returns true when a reply has nothing to score: no text, no tool call, no document that it found and no state. A recorded
 * silence that another tool has judged is what it judged.
 */
export function isEmptyReply({
  toolCalls,
  documents = [],
  state,
  transcript = [],
  ...reply
}: Reply): boolean {
  if (Object.keys(Object(reply.recorded?.['verdicts'])).length > 0) return false;
  const found = documents.filter(({ given }) => given !== true);
  if (!isSilent(reply.answer) || toolCalls.length + found.length > 0 || state !== undefined) return false;
  const lastQuestion = transcript.findLastIndex(({ role }) => role === 'user');
  return transcript
    .slice(lastQuestion + 1)
    .every(({ content, toolCalls: calls = [] }) => isSilent(content) && calls.length === 0);
}

function isSilent(text: string | null | undefined): boolean {
  return (text ?? '').trim() === '';
}

/** Returns the failure of an empty reply, which says why it is empty. It keeps the usage, which was paid for. */
export function noAnswer({
  logs,
  latency,
  answer: _nothing,
  toolCalls: _none,
  ...partial
}: Reply): TargetFailure {
  const { finishReason, usage } = partial;
  const isCut = finishReason !== undefined && standardFinish(finishReason) === 'length';
  const thought = usage?.reasoningTokens ?? 0;
  const after = thought > 0 ? `, after ${thought.toLocaleString('en')} tokens of reasoning` : '';
  const message = isCut
    ? `The target gave no answer: it was cut off at its limit of tokens (\`${shorten(finishReason, 60)}\`)${after}. Raise \`maxTokens\`, or ask for less reasoning.`
    : `The target gave no answer: nothing, or white space alone${stoppedWith(finishReason)}${after}.`;
  return new TargetFailure(isCut ? 'cut-off' : 'no-answer', message, { logs, latency, partial });
}

function stoppedWith(word: string | undefined): string {
  return word === undefined ? '' : ` (it stopped with \`${shorten(word, 60)}\`)`;
}

/**
 * Returns a reply with the mark of a refusal where the provider of the model ended it for what was asked or written, and
 * nothing of it is left. Any other reply is returned as it is.
 */
export function markRefusal(reply: Reply): Reply {
  const { answer, finishReason, refused } = reply;
  const isStopped = finishReason !== undefined && standardFinish(finishReason) === 'content-filter';
  const word = refused ?? (isStopped && isSilent(answer) ? finishReason : undefined);
  if (word === undefined) return reply;
  const logs = [reply.logs, `The provider refused to answer: ${word}`].filter(Boolean).join('\n');
  return { ...reply, answer: isSilent(answer) ? null : answer, refused: word, logs };
}

/** Returns a call that the provider refused by an error as the reply that it is; undefined for any other failure. */
export function readRefusal({ code, message, logs, partial, latency }: TargetFailure): Reply | undefined {
  if (code !== 'refused-by-provider') return undefined;
  const known = {
    ...partial,
    ...(logs !== undefined && { logs }),
    ...(latency !== undefined && { latency }),
  };
  return markRefusal({ ...known, answer: null, toolCalls: [], refused: message });
}
