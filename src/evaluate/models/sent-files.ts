import type { SentFile } from '../../core/attachments/openai-parts.ts';
import type { ContentPiece } from '../../core/attachments/split-content.ts';
import { type AttachmentKind, kindsIn, untakenKinds, wordsOfKinds } from '../../core/schema/message.ts';
import { untakenCode } from '../../core/schema/trial.ts';
import type { ChatContext, ChatModel, ChatRequest } from './model.ts';
import { ModelFailure } from './model-failure.ts';

/** Pieces of a message with the bytes of its files. */
export type SentPieces = readonly ContentPiece<SentFile>[];

/** A request with the bytes of its files, and the same one with words in place of the bytes, to be shown and counted. */
interface Filled {
  readonly sent: ChatRequest;
  readonly shown: ChatRequest;
  /** An estimate of the tokens of its files. */
  readonly fileTokens: number;
}

/** The tokens that a file is taken for until its usage is known. */
const tokensOfFile = 1500;

/**
 * Adds the bytes of the files that the messages of a request name. Throws `ModelFailure` with `attachments-unsupported` for a kind that
 * the model does not take: a file is never left out, and never sent as a text.
 */
export async function fillFiles(
  request: ChatRequest,
  { name, takes }: Pick<ChatModel, 'name' | 'takes'>,
  { readBlob }: Pick<ChatContext, 'readBlob'>,
): Promise<Filled> {
  if (kindsIn(request.messages).length === 0) return { sent: request, shown: request, fileTokens: 0 };
  const untaken = untakenKinds(request.messages, takes);
  if (untaken.length > 0) throw refuseFiles(untaken, name);
  const files = new Map<string, string>();
  const words = new Map<string, string>();
  for (const { hash, bytes } of request.messages.flatMap(({ attachments = [] }) => attachments)) {
    if (files.has(hash)) continue;
    const read = await readBlob?.(hash);
    if (read === undefined)
      throw new ModelFailure('bad-request', `The file ${hash.slice(0, 12)}… is missing.`);
    files.set(hash, Buffer.from(read.buffer, read.byteOffset, read.byteLength).toString('base64'));
    words.set(hash, `‹${bytes} bytes, ${hash.slice(0, 12)}…›`);
  }
  const fileTokens = files.size * tokensOfFile;
  return { sent: { ...request, files }, shown: { ...request, files: words }, fileTokens };
}

/** Returns the failure of a request with files that a model does not take. */
function refuseFiles(kinds: readonly AttachmentKind[], model: string): ModelFailure {
  return new ModelFailure(
    untakenCode,
    `The model ${model} takes no ${wordsOfKinds(kinds).replaceAll(' and ', ' and no ')}; nothing was asked. If it does, write \`takes\` in the model.`,
  );
}
