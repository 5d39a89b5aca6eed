import type { z } from 'zod';
import { shorten } from '../../lib/terminal-text.ts';
import { ModelFailure } from '../model.ts';

/** Checks that a reply has the shape of its API. Throws `ModelFailure` with the code `invalid-reply`. */
export function readWire<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue?.path.join('.') || 'the reply';
  const message = `The reply is not what this API sends (${where}: ${issue?.message ?? 'unknown'}): ${shorten(JSON.stringify(value), 300)}`;
  throw new ModelFailure('invalid-reply', message, { retryable: true });
}

/** An event's data as JSON. Throws `ModelFailure` with the code `invalid-reply`. */
export function parseEventData(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    const message = `The stream holds something that is not JSON: ${shorten(data, 300)}`;
    throw new ModelFailure('invalid-reply', message, { retryable: true });
  }
}
