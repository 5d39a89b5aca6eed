import { isContainer } from '../lib/json/is-container.ts';
import { withoutUndefined } from '../lib/objects.ts';
import { type Attachment, attachmentSchema } from '../schema/message.ts';
import { sniffedBytes, sniffMedia } from './sniff-media.ts';

/** Where the bytes of a file are that a message names. */
export interface AttachmentSource {
  readonly from:
    | { readonly kind: 'path' | 'url'; readonly text: string }
    | { readonly kind: 'data'; readonly base64: string }
    /** A file of a stored run: its bytes are where the run is. */
    | { readonly kind: 'kept'; readonly file: Attachment }
    /** A place that cannot be read, such as the id of a file at a provider. */
    | { readonly kind: 'unreadable'; readonly what: string };
  readonly name?: string;
  /** The type that the message says it is. */
  readonly mediaType?: string;
}

/** The most that one file has, that all files of a question or a reply have together, and their number. */
export const fileBounds = { bytes: 20 * 1024 * 1024, bytesOfMessage: 50 * 1024 * 1024, files: 50 } as const;

const longestName = 120;

/** Returns the name of a file as it is stored: no path, no control characters, not too long. */
export function plainFileName(name: string): string {
  return name
    .replaceAll(/[\p{Cc}\p{Cf}/\\]/gu, '_')
    .slice(0, longestName)
    .toWellFormed();
}

type Fields = Readonly<Record<string, unknown>>;

const partTypes =
  /^(?:input_)?(?:image|image_url|audio|audio_url|document|pdf|file|file_url|media|image_file)$/;
/** Parts without a type, by the name of what they hold. */
const wrappers = ['inlineData', 'inline_data', 'fileData', 'file_data', 'image_url', 'input_audio'];

/** The names under which the bytes, the address or the path of a file stand, in the order in which they are looked for. */
const sourceNames =
  'data base64 file_data fileData inlineData inline_data source bytes image_url image audio_url audio input_audio document pdf file file_url url fileUri file_uri uri path dataUrl data_url'.split(
    ' ',
  );
/** The names of bytes in base64, which are no path. */
const dataNames: ReadonlySet<string> = new Set(['data', 'base64', 'bytes', 'file_data']);
const typeNames = ['media_type', 'mediaType', 'mimeType', 'mime_type'];
const fileNames = ['filename', 'fileName', 'file_name', 'title', 'name'];
const idNames = ['file_id', 'fileId'];

/**
 * Reads a part of a message that is a picture, a PDF, a sound or another file, in the spelling of any provider or framework; undefined
 * for a part of another kind.
 */
export function readAttachmentPart(part: unknown): AttachmentSource | undefined {
  if (!isFields(part)) return undefined;
  const { type } = part;
  const isFile =
    typeof type === 'string' ? partTypes.test(type) : wrappers.some((name) => isFields(part[name]));
  return isFile ? readSource(part) : undefined;
}

/** Reads an entry of a list of files: a path, an address, a data URL, or a part of a message; undefined for any other value. */
export function readAttachmentEntry(entry: unknown): AttachmentSource | undefined {
  if (typeof entry === 'string') return entry.trim() === '' ? undefined : withText(entry.trim(), '');
  return isFields(entry) ? readSource(entry) : undefined;
}

function readSource(part: Fields): AttachmentSource {
  const found = findSource(part, 0);
  const named = { ...found.named };
  if (found.text !== undefined) return withText(found.text, found.key, named);
  const kept = attachmentSchema.safeParse({ at: 0, ...part }).data;
  if (kept !== undefined && found.id === undefined) return { from: { kind: 'kept', file: kept } };
  const id =
    found.id === undefined ? 'no data, address or path' : `the id of a file at a provider, ${found.id}`;
  return { from: { kind: 'unreadable', what: id }, ...named };
}

interface Found {
  readonly text?: string;
  readonly key: string;
  readonly id?: string;
  readonly named: Pick<AttachmentSource, 'name' | 'mediaType'>;
}

/** Looks for the place of a file in a part, at most three objects deep. */
function findSource(part: Fields, depth: number): Found {
  const name = textAt(part, fileNames);
  const mediaType = textAt(part, typeNames);
  const named = withoutUndefined({ name, mediaType });
  const id = textAt(part, idNames);
  for (const key of sourceNames) {
    const value = Object.hasOwn(part, key) ? part[key] : undefined;
    if (typeof value === 'string' && value !== '') return { text: value, key, named };
    if (!isFields(value) || depth === 2) continue;
    const inner = findSource(value, depth + 1);
    if (inner.text !== undefined || inner.id !== undefined)
      return { ...inner, named: { ...named, ...inner.named } };
  }
  return id === undefined ? { key: '', named } : { key: '', named, id };
}

function withText(
  text: string,
  key: string,
  named: Pick<AttachmentSource, 'name' | 'mediaType'> = {},
): AttachmentSource {
  if (/^data:/i.test(text)) return withDataUrl(text, named);
  if (/^https?:\/\//i.test(text)) return { from: { kind: 'url', text }, ...named };
  if (dataNames.has(key) || isBase64OfMedia(text)) return { from: { kind: 'data', base64: text }, ...named };
  const scheme = /^([a-z][a-z0-9+.-]+):\/\//i.exec(text.slice(0, 40))?.[1];
  if (scheme !== undefined)
    return { from: { kind: 'unreadable', what: `an address of ${scheme}://` }, ...named };
  return { from: { kind: 'path', text }, ...named };
}

function withDataUrl(text: string, named: Pick<AttachmentSource, 'name' | 'mediaType'>): AttachmentSource {
  const comma = text.slice(0, 1000).indexOf(',');
  const head = text.slice('data:'.length, Math.max(comma, 0));
  const mediaType = head.split(';')[0] ?? '';
  const own = { ...named, ...(mediaType !== '' && { mediaType }) };
  if (comma === -1 || !/;base64$/i.test(head))
    return { from: { kind: 'unreadable', what: 'a data URL that is not in base64' }, ...own };
  return { from: { kind: 'data', base64: text.slice(comma + 1) }, ...own };
}

/** Returns whether a text is base64 whose first bytes belong to a kind of file that is read. */
function isBase64OfMedia(text: string): boolean {
  const head = text.slice(0, Math.ceil(sniffedBytes / 3) * 4);
  return head.length >= 16 && !head.includes('.') && sniffMedia(Buffer.from(head, 'base64')) !== undefined;
}

/** Decodes base64, also with line breaks in it; undefined for any other text. */
export function decodeBase64(text: string): Uint8Array | undefined {
  const compact = /\s/.test(text) ? text.replaceAll(/\s+/g, '') : text;
  const bytes = Buffer.from(compact, 'base64');
  const expected = Math.floor((compact.replace(/={1,2}$/, '').length * 3) / 4);
  return compact === '' || bytes.length !== expected ? undefined : bytes;
}

function textAt(part: Fields, names: readonly string[]): string | undefined {
  const found = names.map((name) => part[name]).find((value) => typeof value === 'string' && value !== '');
  return found as string | undefined;
}

function isFields(value: unknown): value is Fields {
  return isContainer(value) && !Array.isArray(value);
}
