import type { Json } from '../schema/json.ts';
import { type Attachment, kindOf } from '../schema/message.ts';
import { endingOf } from './sniff-media.ts';
import { type ContentPiece, splitContent } from './split-content.ts';

/** A file of a message with its bytes, as they are sent. */
export interface SentFile extends Attachment {
  readonly base64: string;
}

/** Returns a file as a data URL. */
export function dataUrlOf({ mediaType, base64 }: Pick<SentFile, 'mediaType' | 'base64'>): string {
  return `data:${mediaType};base64,${base64}`;
}

/** Returns the name under which a file is sent. */
export function nameOf({ name, mediaType, hash }: Pick<Attachment, 'name' | 'mediaType' | 'hash'>): string {
  return name ?? `${hash.slice(0, 12)}.${endingOf(mediaType)}`;
}

/** Writes pieces of a message as the parts of OpenAI's chat completions. */
export function writeOpenaiParts(pieces: readonly ContentPiece<SentFile>[]): { [key: string]: Json }[] {
  return pieces.map((piece) =>
    'text' in piece ? { type: 'text', text: piece.text } : writeFile(piece.file),
  );
}

function writeFile(file: SentFile): { [key: string]: Json } {
  const kind = kindOf(file);
  const url = dataUrlOf(file);
  if (kind === 'image') return { type: 'image_url', image_url: { url } };
  if (kind === 'pdf') return { type: 'file', file: { filename: nameOf(file), file_data: url } };
  const format = file.mediaType === 'audio/wav' ? 'wav' : 'mp3';
  return { type: 'input_audio', input_audio: { data: file.base64, format } };
}

/**
 * Returns the pieces of a message with the bytes of its files.
 * @param files - The bytes in base64 by their hash.
 */
export function piecesOf(
  {
    content,
    attachments = [],
  }: { readonly content: string | null; readonly attachments?: readonly Attachment[] },
  files: ReadonlyMap<string, string>,
): ContentPiece<SentFile>[] {
  const sent = attachments.map((file) => ({ ...file, base64: files.get(file.hash) ?? '' }));
  return splitContent(content, sent);
}
