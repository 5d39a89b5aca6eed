import type { Json } from '../../../core/schema/json.ts';
import type { Header } from '../carry/upstream.ts';
import type { DoorOutcome } from '../door.ts';
import { asFields, type CallRequest, headerMismatch, versionOf } from './mcp-message.ts';

/** An argument of a tool that its requests repeat in a header (`x-mcp-header` of SEP-2243). */
export interface HeaderParameter {
  /** The header, in lower case. */
  readonly header: string;
  /** The names that lead to the argument. */
  readonly path: readonly string[];
  readonly isNumber: boolean;
}

const parameterTypes: readonly unknown[] = ['string', 'integer', 'boolean', 'number'];

/** Returns the arguments that a tool wants in headers, as its `inputSchema` declares them. */
export function readHeaderParameters(
  schema: Json | undefined,
  path: readonly string[] = [],
): HeaderParameter[] {
  const { 'x-mcp-header': name, type, properties } = asFields(schema) ?? {};
  const isDeclared = path.length > 0 && typeof name === 'string' && parameterTypes.includes(type);
  const isNumber = type === 'integer' || type === 'number';
  const own = isDeclared ? [{ header: `mcp-param-${name.toLowerCase()}`, path, isNumber }] : [];
  const inner = Object.entries(asFields(properties) ?? {});
  return [...own, ...inner.flatMap(([key, child]) => readHeaderParameters(child, [...path, key]))];
}

/**
 * Returns the error that a server since 2026-07-28 has to answer a call with whose headers are missing or disagree with its body, for
 * where no server is asked; undefined for a call that it takes.
 */
export function findUnfit(
  call: CallRequest,
  headers: readonly Header[],
  parameters: readonly HeaderParameter[],
): DoorOutcome | undefined {
  if (!call.isModern) return undefined;
  const expected: readonly (readonly [string, Json | undefined, boolean?])[] = [
    ['mcp-protocol-version', versionOf(call.message)],
    ['mcp-method', 'tools/call'],
    ['mcp-name', call.name],
    ...parameters.flatMap(({ header, path, isNumber }) => {
      const value = path.reduce<Json | undefined>((node, key) => asFields(node)?.[key], call.arguments);
      return isComparable(value) ? [[header, value, isNumber] as const] : [];
    }),
  ];
  const wrong = expected.find(([name, value, isNumber]) => {
    const header = headers.find(([each]) => each.toLowerCase() === name)?.[1];
    const text = header === undefined ? undefined : decodeHeader(header);
    const isEqual = isNumber === true && /^-?\d+(\.\d+)?$/.test(text ?? '') && Number(text) === value;
    return !isEqual && text !== String(value);
  });
  if (wrong === undefined) return undefined;
  const error = `Bad Request: the request headers and body disagree: ${wrong[0]} is not ${JSON.stringify(wrong[1])}`;
  return { error, wire: { parts: { error: { code: headerMismatch, message: error } } } };
}

/** Returns whether an argument is expected in a header: a long number cannot be compared, and what is absent is not expected. */
function isComparable(value: Json | undefined): boolean {
  if (typeof value === 'number') return Number.isSafeInteger(value) || !Number.isInteger(value);
  return typeof value === 'string' || typeof value === 'boolean';
}

/** Decodes a header, whose value is in Base64 where it has other characters than a header may have. */
function decodeHeader(value: string): string {
  const pattern = /^=\?base64\?(?<bytes>(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)\?=$/;
  const encoded = pattern.exec(value)?.groups?.['bytes'];
  return encoded === undefined ? value : Buffer.from(encoded, 'base64').toString('utf8');
}
