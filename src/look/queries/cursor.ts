import { z } from 'zod';
import { TouchstoneError } from '../../core/errors.ts';

/** A place in a list, with the value of its order. */
export interface Cursor {
  readonly value: string | number | null;
  readonly ordinal: number;
}

const cursorSchema = z.tuple([z.union([z.string(), z.number(), z.null()]), z.int()]);

/** Writes a place in a list as a text for a URL. */
export function writeCursor({ value, ordinal }: Cursor): string {
  return Buffer.from(JSON.stringify([value, ordinal])).toString('base64url');
}

/** Reads a text of `writeCursor`. Throws `usage-invalid` for any other text. */
export function readCursor(text: string): Cursor {
  try {
    const [value, ordinal] = cursorSchema.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
    return { value, ordinal };
  } catch (error) {
    throw new TouchstoneError('usage-invalid', `"${text}" is not a place in a list.`, {
      cause: error,
      remedy: 'Use the `next` of the part before, or leave it out to begin at the start.',
    });
  }
}
