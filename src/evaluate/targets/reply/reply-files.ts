import {
  type AttachmentSource,
  decodeBase64,
  fileBounds,
  plainFileName,
  readAttachmentEntry,
} from '../../../core/attachments/read-source.ts';
import { describeOther, sniffMedia } from '../../../core/attachments/sniff-media.ts';
import { hashBytes } from '../../../core/lib/content-hash.ts';
import {
  type Attachment,
  attachmentSchema,
  kindOf,
  type Message,
  type ReplyFile,
  type WithFiles,
} from '../../../core/schema/message.ts';
import { type Fields, type FileReading, isFields } from './part.ts';

/** A reply is looked at several times to see what it is; its files are decoded once. */
const known = new WeakMap<object, FileReading>();

/**
 * Reads a file that a part of a reply holds. Only bytes count: an address is not fetched and a path is not opened, since a bot wrote them.
 * It is what its first bytes are, whatever it is said to be.
 */
export function readReplyFile(part: object, source: AttachmentSource): FileReading {
  const reading = known.get(part) ?? readSource(source);
  known.set(part, reading);
  return reading;
}

const placeProblems = {
  url: 'is at an address, which is not fetched',
  path: 'is named by a path, which is not opened',
  kept: 'is named without its bytes',
} as const;

function readSource({ from, name }: AttachmentSource): FileReading {
  if (from.kind === 'unreadable') return { problem: `is ${from.what}` };
  if (!('base64' in from)) return { problem: placeProblems[from.kind] };
  const size = Math.floor((from.base64.length * 3) / 4);
  if (size > fileBounds.bytes) return { problem: `is larger than ${fileBounds.bytes / 1024 / 1024} MiB` };
  const bytes = decodeBase64(from.base64);
  if (bytes === undefined) return { problem: 'is not valid base64' };
  const mediaType = sniffMedia(bytes);
  if (mediaType === undefined) return { problem: describeOther(bytes, name ?? '').what };
  const own = { hash: hashBytes(bytes), mediaType, bytes: bytes.length, base64: from.base64 };
  return { file: name === undefined ? own : { ...own, name: plainFileName(name) } };
}

/** The members of a message or a reply that list files with the text. */
const listNames = ['attachments', 'images', 'files', 'experimental_attachments'] as const;

/** Files that are listed next to a text, and the members that list them. */
export interface ListedFiles {
  readonly files: readonly Omit<ReplyFile, 'at'>[];
  readonly unkept: readonly string[];
  readonly keys: readonly string[];
}

/**
 * Reads the files that a message or a reply lists besides its text. A list of something else, as of titles or addresses for a chat window,
 * is none; only under the name `attachments` are addresses and paths taken for files, to say that they are not stored.
 */
export function readListedFiles(value: Fields): ListedFiles {
  const [files, unkept, keys]: [Omit<ReplyFile, 'at'>[], string[], string[]] = [[], [], []];
  for (const key of listNames) {
    const readings = readList(value[key], key === 'attachments');
    if (readings === undefined) continue;
    keys.push(key);
    for (const { file, problem } of readings) {
      if (file === undefined) unkept.push(problem);
      else files.push(file);
    }
  }
  return { files, unkept, keys };
}

function readList(list: unknown, takesPlaces: boolean): FileReading[] | undefined {
  if (!Array.isArray(list) || list.length === 0) return undefined;
  const readings = list.map((entry: unknown) => readEntry(entry, takesPlaces));
  return readings.includes(undefined) ? undefined : (readings as FileReading[]);
}

function readEntry(entry: unknown, takesPlaces: boolean): FileReading | undefined {
  const own = isFields(entry) ? attachmentSchema.safeParse({ at: 0, ...entry }).data : undefined;
  // Where bytes are there, they say what it is.
  if (own !== undefined && !('data' in (entry as Fields)) && !('base64' in (entry as Fields)))
    return { file: own };
  const source = readAttachmentEntry(withBytes(entry));
  if (source === undefined || source.from.kind === 'unreadable') return undefined;
  if (source.from.kind !== 'data' && !takesPlaces) return undefined;
  return isFields(entry) ? readReplyFile(entry, source) : readSource(source);
}

