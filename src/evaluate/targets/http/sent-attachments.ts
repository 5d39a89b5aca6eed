import { randomBytes } from 'node:crypto';
import { asBytes, type FilesToSend, prepareFiles } from '../../../core/attachments/files-to-send.ts';
import { dataUrlOf, nameOf, piecesOf, writeOpenaiParts } from '../../../core/attachments/openai-parts.ts';
import { wordsOfKinds, kindsIn, type Message } from '../../../core/schema/message.ts';
import type { Json } from '../../../core/schema/json.ts';
import { placeholdersIn } from './placeholders.ts';
import { newAttachments } from '../attachment-copies.ts';
import { type TargetContext, TargetFailure, type TargetRequest } from '../target.ts';

/** The placeholders that send the files of a question. */
const filePlaceholders: readonly string[] = ['messages', 'attachments', 'attachments.base64'];

/** The parts of a request that may name the files of a question. */
interface WrittenTemplates {
  readonly method: string;
  readonly body?: Json;
  readonly multipart?: Readonly<Record<string, string>>;
}

/** Returns whether requests have a place for the files of a question, as the default body has. What is not sent cannot be seen. */
export function sendsFiles({ body, method, multipart }: WrittenTemplates): boolean {
  if (method !== 'GET' && body === undefined && multipart === undefined) return true;
  const names = placeholdersIn([body ?? null, { ...multipart }]);
  return names.some((name) => filePlaceholders.includes(name));
}

/** Prepares the files that the messages of a request name. Throws where they are missing. */
export async function filesOf(
  { messages }: TargetRequest,
  { readBlob }: Pick<TargetContext, 'readBlob'>,
): Promise<FilesToSend> {
  const read = async (hash: string) => {
    const bytes = await readBlob?.(hash);
    if (bytes === undefined) throw missing(messages);
    return bytes;
  };
  return await prepareFiles(
    messages.flatMap(({ attachments = [] }) => attachments),
    read,
  );
}

function missing(messages: readonly Message[]): TargetFailure {
  return new TargetFailure(
    'invalid-request',
    `The ${wordsOfKinds(kindsIn(messages))} of the question are missing.`,
  );
}

/** Returns messages as they are sent: those with files have the parts of OpenAI's chat completions. */
export function writeMessages(messages: readonly Message[], files: FilesToSend): Json {
  return messages.map((message): Json => {
    const { attachments, ...plain } = message;
    return attachments === undefined
      ? plain
      : { ...plain, content: writeOpenaiParts(piecesOf(message, files.marks)) };
  });
}

/** Returns the files that come with a question, in the form of `{{attachments}}`. */
export function listAttachments(request: TargetRequest, { marks }: FilesToSend) {
  return newAttachments(request).map((file) => {
    const base64 = marks.get(file.hash) ?? '';
    return { name: nameOf(file), mediaType: file.mediaType, dataUrl: dataUrlOf({ ...file, base64 }) };
  });
}

/** A field of a form: a text, or the files of the question. */
export type FormField =
  | { readonly name: string; readonly text: string }
  | { readonly name: string; readonly files: ReturnType<typeof listAttachments> };

/** Writes a form as `multipart/form-data` (RFC 7578). */
export function writeForm(fields: readonly FormField[]): { readonly type: string; readonly content: string } {
  const boundary = `touchstone-${randomBytes(16).toString('hex')}`;
  const part = (head: string, content: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`;
  const parts = fields.flatMap((field) => {
    const name = `name="${quoted(field.name)}"`;
    if ('text' in field) return part(name, field.text.toWellFormed());
    return field.files.map(({ name: fileName, mediaType, dataUrl }) => {
      const head = `${name}; filename="${quoted(fileName)}"\r\nContent-Type: ${mediaType}`;
      return part(head, asBytes(dataUrl.slice(dataUrl.indexOf(',') + 1)));
    });
  });
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    content: `${parts.join('')}--${boundary}--\r\n`,
  };
}

/** Returns a name as browsers write it in a form. */
function quoted(name: string): string {
  return name.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22');
}
