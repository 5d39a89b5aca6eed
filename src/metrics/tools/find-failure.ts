import { firstUnits } from '../../lib/terminal-text.ts';
import type { Json } from '../../schema/json.ts';
import { detectError, signsOfNothing } from '../operations/detect-error.ts';

/**
 * What a tool's result says went wrong; undefined for a result of a call that did not fail. A result says so when it is an
 * object (or the JSON text of one) with a filled `error`, `isError` or `is_error` true, `success` or `ok` false, the
 * `status` "error", or `errors` and no `data`; or a text that is an error report, such as `Error: no such user`.
 */
export function findFailure(result: Json): string | undefined {
  if (typeof result === 'string') return failureOfText(result);
  return isRecord(result) ? failureOfObject(result) : undefined;
}

function failureOfText(text: string): string | undefined {
  const object = readObject(text);
  if (object !== undefined) return failureOfObject(object);
  const sign = detectError(text);
  return sign === undefined || signsOfNothing.has(sign.id) ? undefined : text;
}

function failureOfObject(result: Readonly<Record<string, Json>>): string | undefined {
  const { error, errors, data, content } = result;
  const isMarked =
    isFilled(error) ||
    result['isError'] === true ||
    result['is_error'] === true ||
    result['success'] === false ||
    result['ok'] === false ||
    result['status'] === 'error' ||
    (isFilled(errors) && (data === undefined || data === null));
  if (!isMarked) return undefined;
  const said = [error, errors, result['message'], content].find(isFilled) ?? result;
  return typeof said === 'string' ? said : JSON.stringify(said);
}

function isFilled(value: Json | undefined): boolean {
  if (typeof value !== 'object' || value === null) return Boolean(value);
  return Object.keys(value).length > 0;
}

const longestObject = 1_000_000;

/** The object that a text is the JSON of. */
export function readObject(text: string): { [key: string]: Json } | undefined {
  if (text.length > longestObject || !/^\s*\{/.test(firstUnits(text, 1_000))) return undefined;
  try {
    const value = JSON.parse(text) as Json;
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined; // Not JSON after all: a text in braces.
  }
}

function isRecord(value: Json): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
