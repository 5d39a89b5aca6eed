import type { Context } from 'hono';
import { TouchstoneError } from '../core/errors.ts';
import { fileNameOf } from '../core/lib/files/file-name.ts';
import { describeUse } from './route.ts';

/** The largest number of characters of a part that a page shows. */
const mostShown = 1_000_000;

/**
 * Sends a part that was cut: for the page to show, or as a file. Throws `request-invalid` when there is no such part, and
 * when it is too long to be shown.
 * @param path - The place of the part, a JSON pointer.
 */
export function sendPart(
  context: Context,
  value: unknown,
  { path, download }: { readonly path: string; readonly download?: string },
): Response {
  if (value === undefined) throw new TouchstoneError('request-invalid', `There is no part ${path}.`);
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  if (download !== undefined) {
    const extension = typeof value === 'string' ? 'txt' : 'json';
    describeUse(context, { rows: String(Array.isArray(value) ? value.length : 1) });
    const name = fileNameOf(path.split('/').at(-1) ?? 'part');
    return context.body(text, 200, {
      'Content-Type': 'text/plain; charset=utf-8',
      'Content-Disposition': `attachment; filename="${name}.${extension}"`,
    });
  }
  if (text.length > mostShown) {
    throw new TouchstoneError(
      'request-invalid',
      `The part has ${text.length} characters, too many for a page.`,
      {
        remedy: 'Download it.',
      },
    );
  }
  return context.json({ value });
}
