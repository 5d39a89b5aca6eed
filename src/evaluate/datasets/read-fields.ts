import { exactNumber, isNumber, isWholeNumber } from '../../core/lib/json/exact-number.ts';
import { parseJson, tryParseJson } from '../../core/lib/json/parse-json.ts';
import { parsePythonLiteral } from '../../core/lib/text/python-literal.ts';
import type { FieldMapping } from './field-mapping.ts';
import type { CellKind } from './field-table.ts';
import { type Fields, isFields } from './fields.ts';
import { splitFiles } from './attachments/place-attachments.ts';
import { readShared } from './forms/public-sets.ts';
import { innerAnswer, textOf } from './forms/read-answers.ts';
import { isDecimalComma, isOtherWeight, readWeight } from './forms/read-numbers.ts';

const listSeparators = /[|;\r\n]/;
const nameSeparators = /[|;,\r\n]/;

/** The kinds of fields that are no text: their text is read like a cell in every format. */
export const cellKinds: ReadonlySet<CellKind> = new Set([
  'list',
  'names',
  'tools',
  'documents',
  'files',
  'flag',
  'weight',
]);

/**
 * Reads the value of a text cell. A list is a JSON list or one of Python, or is separated by `|`, `;` or line breaks, names
 * and ids also by commas. A cell that is not of its kind stays a text, which the schema refuses; so does a list with only
 * commas, which may be one text or several. `49,90` is one number.
 */
export function readCell(cell: string, kind: CellKind): unknown {
  return readers[kind](cell);
}

