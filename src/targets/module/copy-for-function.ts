import type { TargetRequest } from '../target.ts';
import type { ModuleRequest } from './module-function.ts';

/**
 * The parts of a request that belong to the case, as copies that a function may change as it likes, and the session. Few hold anything
 * nested, and a deep copy of what does not would be most of what a call costs.
 */
export function copyForFunction({
  messages,
  session,
  metadata,
}: TargetRequest): Pick<ModuleRequest, 'messages' | 'session' | 'metadata'> {
  return { messages: messages.map(copyDeeply), session: { ...session }, metadata: copyDeeply(metadata) };
}

function copyDeeply<Value extends object>(value: Value): Value {
  const isNested = Object.values(value).some((part) => typeof part === 'object' && part !== null);
  return isNested ? structuredClone(value) : { ...value };
}
