import { exactNumber, isWholeNumber } from '../lib/json/exact-number.ts';
import { parseJson } from '../lib/json/parse-json.ts';
import type { CellKind } from './field-table.ts';
import { type Fields, isFields } from './fields.ts';

const listSeparators = /[|;\r\n]/;
const nameSeparators = /[|;,\r\n]/;

/**
 * Reads the value of a text cell. A list is a JSON list, or is separated by `|`, `;` or line breaks, names and ids also
 * by commas. A cell that is not of its kind stays a text, which the schema refuses; so does a list with only commas,
 * which may be one text or several.
 */
export function readCell(cell: string, kind: CellKind): unknown {
  if (kind === 'list') return hasDoubtfulCommas(cell) ? cell : readList(cell, listSeparators);
  if (kind === 'names' || kind === 'tools') return readList(cell, nameSeparators);
  if (kind === 'messages') return readMessages(cell);
  if (kind === 'documents')
    return cell.trimStart().startsWith('{') ? readJson(cell) : readList(cell, nameSeparators);
  if (kind === 'json' || kind === 'calls' || kind === 'actions')
    return /^\s*[[{]/.test(cell) ? readJson(cell) : cell;
  if (kind === 'number') return /^\s*\d+(?:\.\d+)?\s*$/.test(cell) ? exactNumber(cell.trim()) : cell;
  return kind === 'flag' ? readFlag(cell) : cell;
}

function readList(cell: string, separators: RegExp): unknown {
  if (cell.trimStart().startsWith('[')) return readJson(cell);
  return cell
    .split(separators)
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** Reads the messages of a cell. A question may begin with a bracket: only a list of messages is a conversation. */
function readMessages(cell: string): unknown {
  const value = cell.trimStart().startsWith('[') ? tryJson(cell) : undefined;
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
  return tryJson(cell) ?? cell;
}

function tryJson(cell: string): unknown {
  try {
    return parseJson(cell);
  } catch {
    return undefined;
  }
}

/**
 * Returns whether a cell has commas that may separate items and no unambiguous separator. Commas within numbers do not
 * count.
 */
function hasDoubtfulCommas(cell: string): boolean {
  if (cell.trimStart().startsWith('[') || listSeparators.test(cell)) return false;
  return cell.replace(/\d,(?=\d{3}(?!\d))/g, '').includes(',');
}

/**
 * Converts the actions of an agent benchmark to our spelling: each is required, others are allowed, and the arguments
 * are under `kwargs`. A value that is not a list is left for the schema to refuse.
 */
export function readActions(raw: unknown): unknown {
  return Array.isArray(raw) ? { mode: 'superset', expect: raw.map(readAction) } : raw;
}

function readAction(action: unknown): unknown {
  if (!isFields(action)) return action;
  const { name, kwargs, arguments: stated } = action;
  const args = stated ?? kwargs;
  return args === undefined ? { name } : { name, arguments: args };
}

/** Converts a list of expected tools to our spelling: names, or calls as other tools write them. */
export function readTools(raw: unknown): unknown {
  return Array.isArray(raw) ? raw.map(readTool) : raw;
}

/** Converts the calls of a list, or of the rules `expect`, `must`, `mustNot` and `only`, to our spelling. */
export function readCalls(raw: unknown): unknown {
  if (!isFields(raw)) return readTools(raw);
  const rules = Object.entries(raw).map(([name, rule]) => [
    name,
    callLists.has(name) ? readTools(rule) : rule,
  ]);
  return Object.fromEntries(rules);
}

const callLists: ReadonlySet<string> = new Set(['expect', 'must', 'mustNot', 'only']);
/** Names of the arguments of a call in other tools, ours first. */
const argumentNames = ['arguments', 'inputParameters', 'input_parameters', 'args', 'kwargs'];

/**
 * Reads a call of a tool, also in OpenAI's form `{ function: { name, arguments } }`, whose arguments are JSON in a
 * text.
 */
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

function parseArguments(raw: unknown): unknown {
  if (typeof raw !== 'string' || !raw.trimStart().startsWith('{')) return raw;
  try {
    return parseJson(raw);
  } catch {
    return raw;
  }
}

/** Returns whether a value is a simulated user: many files have a `user` of another kind, such as a name. */
export function isUser(value: unknown): value is Fields {
  return isFields(value) && (value['goal'] !== undefined || value['script'] !== undefined);
}

/**
 * Returns whether a value is a script: a list of a user's messages. A list of messages of both sides is not one, nor is
 * a list of numbers.
 */
export function isScript(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0 && value.every(isTurn);
}

function isTurn(value: unknown): boolean {
  return typeof value === 'string' || (isFields(value) && value['say'] !== undefined);
}

/** Returns the turns of a script as objects: a text is a message of the user. */
export function readScript(script: readonly unknown[]): unknown[] {
  return script.map((turn) => (typeof turn === 'string' ? { say: turn } : turn));
}

/**
 * Converts expected documents to our spelling: an object from id to relevance becomes a list of objects, and ids that
 * are whole numbers become texts. Any other value is left for the schema to refuse.
 */
export function readDocuments(raw: unknown): unknown {
  if (isFields(raw)) return Object.entries(raw).map(([id, relevance]) => ({ id, relevance }));
  return Array.isArray(raw) ? raw.map(readDocument) : raw;
}

function readDocument(document: unknown): unknown {
  if (isFields(document)) return { ...document, id: textOf(document['id']) };
  return textOf(document);
}

function textOf(id: unknown): unknown {
  return isWholeNumber(id) ? String(id) : id;
}
