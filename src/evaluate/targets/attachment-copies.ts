import { readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { dataUrlOf, nameOf } from '../../core/attachments/openai-parts.ts';
import { endingOf } from '../../core/attachments/sniff-media.ts';
import { makeWorkFolder } from '../../core/lib/files/work-folder.ts';
import { createResource } from '../../core/lib/resource.ts';
import type { Attachment } from '../../core/schema/message.ts';
import type { TargetContext, TargetRequest } from './target.ts';

/** A picture, a PDF or a sound of a question, as a bot in a function or a program receives it. */
export interface GivenAttachment {
  /** The path of a copy that the bot may read; it is gone after the run. */
  readonly path: string;
  readonly name: string;
  readonly mediaType: Attachment['mediaType'];
  /** The SHA-256 of its bytes. */
  readonly hash: string;
  /** Returns it as `data:image/png;base64,…`. */
  dataUrl(): string;
}

/** The advice for a program that is started for each question without a place for files: what is not sent cannot be seen. */
export const argumentHint = 'Its `command` has no place for files: add the argument `{{attachments}}`.';

/** Copies of the files of questions, for bots that read them from a path. */
export interface AttachmentCopies {
  /** Returns the files of a question; an empty list when it has none. */
  give(request: TargetRequest, context: Pick<TargetContext, 'readBlob'>): Promise<GivenAttachment[]>;
  /** Writes the copies for a question, so that `give` need not wait for them. */
  prepare(request: TargetRequest, context: Pick<TargetContext, 'readBlob'>): Promise<void>;
  /** Removes the copies. */
  close(): Promise<void>;
}

/**
 * Returns the files that come with a question: the files of its message and, in the first turn of a conversation, of the messages before
 * it. What a bot was given in an earlier turn it was given.
 */
export function newAttachments({
  messages,
  session,
}: Pick<TargetRequest, 'messages' | 'session'>): Attachment[] {
  const asked = messages.findLastIndex(({ role }) => role === 'user');
  const fresh = session.turn === 1 ? messages : messages.slice(asked);
  return fresh.flatMap(({ attachments = [] }) => attachments);
}

/** Returns whether a message of a request has files. Most have none, and then nothing is waited for. */
export function hasFiles({ messages }: Pick<TargetRequest, 'messages'>): boolean {
  return messages.some(({ attachments }) => attachments !== undefined);
}

/** Creates the copies of one target: a file that many questions name is written once. */
export function createAttachmentCopies(): AttachmentCopies {
  const folder = createResource(
    async () => await makeWorkFolder('files'),
    async (made) => await rm(made, { recursive: true, force: true }),
  );
  let written = new Map<string, Promise<string>>();
  const write = async ({ hash, mediaType }: Attachment, readBlob: TargetContext['readBlob']) => {
    // The name of the file is Touchstone's, whatever the dataset calls it.
    const file = path.join(await folder.get(), `${hash}.${endingOf(mediaType)}`);
    const bytes = await readBlob?.(hash);
    if (bytes === undefined) throw new Error(`The file ${hash.slice(0, 12)}… is missing.`);
    await writeFile(file, bytes, { mode: 0o444 });
    return file;
  };
  const give: AttachmentCopies['give'] = async (request, { readBlob }) => {
    const given: GivenAttachment[] = [];
    for (const file of newAttachments(request)) {
      const { hash, mediaType } = file;
      const writing = written.get(hash) ?? write(file, readBlob);
      written.set(hash, writing);
      const at = await writing;
      given.push({
        path: at,
        name: nameOf(file),
        mediaType,
        hash,
        dataUrl: () => dataUrlOf({ mediaType, base64: readFileSync(at).toString('base64') }),
      });
    }
    return given;
  };
  return {
    give,
    prepare: async (request, context) => {
      if (hasFiles(request)) await give(request, context);
    },
    close: async () => {
      written = new Map();
      await folder.close();
    },
  };
}
