import type { Json } from '../../schema/json.ts';
import type { RequestedToolCall } from '../model.ts';

/**
 * A tool call whose arguments come as a text of JSON. No text is no arguments. What is not a JSON object is kept as it
 * came and marked, not guessed at.
 */
export function readToolCall(id: string, name: string, written: string): RequestedToolCall {
  if (written.trim() === '') return { id, name, arguments: {} };
  const value = parse(written);
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? { id, name, arguments: value } : { id, name, unreadableArguments: written };
}

function parse(written: string): Json | undefined {
  try {
    return JSON.parse(written);
  } catch {
    return undefined; // The caller keeps the text.
  }
}
