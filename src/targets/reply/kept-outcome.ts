import type { ToolCall } from '../../schema/message.ts';
import type { HandledOutcome } from '../target.ts';

/** The part of an outcome that is kept with a tool call: without what only programs want to know of an error. */
export function keptOutcome(outcome: HandledOutcome): Omit<ToolCall, 'id' | 'name' | 'arguments'> {
  if ('result' in outcome) return outcome;
  const { details: _details, ...kept } = outcome;
  return kept;
}
