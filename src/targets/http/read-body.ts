import { TextDecoder } from 'node:util';
import { answerTooLarge, maxReplyBytes } from '../reply/read-text.ts';
import { TargetFailure } from '../target.ts';

/** A body with the headers that say how to read it. */
export interface HttpBody {
  readonly contentType: string;
  readonly text: string;
}

/** Reads a body as text in its charset. Throws `answer-too-large`, `invalid-utf8` or `invalid-reply`. */
export async function readBody(
  chunks: AsyncIterable<Uint8Array>,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Promise<HttpBody> {
  const contentType = String(headers['content-type'] ?? '');
  const encoding = String(headers['content-encoding'] ?? 'identity');
  if (contentType.startsWith('text/event-stream')) {
    throw new TargetFailure('invalid-reply', 'The reply is an event stream; ask the server for a plain one.');
  }
  if (encoding !== 'identity') {
    throw new TargetFailure(
      'invalid-reply',
      `The reply is compressed (${encoding}), which was not asked for.`,
    );
  }
  return { contentType, text: decode(await collect(chunks), contentType) };
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const kept: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > maxReplyBytes) throw answerTooLarge();
    kept.push(chunk);
  }
  return Buffer.concat(kept);
}

function decode(bytes: Buffer, contentType: string): string {
  const charset = /charset\s*=\s*"?([^\s;"]+)/i.exec(contentType)?.[1] ?? 'utf-8';
  const decoder = createDecoder(charset);
  try {
    return decoder.decode(bytes);
  } catch {
    throw new TargetFailure(
      'invalid-utf8',
      `The reply is not valid ${charset.toUpperCase()} text (content type ${contentType || 'not given'}).`,
    );
  }
}

function createDecoder(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch {
    throw new TargetFailure('invalid-reply', `The reply is in the unknown charset "${charset}".`);
  }
}
