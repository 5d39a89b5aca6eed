import { type Fields, isFields } from './put-into.ts';

/** Whether a value says who talks to the target: many files have a `user` of another kind, such as a name. */
export function isUser(value: unknown): value is Fields {
  return isFields(value) && (value['goal'] !== undefined || value['script'] !== undefined);
}

/** Whether a value is a script: a list of what a user says. A list of messages of both sides is none, and no number is. */
export function isScript(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0 && value.every(isTurn);
}

function isTurn(value: unknown): boolean {
  return typeof value === 'string' || (isFields(value) && value['say'] !== undefined);
}

/** The turns of a script as objects: a text is what the user says. */
export function readScript(script: readonly unknown[]): unknown[] {
  return script.map((turn) => (typeof turn === 'string' ? { say: turn } : turn));
}
