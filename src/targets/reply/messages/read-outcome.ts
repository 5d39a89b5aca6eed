import type { Json } from '../../../schema/json.ts';
import { toJson } from '../to-json.ts';
import { type Fields, isFields, type Outcome, toText } from './part.ts';

/**
 * How a use of a tool ended, from what it gave back and whether that is said to be an error. Programs that write errors down
 * as ordinary results leave it to metrics to tell them.
 */
export function readOutcome(value: unknown, isError: boolean = false): Outcome {
  if (isFields(value) && value['isError'] === true) return readOutcome(value['content'] ?? value, true);
  const result = plainResult(value);
  return isError ? { error: errorText(result) } : { result };
}

/** The value inside the wrappers in which model APIs send the results of tools. */
function plainResult(value: unknown): Json {
  if (typeof value === 'string') return parseJson(value);
  if (Array.isArray(value) && value.length > 0) return joinBlocks(value) ?? toJson(value);
  if (isFields(value) && isTyped(value, /^(text|json|content|error-text|error-json)$/, 'value')) {
    return plainResult(value['value']);
  }
  if (isFields(value) && Array.isArray(value['content']) && value['content'].length > 0) {
    return joinBlocks(value['content']) ?? toJson(value);
  }
  return toJson(value);
}

function isTyped(value: Fields, types: RegExp, holder: string): boolean {
  return typeof value['type'] === 'string' && types.test(value['type']) && holder in value;
}

/** A list of blocks that are all texts as one text; undefined for any other list. */
function joinBlocks(blocks: readonly unknown[]): Json | undefined {
  const [only] = blocks;
  if (blocks.length === 1 && isFields(only) && Object.keys(only).join() === 'json')
    return toJson(only['json']);
  const texts = blocks.map((block) => (isFields(block) ? blockText(block) : undefined));
  return texts.every((text) => text !== undefined) ? parseJson(texts.join('\n')) : undefined;
}

function blockText(block: Fields): string | undefined {
  const { type, text } = block;
  return typeof text === 'string' && (type === undefined || String(type).endsWith('text')) ? text : undefined;
}

/** Objects and lists travel as a text of JSON; any other text is meant as it is. */
export function parseJson(text: string): Json {
  if (!/^\s*[[{]/.test(text)) return text.toWellFormed();
  try {
    return toJson(JSON.parse(text));
  } catch {
    return text.toWellFormed(); // No JSON after all.
  }
}

function errorText(result: Json): string {
  if (!isFields(result)) return toText(result);
  const said = isFields(result['error'])
    ? result['error']['message']
    : (result['error'] ?? result['message']);
  return typeof said === 'string' ? said : toText(result);
}
