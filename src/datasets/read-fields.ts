import type { CellKind } from './field-table.ts';
import { type Fields, isFields } from './put-into.ts';

const listSeparators = /[|;\r\n]/;
const nameSeparators = /[|;,\r\n]/;

/**
 * The value that a text cell stands for. A list is a JSON list, or is separated by `|`, `;` or line breaks, names and
 * ids also by commas. A cell that is not of its kind stays the text it is, for the check to refuse; so does a list with
 * commas alone, which may be one text or several.
 */
export function readCell(cell: string, kind: CellKind): unknown {
  if (kind === 'list') return hasDoubtfulCommas(cell) ? cell : readList(cell, listSeparators);
  if (kind === 'names' || kind === 'tools') return readList(cell, nameSeparators);
  if (kind === 'messages') return readMessages(cell);
  if (kind === 'documents')
    return cell.trimStart().startsWith('{') ? readJson(cell) : readList(cell, nameSeparators);
  if (kind === 'json' || kind === 'calls' || kind === 'actions')
    return /^\s*[[{]/.test(cell) ? readJson(cell) : cell;
  return kind === 'flag' ? readFlag(cell) : cell;
}

function readList(cell: string, separators: RegExp): unknown {
  if (cell.trimStart().startsWith('[')) return readJson(cell);
  return cell
    .split(separators)
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** A question may well begin with a bracket: only a list of messages is a conversation. */
function readMessages(cell: string): unknown {
  const value = cell.trimStart().startsWith('[') ? parseJson(cell) : undefined;
  const isConversation =
    Array.isArray(value) && value.length > 0 && value.every((item) => item?.role !== undefined);
  return isConversation ? value : cell;
}

function readFlag(cell: string): unknown {
  const word = cell.trim().toLowerCase();
  if (['true', 'yes', '1'].includes(word)) return true;
  return ['false', 'no', '0'].includes(word) ? false : cell;
}

function readJson(cell: string): unknown {
  return parseJson(cell) ?? cell;
}

function parseJson(cell: string): unknown {
  try {
    return JSON.parse(cell);
  } catch {
    return undefined;
  }
}

/** Whether a cell has commas that may separate items, and nothing that surely does. Those within numbers do not. */
function hasDoubtfulCommas(cell: string): boolean {
  if (cell.trimStart().startsWith('[') || listSeparators.test(cell)) return false;
  return cell.replace(/\d,(?=\d{3}(?!\d))/g, '').includes(',');
}

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

/**
 * Brings expected documents into our spelling: an object that gives each id its relevance becomes a list of objects,
 * and ids that are whole numbers become texts. What is neither a list nor an object is left for the check to refuse.
 */
export function readDocuments(given: unknown): unknown {
  if (isFields(given)) return Object.entries(given).map(([id, relevance]) => ({ id, relevance }));
  return Array.isArray(given) ? given.map(readDocument) : given;
}

function readDocument(document: unknown): unknown {
  if (isFields(document)) return { ...document, id: textOf(document['id']) };
  return textOf(document);
}

function textOf(id: unknown): unknown {
  return Number.isSafeInteger(id) ? String(id) : id;
}
