import { messageOf } from '../../core/errors.ts';
import { isContainer } from '../../core/lib/json/is-container.ts';
import { describeValue, listKeys } from '../../core/lib/text/describe-value.ts';
import { shorten } from '../../core/lib/text/terminal-text.ts';
import type { Message, ToolCall, WithFiles } from '../../core/schema/message.ts';
import { toolCallsOf, type UnreadMember } from '../../core/schema/trial.ts';
import type { Usage } from '../../core/schema/usage.ts';
import {
  type FoundDocuments,
  findDocuments,
  readAmount,
  readDocuments,
  readUsage,
  readWord,
} from './reply/read-details.ts';
import { type Field, findField, readAnswer } from './reply/read-text.ts';
import { describeUnread } from './reply/find-tool-calls.ts';
import { type Fields, isFields } from './reply/part.ts';
import { openReply, replyOfList } from './reply/open-reply.ts';
import { type Envelope, readEnvelope } from './reply/read-envelope.ts';
import { documentsOf, usageOf } from './reply/forms.ts';
import { readError } from './reply/read-tool-calls.ts';
import { readTranscript, withToolCalls } from './reply/read-messages.ts';
import { replyAliases } from './reply/reply-aliases.ts';
import {
  addToTranscript,
  filesOfAnswer,
  filesSaid,
  type ListedFiles,
  markOf,
  readListedFiles,
} from './reply/reply-files.ts';
import { toJson } from './reply/to-json.ts';
import { adviceOnTexts } from './reply/texts-in.ts';
import { findSetCalls, type ToolCallsSetting } from './reply/tool-calls-setting.ts';
import { type Reply, TargetFailure } from './target.ts';

/**
 * Reads whatever a target returned: a text, a number, a boolean, nothing, or an object whose parts have the names
 * listed in `replyAliases`. Nothing and an empty text are an answer of null. Throws `TargetFailure` with
 * `invalid-answer`, `answer-too-large`, or `target-reported-error` for an object that contains an error in place of an
 * answer, or whose `message` is one.
 */
export function readReply(value: unknown, rules: ReplyRules = {}): Reply {
  if (!isContainer(value)) {
    const isUnknown = rules.toolCalls !== 'none';
    return { answer: readAnswer(value, 'answer'), toolCalls: [], ...(isUnknown && { toolsUnknown: true }) };
  }
  const reply = Array.isArray(value) ? replyOfList(value) : value;
  if (reply === undefined) {
    throw new TargetFailure(
      'invalid-answer',
      `The target returned ${describeValue(value)}; give a text or an object with an answer.`,
    );
  }
  const { toolCalls, whole = reply, hasPaths } = rules;
  const hasPath = toolCalls !== undefined && toolCalls !== 'none';
  return readObject(openReply(reply as Fields), {
    toolCalls,
    hasPaths,
    whole: hasPath || !isFields(whole) ? whole : openReply(whole),
  });
}

/** The rules by which a target's replies are read. */
export interface ReplyRules {
  /** Where they list the tools used, as the target's option says. */
  readonly toolCalls?: ToolCallsSetting;
  /** The reply as it came, when other parts of it were picked by their paths: calls are looked for in it. */
  readonly whole?: unknown;
  /** True when the target has an option for the path of the answer, which a message may then advise. */
  readonly hasPaths?: boolean;
}

function readObject(
  value: Fields,
  { toolCalls: setting, whole = value, hasPaths = false }: ReplyRules,
): Reply {
  const read = <Part>(part: keyof typeof replyAliases, reader: (value: unknown, name: string) => Part) => {
    const field = findField(value, replyAliases[part]) ?? { name: part, value: undefined };
    return reader(field.value, field.name);
  };
  const transcript = read('transcript', readTranscript);
  const envelope = readEnvelope(value);
  const listed = readListedFiles(value);
  const said = readAnswerOf(value, transcript ?? envelope?.messages, { hasPaths, listed });
  const files = transcript === undefined ? filesIn(whole, envelope, { listed, said }) : noFiles;
  const { usage, note } = usageIn(value);
  const { toolCalls, keys, isStated, missing } = findSetCalls(Object(whole), setting);
  const isUnknown = !isStated && transcript === undefined;
  const found = documentsIn(value, keys);
  return {
    answer: said ?? markOf(files.attachments ?? filesSaid(transcript)),
    ...files,
    toolCalls: callsIn(transcript, toolCalls),
    ...(isUnknown && { toolsUnknown: true as const }),
    ...unreadIn(value, [...keys, ...listed.keys, envelope?.key ?? '', found.key], isUnknown),
    documents: found.documents,
    state: read('state', (state) => (state === undefined ? undefined : toJson(state))),
    usage,
    cost: read('cost', readAmount),
    ...endingOf(envelope, read('finishReason', readWord)),
    transcript: transcript && addToTranscript(withToolCalls(transcript, toolCalls), listed),
    firstTokenMs: read('firstTokenMs', readAmount),
    logs: notesOn(value, missing, note),
  };
}

