import { messageOf } from '../../../core/errors.ts';
import { isContainer } from '../../../core/lib/json/is-container.ts';
import { parseJson } from '../../../core/lib/json/parse-json.ts';
import { describeValue } from '../../../core/lib/text/describe-value.ts';
import { createSecretRedactor, isSecretName, type SecretRedactor } from '../../../core/lib/redact-secrets.ts';
import { shorten } from '../../../core/lib/text/terminal-text.ts';
import { pathSteps, stepInto, withoutUndefined } from '../../../core/lib/objects.ts';
import type { Json } from '../../../core/schema/json.ts';
import { isReplyName, readGraphqlError, readReply } from '../read-reply.ts';
import { asForm } from '../reply/forms.ts';
import { replyPath } from '../reply/reply-path.ts';
import { adviceOnTexts } from '../reply/texts-in.ts';
import type { ToolCallsSetting } from '../reply/tool-calls-setting.ts';
import { addLogs, readReplyText } from '../reply/read-reply-text.ts';
import { replyAliases } from '../reply/reply-aliases.ts';
import { type Reply, TargetFailure } from '../target.ts';
import type { HttpBody } from './receive-body.ts';
import { gemini } from './streams/model-forms.ts';
import type { StreamedReply } from './streams/read-stream.ts';
import { errorIn, reportedInStream } from './streams/stream-faults.ts';

/** Paths to parts of a reply, such as `choices[0].message.content`. */
export type ReplyPaths = Readonly<Partial<Record<PartPath['part'], string | undefined>>> & {
  readonly toolCalls?: ToolCallsSetting;
  /** The name of the form of the reply. */
  readonly reply?: string;
  /** The path of a text that is JSON, in which the reply is. */
  readonly unwrap?: string;
};

/** A body that came whole, or one that was streamed and is put together. */
export type Received = HttpBody | StreamedReply;

/**
 * Reads what was received as a reply: the values at the given paths, and the known names for all other parts. A plain
 * text is the answer itself. Throws `invalid-reply` for a web page, and for a body that has to be JSON and is not.
 */
export function readHttpReply(received: Received, paths: ReplyPaths, redactor: Redactor): Reply {
  if (!('value' in received)) return readWhole(received, paths, redactor);
  const { value, answerAt, firstTokenMs, notes, isOwn } = received;
  const reply =
    typeof value === 'string'
      ? readWhole({ contentType: 'text/plain', text: value }, paths, redactor)
      : readValue(
          redactor.json(value),
          isOwn === true ? {} : { answer: answerAt, ...withoutUndefined(paths) },
        );
  return addLogs({ ...reply, ...(firstTokenMs !== undefined && { firstTokenMs }) }, notes.join('\n'));
}

function readWhole(received: HttpBody, paths: ReplyPaths, redactor: Redactor): Reply {
  // Secrets are removed before anything is quoted: a message that cuts a secret in two would show half of it.
  const body = { ...received, text: redactor.text(received.text) };
  const isJson = /[/+]json\b/i.test(body.contentType);
  if (isWebPage(body)) throw unreadable(body, 'a web page');
  const hasPath =
    hasToolPath(paths) ||
    [...pickedParts, 'reply' as const, 'unwrap' as const].some((part) => paths[part] !== undefined);
  if (!hasPath && (!isJson || body.text.trim() === '')) {
    return readReplyText(body.text, { toolCalls: paths.toolCalls });
  }
  return readValue(redactor.json(joinPieces(readJson(body, received))), paths);
}

/** Reads a reply that is JSON, without secrets. */
function readValue(received: Json, paths: ReplyPaths): Reply {
  const opened = paths.unwrap === undefined ? received : unwrap(received, paths.unwrap);
  const value = paths.reply === undefined ? opened : asForm(opened, paths.reply);
  const picked = pickedParts.flatMap((part): PartPath[] => {
    const path = paths[part];
    return path === undefined ? [] : [{ part, path }];
  });
  const { toolCalls } = paths;
  if (picked.length > 0 || hasToolPath(paths)) return readParts(value, picked, toolCalls);
  return readReply(value, { toolCalls, hasPaths: true });
}

function hasToolPath({ toolCalls }: ReplyPaths): boolean {
  return toolCalls !== undefined && toolCalls !== 'none';
}

function isWebPage({ contentType, text }: HttpBody): boolean {
  return /^(text\/html|application\/xhtml)/i.test(contentType) || /^\s*<(!doctype html|html)\b/i.test(text);
}

/** Parses the received body; an error message quotes only the redacted one. */
function readJson(shown: HttpBody, received: HttpBody): Json {
  try {
    return parseJson(received.text);
  } catch {
    throw unreadable(shown, 'not JSON');
  }
}

/**
 * Returns a reply of Gemini that is a list of its pieces, as `streamGenerateContent` sends it without `alt=sse`, put together; any
 * other as it is. Throws `stream-broken` for one without its end, and the error that one of them reports.
 */
function joinPieces(value: Json): Json {
  const pieces = Array.isArray(value)
    ? value.map((each) => ({ name: 'message', data: '', value: each }))
    : [];
  const [first] = pieces;
  if (first === undefined || gemini.is?.(first, {}) !== true) return value;
  const assembler = gemini.assemble();
  for (const piece of pieces) {
    const error = errorIn(piece);
    if (error !== undefined) throw reportedInStream(error);
    try {
      assembler.add(piece.value, piece.name, piece.data);
    } catch (thrown) {
      throw new TargetFailure('invalid-reply', messageOf(thrown));
    }
  }
  const message = `The pieces of the reply (form \`gemini\`) ended before it was complete: ${gemini.endMark} never came.`;
  const whole = assembler.finish();
  if (whole === undefined) throw new TargetFailure('stream-broken', message, { retryable: true });
  return whole;
}

