import type { Json } from '../schema/json.ts';

/** The options that make a target what it is: all but those that change no answer, such as limits. */
export function identifyingOptions(options: object, changeNoAnswer: Readonly<Record<string, unknown>>): Json {
  const kept = Object.entries(options).filter(([name]) => !Object.hasOwn(changeNoAnswer, name));
  return JSON.parse(JSON.stringify(Object.fromEntries(kept)));
}
