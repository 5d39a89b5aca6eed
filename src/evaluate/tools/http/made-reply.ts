import type { Json } from '../../../core/schema/json.ts';
import type { DoorOutcome } from '../door.ts';
import { isJsonType } from './body-values.ts';

type Wire = NonNullable<DoorOutcome['wire']>;

/** A reply that is made in place of the server's. */
export interface MadeReply {
  readonly status: number;
  readonly contentType: string | undefined;
  readonly body: Buffer;
}

const jsonType = 'application/json';

/**
 * Makes the reply to a call that the server did not answer, or whose result was changed.
 * @param original - The reply of the server, whose status and type a changed result keeps.
 */
export function makeReply(
  outcome: DoorOutcome,
  original?: { readonly status: number; readonly contentType: string },
): MadeReply {
  const wire = outcome.fault === undefined ? outcome.wire : undefined;
  if (wire?.status !== undefined) return repeatReply(outcome, { ...wire, status: wire.status });
  if ('error' in outcome)
    return { status: statusOf(outcome), contentType: jsonType, body: jsonBody({ error: outcome.error }) };
  const { result } = outcome;
  const usual = typeof result === 'string' ? 'text/plain; charset=utf-8' : jsonType;
  const contentType = original === undefined || original.contentType === '' ? usual : original.contentType;
  return { status: original?.status ?? 200, contentType, body: bodyOf(result, contentType) };
}

/** Makes a recorded reply again. */
function repeatReply(
  outcome: DoorOutcome,
  { status, contentType, parts }: Wire & { readonly status: number },
): MadeReply {
  const { base64, body } = Object(parts) as { readonly base64?: string; readonly body?: Json };
  if (base64 !== undefined) return { status, contentType, body: Buffer.from(base64, 'base64') };
  const value = 'error' in outcome ? (body ?? { error: outcome.error }) : outcome.result;
  return { status, contentType, body: bodyOf(value, contentType) };
}

/** Returns the bytes of a value; a record without a type had no body. */
function bodyOf(value: Json, contentType: string | undefined): Buffer {
  if (contentType === undefined && value === null) return Buffer.alloc(0);
  const isText = typeof value === 'string' && !(contentType !== undefined && isJsonType(contentType));
  return isText ? Buffer.from(value) : jsonBody(value);
}

function jsonBody(value: Json): Buffer {
  return Buffer.from(JSON.stringify(value));
}

/** Returns the status of an error. */
function statusOf({ from, details }: Extract<DoorOutcome, { readonly error: string }>): number {
  if (details?.status !== undefined) return details.status;
  if (details?.code === 'ETIMEDOUT') return 504;
  return from === 'refused' ? 403 : 500;
}
