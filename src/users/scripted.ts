import { z } from 'zod';
import { testPattern } from '../lib/exec-pattern.ts';
import type { Message } from '../schema/message.ts';
import { compileCondition } from '../schema/conversation.ts';
import { defineUser, type Speaker, type User } from './user.ts';

/** A user who says what the case's script says, whatever the target answers. */
export const scriptedUser = defineUser({
  name: 'scripted-user',
  version: 1,
  summary: "Says what the case's script says, turn by turn.",
  options: () => z.strictObject({}),
  create: (): User => ({
    begin: ({ user: { script = [] } }): Speaker => {
      let place = 0; // The first turn is what the case says first.
      return {
        next: async (heard) => {
          const answer = lastAnswer(heard);
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

function lastAnswer(heard: readonly Message[]): string {
  return heard.findLast(({ role }) => role === 'assistant')?.content ?? '';
}
