import type { Readable } from 'node:stream';
import { connectionErrorCode } from '../../lib/connection-error.ts';
import type { SecretRedactor } from '../../lib/redact-secrets.ts';
import { valueAtPath } from '../../lib/value-at-path.ts';
import type { Json } from '../../schema/json.ts';
import { ModelFailure } from '../model.ts';
import { asObject } from './parse-reply.ts';
import type { JsonObject, StreamAssembler } from './protocol.ts';
import { readEventStream, type ServerEvent } from './read-event-stream.ts';
import { invalidUtf8, limited } from './read-text.ts';
import { reportedFailure } from './status-failure.ts';

/** A streamed reply put together, with the milliseconds to the first thing that the model wrote. */
export interface StreamedReply {
  readonly reply: JsonObject;
  readonly firstTokenMs?: number;
}

/**
 * Reads a stream up to the event that says it is over, or to its end; a body that has more is left to the caller. Throws
 * `ModelFailure` without secrets.
 *
 * @param sent - The time on the monotonic clock when the request was sent, in milliseconds.
 */
export async function readStream(
  body: Readable,
  assembler: StreamAssembler,
  { sent, redactor }: { readonly sent: number; readonly redactor: SecretRedactor },
): Promise<StreamedReply> {
  let firstTokenMs: number | undefined;
  for await (const { event, data } of readEvents(body)) {
    if (data === '[DONE]') break;
    // Before anything is quoted: a message that cuts a secret in two would show half of it.
    const shown = redactor.text(data);
    if (event === 'error') throw reportedFailure(readErrorEvent(shown));
    const hasToken = assembler.add({ event, data: shown });
    if (hasToken) firstTokenMs ??= Math.round((performance.now() - sent) * 1000) / 1000;
    if (assembler.isOver?.()) break;
  }
  const reply = assembler.finish();
  if (reply === undefined) {
    throw new ModelFailure('connection-failed', 'The stream ended before the reply was complete.', {
      retryable: true,
    });
  }
  return { reply: asObject(reply, redactor), ...(firstTokenMs !== undefined && { firstTokenMs }) };
}

async function* readEvents(body: Readable): AsyncGenerator<ServerEvent> {
  try {
    yield* readEventStream(limited(body.iterator({ destroyOnReturn: false })));
  } catch (error) {
    const isGarbled = connectionErrorCode(error) === 'ERR_ENCODING_INVALID_ENCODED_DATA';
    throw isGarbled ? invalidUtf8() : error;
  }
}

/** What an `error` event says: JSON with or without an error inside, or words. */
function readErrorEvent(data: string): Json {
  try {
    const value: Json = JSON.parse(data);
    return (valueAtPath(value, 'error') as Json | undefined) ?? value;
  } catch {
    return data;
  }
}
