import { randomBytes } from 'node:crypto';
import { dataUrlOf, nameOf, piecesOf, writeOpenaiParts } from '../../../core/attachments/openai-parts.ts';
import { wordsOfKinds, kindsIn, type Message } from '../../../core/schema/message.ts';
import type { Json } from '../../../core/schema/json.ts';
import { placeholdersIn } from './placeholders.ts';
import { newAttachments } from '../attachment-copies.ts';
import { type TargetContext, TargetFailure, type TargetRequest } from '../target.ts';

/** The bytes of the files of a question in base64, by their hash. */
export type FilesOfRequest = ReadonlyMap<string, string>;

/** The files of a question without any. */
export const noFiles: FilesOfRequest = new Map();

/** The placeholders that send the files of a question. */
const filePlaceholders: readonly string[] = ['messages', 'attachments', 'attachments.base64'];

/** The parts of a request that may name the files of a question. */
interface WrittenTemplates {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Json;
  readonly multipart?: Readonly<Record<string, string>>;
}

/** Returns whether requests have a place for the files of a question, as the default body has. What is not sent cannot be seen. */
export function sendsFiles({ url, headers, body, method, multipart }: WrittenTemplates): boolean {
  if (method !== 'GET' && body === undefined && multipart === undefined) return true;
  const names = placeholdersIn([url, headers, body ?? null, { ...multipart }]);
  return names.some((name) => filePlaceholders.includes(name));
}

/** Reads the files that the messages of a request name. */
export async function readFiles(
  { messages }: TargetRequest,
  { readBlob }: Pick<TargetContext, 'readBlob'>,
): Promise<FilesOfRequest> {
  const attachments = messages.flatMap((message) => message.attachments ?? []);
  if (attachments.length === 0) return noFiles;
  const files = new Map<string, string>();
  for (const { hash } of attachments) {
    if (files.has(hash)) continue;
    const bytes = await readBlob?.(hash);
    if (bytes === undefined) throw missing(messages);
    files.set(hash, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'));
  }
  return files;
}

function missing(messages: readonly Message[]): TargetFailure {
  return new TargetFailure(
    'invalid-request',
    `The ${wordsOfKinds(kindsIn(messages))} of the question are missing.`,
  );
}

/** Returns messages as they are sent: those with files have the parts of OpenAI's chat completions. */
export function writeMessages(messages: readonly Message[], files: FilesOfRequest): Json {
  return messages.map((message): Json => {
    const { attachments, ...plain } = message;
    return attachments === undefined
      ? plain
      : { ...plain, content: writeOpenaiParts(piecesOf(message, files)) };
  });
}

/** Returns the files that come with a question, in the form of `{{attachments}}`. */
export function listAttachments(request: TargetRequest, files: FilesOfRequest) {
  return newAttachments(request).map((file) => {
    const base64 = files.get(file.hash) ?? '';
    return { name: nameOf(file), mediaType: file.mediaType, dataUrl: dataUrlOf({ ...file, base64 }) };
  });
}

/** A field of a form: a text, or the files of the question. */
export type FormField =
  | { readonly name: string; readonly text: string }
  | { readonly name: string; readonly files: ReturnType<typeof listAttachments> };

/** Writes a form as `multipart/form-data` (RFC 7578). */
export function writeForm(fields: readonly FormField[]): {
  readonly type: string;
  readonly bytes: Uint8Array;
} {
  const boundary = `touchstone-${randomBytes(16).toString('hex')}`;
  const pieces: (string | Buffer)[] = [];
  const begin = (head: string) =>
    pieces.push(`--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`);
  for (const field of fields) {
    const name = `name="${quoted(field.name)}"`;
    if ('text' in field) {
      begin(name);
      pieces.push(field.text.toWellFormed(), '\r\n');
    } else
      for (const { name: fileName, mediaType, dataUrl } of field.files) {
        begin(`${name}; filename="${quoted(fileName)}"\r\nContent-Type: ${mediaType}`);
        pieces.push(Buffer.from(dataUrl.slice(dataUrl.indexOf(',') + 1), 'base64'), '\r\n');
      }
  }
  pieces.push(`--${boundary}--\r\n`);
  const bytes = Buffer.concat(
    pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)),
  );
  return { type: `multipart/form-data; boundary=${boundary}`, bytes };
}

/** Returns a name as browsers write it in a form. */
function quoted(name: string): string {
  return name.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22');
}
