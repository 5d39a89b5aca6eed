import { TextDecoder } from 'node:util';
import { isContainer } from '../../../core/lib/json/is-container.ts';
import { parseJson } from '../../../core/lib/json/parse-json.ts';
import { describeValue } from '../../../core/lib/text/describe-value.ts';
import { createSecretRedactor, isSecretName, type SecretRedactor } from '../../../core/lib/redact-secrets.ts';
import { shorten } from '../../../core/lib/text/terminal-text.ts';
import { pathSteps, stepInto } from '../../../core/lib/objects.ts';
import type { Json } from '../../../core/schema/json.ts';
import { isReplyName, readReply } from '../read-reply.ts';
import { followPath, type ToolCallsSetting } from '../reply/tool-calls-setting.ts';
import { addLogs, readReplyText } from '../reply/read-reply-text.ts';
import { answerTooLarge, maxReplyBytes } from '../reply/read-text.ts';
import { replyAliases } from '../reply/reply-aliases.ts';
import { type Reply, TargetFailure } from '../target.ts';

/** Paths to parts of a reply, such as `choices[0].message.content`. */
export type ReplyPaths = Readonly<Partial<Record<PartPath['part'], string | undefined>>> & {
  readonly toolCalls?: ToolCallsSetting;
};

/**
 * Reads a body as a reply: the values at the given paths, and the known names for all other parts. A body of plain text
 * is the answer itself. Throws `invalid-reply` for a web page, and for a body that has to be JSON and is not.
 */
export function readHttpReply(received: HttpBody, paths: ReplyPaths, redactor: Redactor): Reply {
  const picked = pickedParts.flatMap((part): PartPath[] => {
    const path = paths[part];
    return path === undefined ? [] : [{ part, path }];
  });
  // Secrets are removed before anything is quoted: a message that cuts a secret in two would show half of it.
  const body = { ...received, text: redactor.text(received.text) };
  const isJson = /[/+]json\b/i.test(body.contentType);
  if (isWebPage(body)) throw unreadable(body, 'a web page');
  const { toolCalls } = paths;
  const hasPath = picked.length > 0 || (toolCalls !== undefined && toolCalls !== 'none');
  if (hasPath) return readParts(redactor.json(readJson(body, received)), picked, toolCalls);
  if (isJson && body.text.trim() !== '')
    return readReply(redactor.json(readJson(body, received)), { toolCalls });
  return readReplyText(body.text, { toolCalls });
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

function unreadable({ contentType, text }: HttpBody, what: string): TargetFailure {
  const type = contentType === '' ? 'without a content type' : `of the type ${contentType}`;
  return new TargetFailure('invalid-reply', `The reply, ${type}, is ${what}: ${shorten(text.trim(), 300)}`);
}

/**
 * Reads the parts at the given paths. A bot may leave out parts it did not use, but a path that leads nowhere is noted
 * in the logs.
 */
function readParts(value: Json, paths: readonly PartPath[], toolCalls: ToolCallsSetting): Reply {
  const { value: picked, missing } = pickParts(value, paths);
  const notes = missing.map(
    ({ part, path }) => `The reply has nothing at \`${path}\`, the path of \`${part}\`.`,
  );
  return addLogs(readReply(picked, { toolCalls, whole: value }), notes.join('\n'));
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
  const picked = paths.map((at) => ({ ...at, found: followPath(value, pathSteps(at.path)) }));
  const missing = picked.filter(({ found }) => found === undefined);
  const answer = missing.find(({ part }) => part === 'answer');
  if (answer !== undefined) throw nothingAt(answer.path, value);
  const replaced = new Set<string>(paths.flatMap(({ part }) => replyAliases[part]));
  const rest = Object.entries(isContainer(value) ? value : {});
  const followed = new Set(paths.flatMap(({ path }) => pathSteps(path).slice(0, 1)));
  const kept = rest.filter(([key]) => !replaced.has(key) && (isReplyName(key) || !followed.has(key)));
  const named = picked.map(({ part, found }): [string, unknown] => [
    part,
    part === 'answer' ? joinTexts(found) : found,
  ]);
  return { value: Object.fromEntries([...kept, ...named]), missing };
}

/** Joins the texts of a reply that consists of several messages, one below the other. Anything else is returned as it is. */
function joinTexts(found: unknown): unknown {
  const isTexts = Array.isArray(found) && found.every((item) => typeof item === 'string');
  return isTexts ? found.join('\n') : found;
}

/** Returns the failure for a path that leads nowhere, with how far into the reply it leads. */
function nothingAt(path: string, value: unknown): TargetFailure {
  let reached = value;
  let steps = '';
  for (const step of pathSteps(path)) {
    const next = stepInto(reached, step);
    if (next === undefined) break;
    reached = next;
    steps += steps === '' ? step : `.${step}`;
  }
  const where = steps === '' ? 'the reply' : `\`${steps}\``;
  return new TargetFailure(
    'invalid-reply',
    `The reply has nothing at \`${path}\`, the path of the answer: ${where} is ${describeValue(reached)}.`,
  );
}

/** A body with the content type that says how to read it. */
export interface HttpBody {
  readonly contentType: string;
  readonly text: string;
}

/** Reads a body as text in its charset. Throws `answer-too-large`, `invalid-utf8` or `invalid-reply`. */
export async function readBody(
  chunks: AsyncIterable<Uint8Array>,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Promise<HttpBody> {
  const contentType = String(headers['content-type'] ?? '');
  const encoding = String(headers['content-encoding'] ?? 'identity');
  if (contentType.startsWith('text/event-stream')) {
    throw new TargetFailure('invalid-reply', 'The reply is an event stream; ask the server for a plain one.');
  }
  if (encoding !== 'identity') {
    throw new TargetFailure(
      'invalid-reply',
      `The reply is compressed (${encoding}), which was not asked for.`,
    );
  }
  return { contentType, text: decode(await collect(chunks), contentType) };
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const kept: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > maxReplyBytes) throw answerTooLarge();
    kept.push(chunk);
  }
  return Buffer.concat(kept);
}

function decode(bytes: Buffer, contentType: string): string {
  const charset = /charset\s*=\s*"?([^\s;"]+)/i.exec(contentType)?.[1] ?? 'utf-8';
  const decoder = createDecoder(charset);
  try {
    return decoder.decode(bytes);
  } catch {
    throw new TargetFailure(
      'invalid-utf8',
      `The reply is not valid ${charset.toUpperCase()} text (content type ${contentType || 'not given'}).`,
    );
  }
}

function createDecoder(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch {
    throw new TargetFailure('invalid-reply', `The reply is in the unknown charset "${charset}".`);
  }
}

/** A redactor that replaces the values of environment variables by their names in everything that is kept or shown. */
export interface Redactor extends SecretRedactor {
  failure(thrown: unknown): unknown;
}

const minCharacters = 8;

/**
 * Creates a redactor. A short value of a variable that is not named like a secret, such as a port or the name of a
 * model, is left alone: replacing it would garble unrelated answers.
 */
export function createRedactor(variables: ReadonlyMap<string, string>): Redactor {
  const redactor = createSecretRedactor(
    [...variables].filter(([name, value]) => value.length >= minCharacters || isSecretName(name)),
  );
  return { ...redactor, failure: (thrown) => redactFailure(thrown, redactor) };
}

function redactFailure(thrown: unknown, { text }: SecretRedactor): unknown {
  if (!(thrown instanceof TargetFailure)) return thrown;
  const { message, logs } = thrown;
  return thrown.with({ message: text(message), logs: logs && text(logs), cause: undefined });
}
