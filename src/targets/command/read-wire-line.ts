import { isUtf8 } from 'node:buffer';

interface Written {
  readonly text: string;
  readonly isValidUtf8: boolean;
}

/** What a line on a bot's stdout turned out to be. */
export type WireLine =
  | { readonly type: 'empty' }
  /** `{"ready": true}`: the bot says that it has started. */
  | { readonly type: 'ready' }
  /** A reply to the question with this id. */
  | (Written & { readonly type: 'reply'; readonly id: string; readonly value: object })
  /** Meant as a reply by the look of it, but not readable. `id` is what could be made out. */
  | (Written & { readonly type: 'broken'; readonly id: string | undefined; readonly reason: string })
  /** Anything else, such as the output of a forgotten `print`. */
  | { readonly type: 'stray'; readonly text: string; readonly reason: string };

/** Finds out what a line is. Never throws. */
export function readWireLine(line: Buffer): WireLine {
  const isValidUtf8 = isUtf8(line);
  const text = line
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trim();
  if (text === '') return { type: 'empty' };
  if (!text.startsWith('{')) return { type: 'stray', text, reason: 'that is not a JSON object' };
  let value: { readonly id?: unknown; readonly ready?: unknown };
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { type: 'broken', id: findId(text), reason: reasonOf(error as Error), text, isValidUtf8 };
  }
  if (typeof value.id === 'string' || typeof value.id === 'number') {
    return { type: 'reply', id: String(value.id), value, text, isValidUtf8 };
  }
  if (value.ready === true) return { type: 'ready' };
  return { type: 'stray', text, reason: 'without the `id` of the question' };
}

/** Without the piece of the text that V8 cuts out of it, which may be one of a secret. */
function reasonOf({ message }: Error): string {
  return message.replace(/, (?:\.\.\.)?".*/s, '');
}

/** The id in the text of a reply that is no JSON, such as one that holds NaN. */
export function findId(text: string): string | undefined {
  const [, quoted, bare] = /"id"\s*:\s*(?:"([^"\\]*)"|(\d+))/.exec(text) ?? [];
  return quoted ?? bare;
}
