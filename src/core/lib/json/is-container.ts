import { ExactNumber } from './exact-number.ts';

/** Returns whether a JSON value is an object or a list. A long number is neither, although it is an object in JavaScript. */
export function isContainer<Value>(value: Value): value is Exclude<Value & object, ExactNumber> {
  return typeof value === 'object' && value !== null && !(value instanceof ExactNumber);
}
