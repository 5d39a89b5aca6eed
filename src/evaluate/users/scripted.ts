import { z } from 'zod';
import { testPattern } from '../../core/lib/exec-pattern.ts';
import type { Message } from '../../core/schema/message.ts';
import { compileCondition } from '../../core/schema/conversation.ts';
import { defineUser, type Speaker, type User } from './user.ts';

/** Plays a user who follows the script of the case, whatever the target answers. */
export const scriptedUser = defineUser({
  name: 'scripted-user',
  version: 1,
  summary: 'Follows the script of the question turn by turn.',
  words: 'script, multi-turn, fixed turns, conversation, dialogue',
  options: () => z.strictObject({}),
  create: (): User => ({
    begin: ({ user: { script = [] } }): Speaker => {
      let place = 0; // The first turn is what the case says first.
      return {
        next: async (conversation) => {
          const answer = lastAnswer(conversation);
          do place += 1;
          while (place < script.length && !isDue(script[place]?.when, answer));
          const turn = script[place];
          return turn === undefined
            ? { type: 'ends', ended: 'script-over' }
            : { type: 'says', message: turn.say, script: place };
        },
      };
    },
  }),
});

function isDue(when: string | undefined, answer: string): boolean {
  return when === undefined || testPattern(compileCondition(when), answer);
}

function lastAnswer(conversation: readonly Message[]): string {
  return conversation.findLast(({ role }) => role === 'assistant')?.content ?? '';
}