/** Returns an entry with its bytes in base64, where a program gave them as bytes or by a getter. */
function withBytes(entry: unknown): unknown {
  if (entry instanceof Uint8Array) return { data: Buffer.from(entry).toString('base64') };
  if (!isFields(entry)) return entry;
  const bytes = [entry['data'], entry['bytes'], entry['uint8Array']].find(
    (each) => each instanceof Uint8Array,
  );
  if (bytes !== undefined) return { ...entry, bytes: undefined, data: Buffer.from(bytes).toString('base64') };
  const { base64 } = entry;
  return typeof base64 === 'string' ? { ...entry, data: base64 } : entry;
}

/** Returns the files that the bot has sent in a transcript since it was last asked. */
export function filesSaid(transcript: readonly Message[] = []): ReplyFile[] {
  const asked = transcript.findLastIndex(({ role }) => role === 'user');
  const said = transcript.slice(asked + 1).filter(({ role }) => role === 'assistant');
  return said.flatMap(({ attachments = [] }) => attachments);
}

/** Returns the mark of files where a text is wanted and there is none: `[image]`; null without files. */
export function markOf(files: readonly Pick<Attachment, 'mediaType'>[]): string | null {
  return files.length === 0 ? null : files.map((file) => `[${kindOf(file)}]`).join('');
}

/** Returns the files of an answer that is not part of a transcript: the files of the messages that it is read from, and the files that are listed next to it. */
export function filesOfAnswer(
  messages: readonly Message[],
  { files, unkept }: ListedFiles,
  answer: string | null,
): WithFiles {
  const said: readonly (Message & WithFiles)[] = messages.filter(({ role }) => role === 'assistant');
  const [last] = said.slice(-1);
  const before = said
    .slice(0, -1)
    .flatMap(({ attachments = [] }) => attachments.map((file) => ({ ...file, at: 0 })));
  const listed = files.map((file) => ({ ...file, at: answer?.length ?? 0 }));
  const attachments = [...before, ...(last?.attachments ?? []), ...listed];
  const reasons = [...said.flatMap((message) => message.unkept ?? []), ...unkept];
  return {
    ...(attachments.length > 0 && { attachments }),
    ...(reasons.length > 0 && { unkept: reasons }),
  };
}

/** Adds the files that are listed next to a message to it. One that has no text gets their mark. */
export function addListed<Given extends Message & WithFiles>(
  message: Given,
  { files, unkept }: ListedFiles,
): Given {
  if (files.length + unkept.length === 0) return message;
  const isMute = (message.content ?? '').trim() === '';
  const content = isMute && files.length > 0 ? markOf(files) : message.content;
  const listed = files.map((file) => ({ ...file, at: content?.length ?? 0 }));
  return {
    ...message,
    content,
    ...(listed.length > 0 && { attachments: [...(message.attachments ?? []), ...listed] }),
    ...(unkept.length > 0 && { unkept: [...(message.unkept ?? []), ...unkept] }),
  };
}

/** Adds the files that are listed next to a transcript to the last message of the bot in it. */
export function addToTranscript(transcript: Message[], listed: ListedFiles): Message[] {
  const place = transcript.findLastIndex(({ role }) => role === 'assistant');
  const last = transcript[place];
  return last === undefined ? transcript : transcript.with(place, addListed(last, listed));
}

/** Returns the files of a message without a text. */
export function filesAlone(readings: readonly FileReading[]): WithFiles {
  const attachments = readings.flatMap(({ file }) => (file === undefined ? [] : [{ ...file, at: 0 }]));
  const unkept = readings.flatMap(({ problem }) => problem ?? []);
  return {
    ...(attachments.length > 0 && { attachments }),
    ...(unkept.length > 0 && { unkept }),
  };
}