const noFiles: WithFiles = {};

/** Returns the files of an answer: the files of the messages that it is read from, also where a path leads to its text, and the files next to it. */
function filesIn(
  whole: unknown,
  envelope: Envelope | undefined,
  { listed, said }: { readonly listed: ListedFiles; readonly said: string | null },
): WithFiles {
  const { messages = [] } = envelope ?? (isFields(whole) ? readEnvelope(whole) : undefined) ?? {};
  return filesOfAnswer(messages, listed, said);
}

/** Finds the retrieved documents; a list of sources that holds uses of tools is none of documents. */
function documentsIn(value: Fields, keysOfCalls: readonly string[]): FoundDocuments {
  const named = keysOfCalls.includes('sources') ? undefined : findField(value, replyAliases.documents);
  const documents =
    named === undefined ? readDocuments(documentsOf(value), 'parts') : readDocuments(named.value, named.name);
  return documents === undefined
    ? (findDocuments(value) ?? { key: '', documents: undefined })
    : { key: '', documents };
}

/** Returns why the target stopped, as it reports it or as the form of its model's API has it. */
function endingOf(
  { finishReason, refused }: Partial<Envelope> = {},
  reported: string | undefined,
): Pick<Reply, 'finishReason' | 'refused'> {
  return { finishReason: reported ?? finishReason, ...(refused !== undefined && { refused }) };
}

function callsIn(transcript: Message[] | undefined, beside: ToolCall[]): ToolCall[] {
  return transcript !== undefined && beside.length === 0 ? toolCallsOf(transcript) : beside;
}

/**
 * Reads the token counts. Those that cannot be read are not reported, which is noted: a bot whose answer is fine does not
 * fail for them.
 */
function usageIn(value: Fields): { readonly usage?: Usage; readonly note?: string } {
  const named = findField(value, replyAliases.usage);
  try {
    const usage = readUsage(named?.value, named?.name ?? 'usage') ?? readUsage(usageOf(value), 'usage');
    const isEmpty = usage !== undefined && Object.keys(usage).length === 0 && isFields(named?.value);
    const keys = isEmpty ? Object.keys(named.value) : [];
    return keys.length === 0
      ? { usage }
      : {
          usage,
          note: `The token counts at \`${named?.name}\` have names that are not known: ${listKeys(keys)}.`,
        };
  } catch (error) {
    return { note: `The token counts cannot be read: ${messageOf(error)}` };
  }
}

function notesOn(value: Fields, missing: string | undefined, note: string | undefined): string | undefined {
  const error = readError(findField(value, replyAliases.error)?.value);
  const notes = [
    ...(error === undefined ? [] : [`Reported beside the answer: ${error}`]),
    ...(missing === undefined ? [] : [`The reply has nothing at \`${missing}\`, the path of \`toolCalls\`.`]),
    ...(note === undefined ? [] : [note]),
  ];
  return notes.length === 0 ? undefined : notes.join('\n');
}

/** Every name under which a part of a reply is looked for, and the id that links a reply to its question. */
const knownNames: ReadonlySet<string> = new Set([...Object.values(replyAliases).flat(), 'id']);

/** Returns whether a part of a reply is looked for under a name. */
export function isReplyName(name: string): boolean {
  return knownNames.has(name);
}

const mostUnread = 20;

/** Describes the members of a reply that nothing reads. What looks like tool calls matters only while none are known. */
function unreadIn(
  value: Fields,
  read: readonly string[],
  isUnknown: boolean,
): { readonly unread?: readonly UnreadMember[] } {
  const unread = Object.entries(value).filter(
    ([key, member]) => member !== undefined && !knownNames.has(key) && !read.includes(key),
  );
  const described = unread.slice(0, mostUnread).map(([key, member]) => {
    const name = shorten(key.toWellFormed(), 100);
    return isUnknown ? describeUnread(name, member) : { key: name };
  });
  return described.length === 0 ? {} : { unread: described };
}

