import { type FilesToSend, noFiles, prepareFiles } from '../../core/attachments/files-to-send.ts';
import type { SentFile } from '../../core/attachments/openai-parts.ts';
import type { ContentPiece } from '../../core/attachments/split-content.ts';
import {
  type AttachmentKind,
  kindsIn,
  placeOf,
  untakenKinds,
  wordsOfKinds,
} from '../../core/schema/message.ts';
import { untakenCode } from '../../core/schema/trial.ts';
import type { ChatContext, ChatModel, ChatRequest } from './model.ts';
import { ModelFailure } from './model-failure.ts';

/** Pieces of a message with the bytes of its files. */
export type SentPieces = readonly ContentPiece<SentFile>[];

/** A request with its files. */
interface Filled {
  /** The request, in which a mark or the base64 replaces each file. */
  readonly sent: ChatRequest;
  readonly files: FilesToSend;
  /** An estimate of the tokens of its files. */
  readonly fileTokens: number;
}

/** The tokens that a file is taken for until its usage is known. */
const tokensOfFile = 1500;

/**
 * Adds to a request the marks of the files that its messages name, whose bytes take their place while it is sent. Throws
 * `ModelFailure` with `attachments-unsupported` for a kind that the model does not take: a file is never dropped, and never sent as a
 * text.
 */
export async function fillFiles(
  request: ChatRequest,
  model: Pick<ChatModel, 'name' | 'takes' | 'takesFrom'>,
  { readBlob }: Pick<ChatContext, 'readBlob'>,
): Promise<Filled> {
  if (kindsIn(request.messages).length === 0) return { sent: request, files: noFiles, fileTokens: 0 };
  const untaken = untakenKinds(request.messages, model);
  if (untaken.length > 0) throw refuseFiles(untaken, model);
  const read = async (hash: string) => {
    const bytes = await readBlob?.(hash);
    if (bytes !== undefined) return bytes;
    throw new ModelFailure('bad-request', `The file ${hash.slice(0, 12)}… is missing.`);
  };
  const files = await prepareFiles(
    request.messages.flatMap(({ attachments = [] }) => attachments),
    read,
  );
  return { sent: { ...request, files: files.marks }, files, fileTokens: files.marks.size * tokensOfFile };
}

/** Adds the base64 of the files themselves, as packages want it that write the request. Throws as `fillFiles` does. */
export async function readFiles(...asked: Parameters<typeof fillFiles>): Promise<Filled> {
  const filled = await fillFiles(...asked);
  const read = new Map<string, string>();
  for (const hash of filled.files.marks.keys()) {
    const bytes = await filled.files.read(hash);
    read.set(hash, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'));
  }
  return read.size === 0 ? filled : { ...filled, sent: { ...filled.sent, files: read } };
}

/** Returns the failure of a request with files that a model does not take. */
function refuseFiles(
  kinds: readonly AttachmentKind[],
  model: Pick<ChatModel, 'name' | 'takes'>,
): ModelFailure {
  const where = placeOf(kinds, model);
  const advice = where === '' ? ' If it does, write `takes` in the model.' : '';
  return new ModelFailure(
    untakenCode,
    `The model ${model.name} takes no ${wordsOfKinds(kinds).replaceAll(' and ', ' and no ')}${where}; nothing was asked.${advice}`,
  );
}