function unreadable({ contentType, text }: HttpBody, what: string): TargetFailure {
  const type = contentType === '' ? 'without a content type' : `of the type ${contentType}`;
  return new TargetFailure('invalid-reply', `The reply, ${type}, is ${what}: ${shorten(text.trim(), 300)}`);
}

/**
 * Reads the parts at the given paths. A bot may leave out parts it did not use, but a path that leads nowhere is noted
 * in the logs.
 */
function readParts(value: unknown, paths: readonly PartPath[], toolCalls: ToolCallsSetting): Reply {
  const { value: picked, missing } = pickParts(value, paths);
  const notes = missing.map(
    ({ part, path }) => `The reply has nothing at \`${path}\`, the path of \`${part}\`.`,
  );
  return addLogs(readReply(picked, { toolCalls, whole: value, hasPaths: true }), notes.join('\n'));
}

/** The parts of a reply that can have a path. */
const pickedParts = ['answer', 'documents', 'usage', 'finishReason'] as const;

/** A part of a reply with its path, such as `choices[0].message.content` or `steps[*].tool`. */
interface PartPath {
  readonly part: (typeof pickedParts)[number];
  readonly path: string;
}

/** The values at the paths, and the other parts of a reply by their known names. */
interface PickedParts {
  readonly value: object;
  /** The paths at which there was nothing. */
  readonly missing: readonly PartPath[];
}

/** Picks the parts of a reply. Throws `invalid-reply` when there is nothing at the path of the answer. */
function pickParts(value: unknown, paths: readonly PartPath[]): PickedParts {
  const picked = paths.map((at) => {
    const { find, findText } = replyPath(at.path);
    return { ...at, found: at.part === 'answer' ? findText(value) : find(value) };
  });
  const missing = picked.filter(({ found }) => found === undefined);
  const answer = missing.find(({ part }) => part === 'answer');
  if (answer !== undefined) throw readGraphqlError(value) ?? nothingAt(answer.path, value);
  const replaced = new Set<string>(paths.flatMap(({ part }) => replyAliases[part]));
  const rest = Object.entries(isContainer(value) ? value : {});
  const followed = new Set(paths.flatMap(({ path }) => replyPath(path).members));
  const kept = rest.filter(([key]) => !replaced.has(key) && (isReplyName(key) || !followed.has(key)));
  const named = picked.map(({ part, found }): [string, unknown] => [part, found]);
  return { value: Object.fromEntries([...kept, ...named]), missing };
}

/** Returns the failure for a path that leads nowhere, with how far into the reply it leads, and where its texts are. */
function nothingAt(path: string, value: unknown): TargetFailure {
  const isQuery = path.startsWith('$');
  return new TargetFailure(
    'invalid-reply',
    `The reply has nothing at \`${path}\`, the path of the answer${isQuery ? '' : `: ${reachedBy(path, value)}`}.${adviceOnTexts(value, path)}`,
  );
}

function reachedBy(path: string, value: unknown): string {
  let reached = value;
  let steps = '';
  for (const step of pathSteps(path)) {
    const next = stepInto(reached, step);
    if (next === undefined) break;
    reached = next;
    steps += steps === '' ? step : `.${step}`;
  }
  const where = steps === '' ? 'the reply' : `\`${steps}\``;
  return `${where} is ${describeValue(reached)}`;
}

/** Returns the value that a text in a reply is in JSON: gateways and queues pass a body on so. */
function unwrap(value: Json, path: string): unknown {
  const found = replyPath(path).find(value);
  if (found === undefined) {
    throw new TargetFailure('invalid-reply', `The reply has nothing at \`${path}\`, the path of \`unwrap\`.`);
  }
  if (typeof found !== 'string') return found;
  try {
    return parseJson(found);
  } catch {
    const shown = shorten(found.trim(), 300);
    throw new TargetFailure(
      'invalid-reply',
      `The text at \`${path}\`, the path of \`unwrap\`, is not JSON: ${shown}`,
    );
  }
}

/** A redactor that replaces the values of environment variables by their names in everything that is stored or shown. */
export interface Redactor extends SecretRedactor {
  failure(thrown: unknown): unknown;
}

const minCharacters = 8;

/**
 * Creates a redactor. A short value of a variable that is not named like a secret, such as a port or the name of a
 * model, is left alone: replacing it would garble unrelated answers.
 * @param arrived - Secrets that came from the bot, each with its name.
 */
export function createRedactor(
  variables: ReadonlyMap<string, string>,
  arrived: ReadonlyMap<string, string> = new Map(),
): Redactor {
  const redactor = createSecretRedactor([
    ...[...variables].filter(([name, value]) => value.length >= minCharacters || isSecretName(name)),
    ...Array.from(arrived, ([value, name]): [string, string] => [name, value]),
  ]);
  return { ...redactor, failure: (thrown) => redactFailure(thrown, redactor) };
}

function redactFailure(thrown: unknown, { text }: SecretRedactor): unknown {
  if (!(thrown instanceof TargetFailure)) return thrown;
  const { message, logs } = thrown;
  return thrown.with({ message: text(message), logs: logs && text(logs), cause: undefined });
}