function readAnswerOf(
  value: Fields,
  transcript: readonly Message[] | undefined,
  { hasPaths, listed }: { readonly hasPaths: boolean; readonly listed: ListedFiles },
): string | null {
  const field = findAnswer(value, transcript);
  const failure = field?.name === 'message' ? readFailureMessage(value) : undefined;
  if (failure !== undefined) throw reportedError(failure);
  const advice = () => (hasPaths ? adviceOnTexts(value) : '');
  const answer = field === undefined ? null : readAnswerField(field, advice);
  const error = answer === null ? readError(findField(value, replyAliases.error)?.value) : undefined;
  if (error !== undefined) throw reportedError(error);
  const isSaid = field !== undefined || listed.files.length > 0 || readEnvelope(value) !== undefined;
  if (isSaid) return answer;
  throw readGraphqlError(value) ?? noAnswer(value, advice());
}

/** Reads an answer. A failure says where else the reply has texts. */
function readAnswerField({ name, value }: Field, advice: () => string): string | null {
  try {
    return readAnswer(value, name);
  } catch (error) {
    if (!(error instanceof TargetFailure) || error.code !== 'invalid-answer') throw error;
    throw error.with({ message: `${error.message}${advice()}` });
  }
}

/** Returns the failure that a GraphQL server reports in place of data: `{ data: null, errors: [{ message }] }`. */
export function readGraphqlError(value: unknown): TargetFailure | undefined {
  if (!isFields(value) || (value['data'] ?? null) !== null || !Array.isArray(value['errors']))
    return undefined;
  const message = readError((value['errors'] as readonly unknown[])[0]);
  return message === undefined ? undefined : reportedError(message);
}

/** Returns the answer by its name; else the last message of the assistant in the transcript. */
function findAnswer(value: Fields, transcript: readonly Message[] | undefined): Field | undefined {
  const named = findField(value, replyAliases.answer);
  const envelope = isContainer(named?.value) ? readEnvelope(value) : undefined;
  if (envelope !== undefined && envelope.key === named?.name) return lastAnswer(envelope.messages);
  if (named !== undefined) return named;
  if (replyAliases.answer.some((name) => name in value)) return { name: 'answer', value: null };
  return transcript && lastAnswer(transcript);
}

function lastAnswer(messages: readonly Message[]): Field | undefined {
  const message = messages.findLast(({ role }) => role === 'assistant');
  return message && { name: 'transcript', value: message.content };
}

/**
 * Returns the `message` of an object that also reports a failure: `error` has a value, `ok` or `success` is false,
 * `status` is `error`, or a code is the code of an HTTP error. Undefined for any other object.
 */
function readFailureMessage(value: object): string | undefined {
  const record = value as Readonly<Record<string, unknown>>;
  return saysThatItFailed(record) ? readError(record['message']) : undefined;
}

function saysThatItFailed(record: Readonly<Record<string, unknown>>): boolean {
  const { error, ok, success, status, object, type } = record;
  if (object === 'error' || type === 'error') return true;
  if (Boolean(error) && readError(error) !== undefined) return true;
  if (ok === false || success === false) return true;
  if (typeof status === 'string' && status.toLowerCase() === 'error') return true;
  return statusNames.some((name) => isErrorCode(record[name]));
}

/**
 * Returns whether a code is the code of an HTTP error. Other numbers have meanings of their server's own: for some, 20000
 * is a success.
 */
function isErrorCode(code: unknown): boolean {
  return typeof code === 'number' && code >= 400 && code < 600;
}

function reportedError(error: string): TargetFailure {
  return new TargetFailure('target-reported-error', `The target reported: ${error}`);
}

function noAnswer(value: object, advice: string): TargetFailure {
  const keys = Object.keys(value);
  const found = keys.length === 0 ? describeValue(value) : `an object with the keys ${listKeys(keys)}`;
  return new TargetFailure(
    'invalid-answer',
    `The target returned ${found}; the answer is looked for under ${replyAliases.answer.join(', ')}.${advice}`,
  );
}

const statusNames = ['code', 'status', 'statusCode'] as const;

/** Returns whether a value is an object with one of the names of an answer, or of an error in its place, or in the form of a model's API. */
export function isReplyObject(value: unknown): value is object {
  if (!isContainer(value) || Array.isArray(value)) return false;
  const hasName = [...replyAliases.answer, ...replyAliases.error].some((name) => name in value);
  return hasName || readEnvelope(value as Fields) !== undefined;
}
