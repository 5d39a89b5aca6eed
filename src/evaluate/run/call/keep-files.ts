import { fileBounds } from '../../../core/attachments/read-source.ts';
import type { Attachment, Message, WithFiles } from '../../../core/schema/message.ts';
import type { Blob } from '../../../stores/blobs/blob-store.ts';
import type { PartialReply, Reply, TargetFailure } from '../../targets/target.ts';

/** Stores the bytes of a file. It rejects when they cannot be stored. */
export type KeepBlob = (blob: Blob) => Promise<void>;

/** The outcome of a call: a reply, or a failure with what it had brought. */
interface Called {
  readonly reply?: Reply;
  readonly failure?: TargetFailure;
}

/**
 * Stores the pictures and other files of a reply, and returns the reply with their hashes in place of their bytes. A file that cannot be
 * stored costs no answer: the logs of the attempt say why it is missing.
 */
export async function keepFiles<Asked extends Called>(
  asked: Asked,
  keepBlob: KeepBlob | undefined,
): Promise<Asked> {
  const { reply, failure } = asked;
  const parts: Pick<Reply, 'attachments' | 'unkept' | 'transcript'> = reply ?? failure?.partial ?? {};
  if (![parts, ...(parts.transcript ?? [])].some(hasFiles)) return asked;
  const keeper = new FileKeeper(keepBlob);
  const transcript = parts.transcript && (await keeper.keepAll(parts.transcript));
  const { attachments } = await keeper.keep(parts);
  const kept = { ...(transcript && { transcript }), attachments, unkept: undefined };
  const texts = [(reply ?? failure)?.logs, ...keeper.notes].filter((text) => text !== undefined);
  const logs = texts.length === 0 ? undefined : texts.join('\n');
  if (reply !== undefined) return { ...asked, reply: { ...reply, ...kept, logs } };
  const partial: PartialReply = { ...failure?.partial, ...kept };
  return { ...asked, failure: failure?.with({ partial, logs }) };
}

function hasFiles({ attachments, unkept }: WithFiles): boolean {
  return attachments !== undefined || unkept !== undefined;
}

/** Keeps the files of one reply within the bounds of a question. */
class FileKeeper {
  readonly #keepBlob: KeepBlob | undefined;
  readonly #notes = new Map<string, number>();
  #files = 0;
  #bytes = 0;

  constructor(keepBlob: KeepBlob | undefined) {
    this.#keepBlob = keepBlob;
  }

  /** A sentence for each reason why files are not stored. */
  get notes(): string[] {
    return Array.from(this.#notes, ([reason, count]) =>
      count === 1
        ? `A file of the reply is not stored: it ${reason}.`
        : `${count} files of the reply are not stored: each ${reason}.`,
    );
  }

  async keepAll(messages: readonly Message[]): Promise<Message[]> {
    const kept: Message[] = [];
    for (const message of messages) {
      if (!hasFiles(message)) kept.push(message);
      else {
        const { attachments: _given, unkept: _reasons, ...rest }: Message & WithFiles = message;
        const { attachments } = await this.keep(message);
        kept.push(attachments === undefined ? rest : { ...rest, attachments });
      }
    }
    return kept;
  }

  async keep({
    attachments = [],
    unkept = [],
  }: WithFiles): Promise<{ attachments?: Attachment[]; unkept?: never }> {
    for (const reason of unkept) this.#note(reason);
    const kept: Attachment[] = [];
    for (const { base64, ...file } of attachments) {
      const reason = await this.#keepOne(file, base64);
      if (reason === undefined) kept.push(file);
      else this.#note(reason);
    }
    return kept.length === 0 ? {} : { attachments: kept };
  }

  async #keepOne({ hash, bytes }: Attachment, base64: string | undefined): Promise<string | undefined> {
    const { bytesOfMessage, files } = fileBounds;
    if (this.#files + 1 > files) return `is more than a reply may have, ${files} files`;
    if (this.#bytes + bytes > bytesOfMessage)
      return `is more than a reply may have, ${bytesOfMessage / 1024 / 1024} MiB`;
    try {
      if (this.#keepBlob === undefined) return 'has no place where it could be stored';
      await this.#keepBlob({ hash, read: async () => bytesOf(base64) });
    } catch (error) {
      return error instanceof NoBytes ? 'is named without its bytes' : 'could not be stored';
    }
    this.#files += 1;
    this.#bytes += bytes;
    return undefined;
  }

  #note(reason: string): void {
    this.#notes.set(reason, (this.#notes.get(reason) ?? 0) + 1);
  }
}

/** A file that the store does not have, and of which nothing but the hash came. */
class NoBytes extends Error {}

function bytesOf(base64: string | undefined): Uint8Array {
  if (base64 === undefined) throw new NoBytes();
  return Buffer.from(base64, 'base64');
}
