import type { Message } from '../../schema/message.ts';
import type { Fault } from './fault.ts';
import { wordsOf } from './fold-message.ts';

const fewestWords = 4;
const mostTimes = 2;

/**
 * Finds a user who goes round in circles: the same words a third time, although the other side has answered them in
 * different ways. A short word of assent, or asking again a side that goes round in circles itself, is no fault.
 */
export function findRepetition(message: string, heard: readonly Message[]): Fault | undefined {
  const words = wordsOf(message).join(' ');
  if (words.split(' ').length < fewestWords) return undefined;
  const answers = heard.flatMap(({ role, content }, place) => {
    const isSame = role === 'user' && wordsOf(content ?? '').join(' ') === words;
    return isSame ? [answerAfter(heard, place)] : [];
  });
  if (answers.length < mostTimes || new Set(answers).size < answers.length) return undefined;
  return { kind: 'repeated-itself', reason: `said the same words ${answers.length + 1} times` };
}

function answerAfter(heard: readonly Message[], place: number): string {
  const next = heard.findIndex(({ role }, index) => index > place && role === 'user');
  const turn = heard.slice(place + 1, next === -1 ? undefined : next);
  return wordsOf(turn.findLast(({ role }) => role === 'assistant')?.content ?? '').join(' ');
}
