import { describeValue } from '../../lib/describe-value.ts';
import { shorten } from '../../lib/terminal-text.ts';
import { pathSteps, stepInto } from '../../lib/value-at-path.ts';
import type { Json } from '../../schema/json.ts';
import { readReply } from '../read-reply.ts';
import { addLogs } from '../reply/add-logs.ts';
import { readReplyText } from '../reply/read-reply-text.ts';
import { replyAliases } from '../reply/reply-aliases.ts';
import { type Reply, TargetFailure } from '../target.ts';
import type { HttpBody } from './read-body.ts';
import type { Redactor } from './redact.ts';

/** Paths to parts of a reply, such as `choices[0].message.content`. */
export type ReplyPaths = Readonly<Partial<Record<PartPath['part'], string | undefined>>>;

/**
 * Reads a body as a reply: what the paths point at, and the known names for everything else; a body of plain text
 * is the answer itself. Throws `invalid-reply` for a web page, and for what is not JSON where it had to be.
 */
export function readHttpReply(received: HttpBody, paths: ReplyPaths, redactor: Redactor): Reply {
  const given = pickedParts.flatMap((part): PartPath[] => {
    const path = paths[part];
    return path === undefined ? [] : [{ part, path }];
  });
  // Before anything is quoted: a message that cuts a secret in two would show half of it.
  const body = { ...received, text: redactor.text(received.text) };
  const isJson = /[/+]json\b/i.test(body.contentType);
  if (isWebPage(body)) throw unreadable(body, 'a web page');
  if (given.length > 0) return readParts(redactor.json(parseJson(body, received)), given);
  if (isJson && body.text.trim() !== '') return readReply(redactor.json(parseJson(body, received)));
  return readReplyText(body.text);
}

function isWebPage({ contentType, text }: HttpBody): boolean {
  return /^(text\/html|application\/xhtml)/i.test(contentType) || /^\s*<(!doctype html|html)\b/i.test(text);
}

/** Parses what was received; a message shows it as it may be shown. */
function parseJson(shown: HttpBody, received: HttpBody): Json {
  try {
    return JSON.parse(received.text);
  } catch {
    throw unreadable(shown, 'not JSON');
  }
}

function unreadable({ contentType, text }: HttpBody, what: string): TargetFailure {
  const type = contentType === '' ? 'without a content type' : `of the type ${contentType}`;
  return new TargetFailure('invalid-reply', `The reply, ${type}, is ${what}: ${shorten(text.trim(), 300)}`);
}

/** A bot may well leave out what it did not use; that a path never leads anywhere is to be seen all the same. */
function readParts(value: Json, paths: readonly PartPath[]): Reply {
  const { value: picked, missing } = pickParts(value, paths);
  const notes = missing.map(
    ({ part, path }) => `The reply has nothing at \`${path}\`, the path of \`${part}\`.`,
  );
  return addLogs(readReply(picked), notes.join('\n'));
}

/** The parts of a reply that a path may point at. */
const pickedParts = ['answer', 'toolCalls', 'documents', 'usage'] as const;

/** A part of a reply with its path, such as `choices[0].message.content` or `steps[*].tool`. */
interface PartPath {
  readonly part: (typeof pickedParts)[number];
  readonly path: string;
}

/** The parts that paths point at, and the other parts of a reply by their known names. */
interface PickedParts {
  readonly value: object;
  /** The paths at which there was nothing. */
  readonly missing: readonly PartPath[];
}

/** Takes a reply apart. Throws `invalid-reply` when there is nothing at the path of the answer. */
function pickParts(value: unknown, paths: readonly PartPath[]): PickedParts {
  const picked = paths.map((at) => ({ ...at, found: follow(value, pathSteps(at.path)) }));
  const missing = picked.filter(({ found }) => found === undefined);
  const answer = missing.find(({ part }) => part === 'answer');
  if (answer !== undefined) throw nothingAt(answer.path, value);
  const replaced = new Set<string>(paths.flatMap(({ part }) => replyAliases[part]));
  const rest = Object.entries(typeof value === 'object' && value !== null ? value : {});
  const kept = rest.filter(([key]) => !replaced.has(key));
  const named = picked.map(({ part, found }): [string, unknown] => [part, found]);
  return { value: Object.fromEntries([...kept, ...named]), missing };
}

/** What the steps lead to. `*` goes into every item of a list: what is found there is one list, without the items that lack it. */
function follow(value: unknown, [step, ...rest]: readonly string[]): unknown {
  if (step === undefined) return value;
  if (step !== '*' || !Array.isArray(value)) return follow(stepInto(value, step), rest);
  return value.flatMap((item) => follow(item, rest) ?? []);
}

/** Says how far into the reply a path leads. */
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
