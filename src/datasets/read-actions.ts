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

/** Brings a list of expected tools into our spelling: names, or calls as other tools write them. */
export function readTools(given: unknown): unknown {
  return Array.isArray(given) ? given.map(readTool) : given;
}

/** Brings the calls of a list, or of the rules `expect`, `must`, `mustNot` and `only`, into our spelling. */
export function readCalls(given: unknown): unknown {
  if (!isFields(given)) return readTools(given);
  const rules = Object.entries(given).map(([name, rule]) => [
    name,
    callLists.has(name) ? readTools(rule) : rule,
  ]);
  return Object.fromEntries(rules);
}

const callLists: ReadonlySet<string> = new Set(['expect', 'must', 'mustNot', 'only']);
/** What other tools call the arguments of a call, ours first. */
const argumentNames = ['arguments', 'inputParameters', 'input_parameters', 'args', 'kwargs'];

/** OpenAI's `{ function: { name, arguments } }` is one as well; its arguments are JSON in a text. */
function readTool(tool: unknown): unknown {
  if (!isFields(tool)) return tool;
  const { function: inner, type: _type, ...rest } = tool;
  const call = isFields(inner) ? { ...rest, ...inner } : tool;
  const stated = argumentNames.find((name) => call[name] !== undefined && call[name] !== null);
  const others = Object.entries(call).filter(
    ([name, value]) => value !== null && !argumentNames.includes(name),
  );
  const read = Object.fromEntries(others);
  return stated === undefined ? read : { ...read, arguments: parseArguments(call[stated]) };
}

function parseArguments(given: unknown): unknown {
  if (typeof given !== 'string' || !given.trimStart().startsWith('{')) return given;
  try {
    return JSON.parse(given);
  } catch {
    return given;
  }
}
