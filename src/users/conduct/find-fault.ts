import type { Message } from '../../schema/message.ts';
import type { Part } from '../user.ts';
import type { Fault } from './fault.ts';
import { findAssistant } from './find-assistant.ts';
import { findEarlyEnd } from './find-early-end.ts';
import { findLeak } from './find-leak.ts';
import { findRepetition } from './find-repetition.ts';

/** What a user wants to do next. */
export interface Intention {
  readonly status: 'goes-on' | 'goal-met' | 'gave-up';
  readonly message: string;
}

/** What is wrong with what a simulated user wants to do, found without asking anybody; undefined when nothing is. */
export function findFault(
  { status, message }: Intention,
  part: Part,
  heard: readonly Message[],
): Fault | undefined {
  if (status !== 'goes-on') return findEarlyEnd(status, part.user, heard);
  return findAssistant(message, heard) ?? findLeak(message, part, heard) ?? findRepetition(message, heard);
}