const asJson = (cell: string) => (/^\s*[[{]/.test(cell) ? readJson(cell) : cell);
/** A cell that says that no tool has to be used. */
const noTools = /^\s*(?:none|no tools?|n\/a|null|-)\s*$/i;
const asNames = (cell: string) => readList(cell, nameSeparators);

const readers: Readonly<Record<CellKind, (cell: string) => unknown>> = {
  text: (cell) => cell,
  messages: readMessages,
  list: (cell) => (hasDoubtfulCommas(cell) ? cell : readList(cell, listSeparators)),
  names: asNames,
  tools: (cell) => (noTools.test(cell) ? [] : asNames(cell)),
  files: (cell) => (/^\s*[[{]/.test(cell) ? readJson(cell) : splitFiles(cell)),
  documents: (cell) => (cell.trimStart().startsWith('{') ? readJson(cell) : asNames(cell)),
  answer: readTexts,
  answers: readAlternatives,
  description: readTexts,
  choices: (cell) => (/^\s*[[{]/.test(cell) ? readJson(cell) : cell),
  json: asJson,
  calls: asJson,
  actions: asJson,
  numbers: asJson,
  weight: readWeight,
  number: (cell) => (/^\s*\d+(?:\.\d+)?\s*$/.test(cell) ? exactNumber(cell.trim()) : cell),
  flag: readFlag,
};

function readList(cell: string, separators: RegExp): unknown {
  if (cell.trimStart().startsWith('[')) return readJson(cell);
  return cell
    .split(separators)
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** Reads one text, or a list of texts in brackets. Any other text in brackets is the text itself. */
function readTexts(cell: string): unknown {
  const value = /^\s*[[{]/.test(cell) ? parseLiteral(cell) : undefined;
  if (isFields(value)) return innerAnswer(value) ?? cell;
  const isList = Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string');
  return isList ? value : cell;
}

/** Reads several texts of which any one will do. */
function readAlternatives(cell: string): unknown {
  const list = hasDoubtfulCommas(cell) ? [cell] : readList(cell, listSeparators);
  return Array.isArray(list) && list.length === 0 ? cell : list;
}

function isScalar(value: unknown): boolean {
  return isNumber(value) || typeof value === 'boolean';
}

/** Returns the items of a list as texts, as they are in most files: 42 is `42`. A single item is a list of one. */
export function readItems(raw: unknown): unknown {
  if (isScalar(raw)) return [textOf(raw)];
  if (!Array.isArray(raw)) return raw;
  return raw.map((item) => (isScalar(item) ? textOf(item) : item));
}

/** Reads the messages of a cell. A question may begin with a bracket: only a list of messages is a conversation. */
function readMessages(cell: string): unknown {
  const value = cell.trimStart().startsWith('[') ? parseLiteral(cell) : undefined;
  const isConversation =
    Array.isArray(value) && value.length > 0 && value.every((item) => item?.role !== undefined);
  return isConversation ? value : (readShared(value) ?? cell);
}

/** Yes and no, as people and as spreadsheets in several languages write them. */
const yesWords: ReadonlySet<string> = new Set(
  'true yes 1 wahr ja vrai oui verdadero sí verdadeiro sim vero sì waar prawda tak'.split(' '),
);
const noWords: ReadonlySet<string> = new Set(
  'false no 0 falsch nein faux non falso não onwaar nee fałsz nie'.split(' '),
);

function readFlag(cell: string): unknown {
  const word = cell.trim().toLowerCase();
  if (yesWords.has(word)) return true;
  return noWords.has(word) ? false : cell;
}

function readJson(cell: string): unknown {
  return parseLiteral(cell) ?? cell;
}

/** Returns the value of a list or an object in JSON or as Python prints it; undefined for any other text. */
export function parseLiteral(cell: string): unknown {
  try {
    return parseJson(cell);
  } catch {
    return parsePythonLiteral(cell, true)?.value;
  }
}

/**
 * Returns whether a cell has commas that may separate items and no unambiguous separator. Commas within numbers do not
 * count.
 */
function hasDoubtfulCommas(cell: string): boolean {
  if (cell.trimStart().startsWith('[') || listSeparators.test(cell) || isDecimalComma(cell)) return false;
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
/** Parts of a call in other tools that describe the tool, or say what came of it, and demand nothing. */
const descriptive: ReadonlySet<string> = new Set([
  'description',
  'reasoning',
  'output',
  'result',
  'id',
  'type',
]);

/** Returns whether calls have parts that are no rule, which then become metadata. */
export function describesTools(raw: unknown): boolean {
  return (
    Array.isArray(raw) &&
    raw.some((tool) => isFields(tool) && Object.keys(tool).some((name) => descriptive.has(name)))
  );
}

/** Names of the arguments of a call in other tools, ours first. */
const argumentNames = [
  'arguments',
  'inputParameters',
  'input_parameters',
  'args',
  'kwargs',
  'tool_input',
  'tool_args',
];
/** Names of the tool of a call in other tools, where there is no `name`. */
const nameNames = ['tool_name', 'toolName', 'tool'];

/**
 * Reads a call of a tool, also in OpenAI's form `{ function: { name, arguments } }`, whose arguments are JSON in a
 * text.
 */
function readTool(tool: unknown): unknown {
  if (!isFields(tool)) return tool;
  const { function: inner, type: _type, ...rest } = tool;
  const call = withName(isFields(inner) ? { ...rest, ...inner } : tool);
  const stated = argumentNames.find((name) => call[name] !== undefined && call[name] !== null);
  const others = Object.entries(call).filter(
    ([name, value]) => value !== null && !argumentNames.includes(name) && !descriptive.has(name),
  );
  const read = Object.fromEntries(others);
  return stated === undefined ? read : { ...read, arguments: parseArguments(call[stated]) };
}

function withName(call: Fields): Fields {
  const other =
    call['name'] === undefined ? nameNames.find((name) => typeof call[name] === 'string') : undefined;
  if (other === undefined) return call;
  const { [other]: name, ...rest } = call;
  return { name, ...rest };
}

function parseArguments(raw: unknown): unknown {
  if (typeof raw !== 'string' || !raw.trimStart().startsWith('{')) return raw;
  return tryParseJson(raw, raw);
}

/** Returns the object in a text cell that holds a question; any other value as it is. */
export function parseQuestion(
  raw: unknown,
  {
    mapping,
    hasTextCells,
  }: { readonly mapping: Pick<FieldMapping, 'fieldOf'>; readonly hasTextCells: boolean },
): unknown {
  if (typeof raw !== 'string' || !hasTextCells || !/^\s*\{/.test(raw)) return raw;
  const value = parseLiteral(raw);
  const isAsked = isFields(value) && Object.keys(value).some((key) => mapping.fieldOf(key) === 'input');
  return isAsked ? value : raw;
}

/** Returns whether a value under a known name becomes metadata: a weight that is none of the case, or metadata that are no object. */
export function isKeptBeside(
  { field, cell }: { readonly field: string; readonly cell: CellKind },
  raw: unknown,
  read: () => unknown,
): boolean {
  return cell === 'weight' ? isOtherWeight(raw) : field === 'metadata' && !isFields(read());
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
  if (isFields(document)) return { ...document, id: idOf(document['id']) };
  return idOf(document);
}

function idOf(id: unknown): unknown {
  return isWholeNumber(id) ? String(id) : id;
}

/** The words that people write into a cell that has no value. */
const noValue = /^\s*(?:n\/?a|none|null|-)\s*$/i;

/**
 * Returns whether a cell has no value, as pandas writes it: `nan` and `<NA>`, and `NaN` where no text is expected, since an answer
 * may be one.
 */
export function isMissing(raw: unknown, cell: CellKind): boolean {
  if (raw === 'nan' || raw === '<NA>') return true;
  if (['flag', 'number', 'numbers', 'json'].includes(cell) && noValue.test(String(raw))) return true;
  return raw === 'NaN' && !['text', 'messages', 'answer', 'description'].includes(cell);
}
