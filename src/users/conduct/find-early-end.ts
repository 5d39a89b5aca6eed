import type { Message } from '../../schema/message.ts';
import type { CaseUser } from '../../schema/user.ts';
import type { Fault } from './fault.ts';

/** Words by which the other side waits for a go-ahead, at the end of its last message. */
const goAhead =
  /(?:\b(?:shall|should|may|can) I (?:go ahead|proceed|book|confirm|place|send|submit|cancel|schedule|continue)\b[^?]*\?|\b(?:do|would) you (?:want|like) me to\b[^?]*\?|\bplease (?:confirm|reply|type)\b[^?]*[.!?]|\b(?:is (?:that|this)|are these) (?:correct|right|ok|okay|all right)\s*\?)\s*$/iu;

/** Finds a user who leaves before anything can have come of it. */
export function findEarlyEnd(
  ended: 'goal-met' | 'gave-up',
  { patience }: CaseUser,
  heard: readonly Message[],
): Fault | undefined {
  const early = (reason: string): Fault => ({ kind: 'stopped-early', reason });
  const last = heard.findLast(({ role, content }) => role === 'assistant' && content !== null)?.content;
  if (typeof last !== 'string') return early('ended the conversation before there was any answer');
  if (ended === 'goal-met') {
    return goAhead.test(last)
      ? early('called it done although the other side waited for a go-ahead')
      : undefined;
  }
  const turns = heard.filter(({ role }) => role === 'user').length;
  if (typeof patience !== 'number' || turns >= patience) return undefined;
  return early(`gave up after ${turns} of at least ${patience} answers`);
}
