import type { SecretRedactor } from '../../lib/redact-secrets.ts';
import { shorten } from '../../lib/terminal-text.ts';
import type { Json } from '../../schema/json.ts';
import type { Headers } from '../account/read-allowances.ts';
import { ModelFailure } from '../model.ts';
import type { JsonObject } from './protocol.ts';
import { reportedFailure } from './status-failure.ts';

/**
 * Reads a reply as JSON: servers mislabel it, so the text decides, and not the content type. Throws `ModelFailure` without
 * secrets: `invalid-reply`, or the error that the reply reports.
 */
export function parseReply(text: string, headers: Headers, redactor: SecretRedactor): JsonObject {
  const type = headers['content-type']?.toString() ?? '';
  try {
    return asObject(JSON.parse(text) as Json, redactor);
  } catch (error) {
    if (error instanceof ModelFailure) throw error;
    const kind = type === '' ? 'without a content type' : `of the type ${type}`;
    throw invalidReply(`The reply, ${kind}, is not JSON: ${shorten(redactor.text(text).trim(), 300)}`);
  }
}

/** A reply that is an object and reports no error. Throws `ModelFailure` without secrets. */
export function asObject(value: Json, redactor: SecretRedactor): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const shown = JSON.stringify(redactor.json(value));
    throw invalidReply(`The reply is JSON, but no object: ${shorten(shown, 300)}`);
  }
  const error = value['object'] === 'error' ? value : (value['error'] ?? null);
  if (error !== null) throw reportedFailure(redactor.json(error));
  return value;
}

/** The failure for a reply that is none; another try may bring a better one. */
export function invalidReply(message: string): ModelFailure {
  return new ModelFailure('invalid-reply', message, { retryable: true });
}
