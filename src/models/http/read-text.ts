import type { Headers } from '../account/read-allowances.ts';
import { ModelFailure } from '../model.ts';
import { invalidReply } from './parse-reply.ts';

/** The most that one reply may measure. */
const maxReplyBytes = 32 * 1024 * 1024;

/** All of a body as text. Throws `ModelFailure` with the code `invalid-reply`. */
export async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const chunks: Uint8Array[] = [];
  for await (const chunk of limited(body)) chunks.push(chunk);
  try {
    return decoder.decode(Buffer.concat(chunks));
  } catch {
    throw invalidUtf8();
  }
}

/** The failure for bytes that are no text. */
export function invalidUtf8(): ModelFailure {
  return invalidReply('The reply is not valid UTF-8 text.');
}

/** Throws `ModelFailure` with the code `invalid-reply` for a reply that cannot be read without unpacking it. */
export function refuseCompression(headers: Headers): void {
  const encoding = headers['content-encoding']?.toString() || 'identity';
  if (encoding.toLowerCase() === 'identity') return;
  const message = `The reply is compressed (${encoding}), which was not asked for.`;
  throw new ModelFailure('invalid-reply', message);
}

/** The chunks of a body, up to the limit. Throws `ModelFailure` with the code `invalid-reply` beyond it. */
export async function* limited(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > maxReplyBytes) {
      throw new ModelFailure('invalid-reply', `The reply is longer than ${maxReplyBytes / 2 ** 20} MiB.`);
    }
    yield chunk;
  }
}
