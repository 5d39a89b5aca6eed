import { shorten } from '../../lib/terminal-text.ts';
import { pathSteps, valueAtPath } from '../../lib/value-at-path.ts';
import type { Json } from '../../schema/json.ts';
import { readReply } from '../read-reply.ts';
import { describeValue } from '../reply/describe-value.ts';
import { readReplyText } from '../reply/read-reply-text.ts';
import { replyAliases } from '../reply/reply-aliases.ts';
import { type Reply, TargetFailure } from '../target.ts';
import type { HttpBody } from './read-body.ts';
import type { Redactor } from './redact.ts';

const parts = ['answer', 'toolCalls', 'documents', 'usage'] as const;

/** Paths to parts of a reply, such as `choices[0].message.content`. */
export type ReplyPaths = Readonly<Partial<Record<(typeof parts)[number], string | undefined>>>;

interface PartPath {
  readonly part: keyof ReplyPaths;
  readonly path: string;
}

/**
 * Reads a body as a reply: what the paths point at, and the known names for everything else; a body of plain text
 * is the answer itself. Throws `invalid-reply` for a web page, and for what is not JSON where it had to be.
 */
export function readHttpReply(received: HttpBody, paths: ReplyPaths, redactor: Redactor): Reply {
  const given = parts.flatMap((part): PartPath[] => {
    const path = paths[part];
    return path === undefined ? [] : [{ part, path }];
  });
  // Before anything is quoted: a message that cuts a secret in two would show half of it.
  const body = { ...received, text: redactor.text(received.text) };
  const isJson = /[/+]json\b/i.test(body.contentType);
  if (isWebPage(body)) throw unreadable(body, 'a web page');
  if (given.length > 0) return readReply(pickParts(redactor.json(parseJson(body, received)), given));
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

function pickParts(value: unknown, paths: readonly PartPath[]): object {
  const replaced = new Set<string>(paths.flatMap(({ part }) => replyAliases[part]));
  const rest = Object.entries(typeof value === 'object' && value !== null ? value : {});
  const picked = paths.map(({ part, path }): [string, unknown] => {
    const found = valueAtPath(value, path);
    if (found === undefined && part === 'answer') throw nothingAt(path, value);
    return [part, found];
  });
  return Object.fromEntries([...rest.filter(([key]) => !replaced.has(key)), ...picked]);
}

/** Says how far into the reply a path leads. */
function nothingAt(path: string, value: unknown): TargetFailure {
  let reached = value;
  let steps = '';
  for (const step of pathSteps(path)) {
    const next = valueAtPath(reached, `["${step}"]`);
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
