import { isFields } from './put-into.ts';

/**
 * Brings the actions of an agent benchmark into our spelling: each is to be done, others may be too, and what a tool is
 * given stands under `kwargs`. What is no list is left for the check to refuse.
 */
export function readActions(given: unknown): unknown {
  return Array.isArray(given) ? { mode: 'superset', expect: given.map(readAction) } : given;
}

function readAction(action: unknown): unknown {
  if (!isFields(action)) return action;
  const { name, kwargs, arguments: stated } = action;
  const given = stated ?? kwargs;
  return given === undefined ? { name } : { name, arguments: given };
}
