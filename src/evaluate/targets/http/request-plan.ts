import {
  describeFiles,
  encodeFormPart,
  type FilesToSend,
  noFiles,
  writeBody,
} from '../../../core/attachments/files-to-send.ts';
import { TouchstoneError } from '../../../core/errors.ts';
import { tryParseJson } from '../../../core/lib/json/parse-json.ts';
import type { StreamedBody } from '../../../core/lib/network/send-request.ts';
import { nearestName } from '../../../core/lib/text/nearest-name.ts';
import { valueAtPath } from '../../../core/lib/objects.ts';
import type { Json } from '../../../core/schema/json.ts';
import { TargetFailure, type TargetRequest } from '../target.ts';
import { type Encode, fillJson, fillText, placeholdersIn, type Resolve } from './placeholders.ts';
import { newAttachments } from '../attachment-copies.ts';
import { conversationOf } from './bot-conversation.ts';
import { type FormField, listAttachments, writeForm, writeMessages } from './sent-attachments.ts';

/** The settings that requests are built from. */
export interface RequestSettings {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Json | undefined;
  /** The fields of a form, in place of a body. */
  readonly multipart?: Readonly<Record<string, string>>;
  /** The user name and the password of a client, sent as RFC 6749 §2.3.1 says. */
  readonly basic?: Readonly<Record<'user' | 'password', string>>;
  /** The names of what a log-in gives, for `{{before.NAME}}`. */
  readonly before?: readonly string[];
  /** The text before the names of these settings in errors. */
  readonly prefix?: string;
}

/** A request that is ready to be sent. */
export interface HttpRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | StreamedBody | null;
  /** Its characters, with a few words for each file. */
  readonly textLength: number;
}

/** A plan for requests whose placeholders and environment variables are all known. */
export interface RequestPlan {
  /** The address of every request. */
  readonly origin: URL;
  readonly variables: ReadonlyMap<string, string>;
  /** True when requests depend on the question or its conversation. */
  readonly dependsOnRequest: boolean;
  /**
   * @param before - What a log-in gave, by name.
   * @param files - The files of the question. Only bodies have a place for them.
   */
  build(request: TargetRequest, before?: ReadonlyMap<string, string>, files?: FilesToSend): HttpRequest;
}

/** Checks the settings once, and returns the plan of all requests. Throws `target-invalid` or `environment-missing`. */
export function planRequests(
  settings: RequestSettings,
  environment: Readonly<Record<string, string | undefined>>,
): RequestPlan {
  const { url, headers, body, method, multipart = {}, basic, before = [], prefix = '' } = settings;
  const written = { url, headers, body: body ?? null, multipart, basic: { ...basic } };
  const names = Object.entries(written).flatMap(([setting, template]) => {
    const found = placeholdersIn(template);
    for (const name of found) checkPlaceholder(name, `${prefix}${setting}`, before);
    return found;
  });
  const variables = readVariables(names, environment);
  const resolveSample = createResolve(sampleRequest, variables);
  const isGivenLater = (name: string) => /^(?:metadata|before|tools)\./.test(name);
  const origin = parseUrl(
    fillText(url, (name) => (isGivenLater(name) ? 'x' : resolveSample(name)), encodeUrlPart),
    `${prefix}url`,
  );
  const fillBody = compileBody(settings);
  return {
    origin,
    variables,
    dependsOnRequest: names.some((name) => !/^(?:env|before)\./.test(name)),
    build: (request, given, files = noFiles) => {
      const resolve = createResolve(request, variables, { given });
      const address = new URL(fillText(url, resolve, encodeUrlPart));
      if (address.origin !== origin.origin) throw otherOrigin(address, origin);
      const filled = Object.entries(headers).map(([name, value]) => [
        name.toLowerCase(),
        fillText(value, resolve),
      ]);
      const { type, content } = fillBody(createResolve(request, variables, { given, files }));
      const textLength = content === null ? 0 : describeFiles(content, files).length;
      const standard = {
        ...(type !== undefined && { 'content-type': type }),
        ...(basic !== undefined && { authorization: basicHeader(basic, resolve) }),
      };
      const all = { ...standard, ...request.tools?.headers, ...Object.fromEntries(filled) };
      const body = content === null ? null : writeBody(content, files);
      return { url: address, method, headers: all, body, textLength };
    },
  };
}

/** Returns the header with the user name and the password of a client, both encoded as in a form first (RFC 6749 §2.3.1). */
function basicHeader(
  { user, password }: Readonly<Record<'user' | 'password', string>>,
  resolve: Resolve,
): string {
  const encode = (template: string) =>
    new URLSearchParams([['', fillText(template, resolve)]]).toString().slice(1);
  return `Basic ${Buffer.from(`${encode(user)}:${encode(password)}`).toString('base64')}`;
}

/** A request in place of any other: only what is the same in all can be read off it. */
export const sampleRequest: TargetRequest = {
  key: 'x',
  caseId: 'x',
  input: 'x',
  messages: [],
  session: { id: 'x', turn: 1, memory: {} },
  metadata: {},
  attempt: 1,
  seed: 0,
};

interface FilledBody {
  readonly type?: string;
  readonly content: string | null;
}

/** Compiles the template of the body. JSON in a text is treated as JSON, so that a quote in the question cannot break it. */
function compileBody({
  method,
  headers,
  body,
  multipart,
}: RequestSettings): (resolve: Resolve) => FilledBody {
  if (method === 'GET') return () => ({ content: null });
  if (multipart !== undefined) return (resolve) => fillForm(multipart, resolve);
  const template =
    body === undefined ? { input: '{{input}}', messages: '{{messages}}' } : parseWrittenJson(body);
  if (typeof template !== 'string') {
    return (resolve) => ({ type: 'application/json', content: JSON.stringify(fillJson(template, resolve)) });
  }
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  const encode: Encode | undefined = type.includes('urlencoded') ? encodeUrlPart : undefined;
  return (resolve) => ({ type: 'text/plain; charset=utf-8', content: fillText(template, resolve, encode) });
}

function fillForm(fields: Readonly<Record<string, string>>, resolve: Resolve): FilledBody {
  const filled = Object.entries(fields).map(([name, template]): FormField => {
    if (!/^\{\{\s*attachments\s*\}\}$/.test(template)) return { name, text: fillText(template, resolve) };
    return { name, files: resolve('attachments') as ReturnType<typeof listAttachments> };
  });
  return writeForm(filled);
}

function parseWrittenJson(body: Json): Json {
  if (typeof body !== 'string' || !/^\s*[[{](?!\{)/.test(body)) return body;
  return tryParseJson(body, body);
}

/**
 * Encodes a value as a part of the URL, so that a question cannot change the rest of the address. A variable at the
 * very beginning is the address itself.
 */
const encodeUrlPart: Encode = (text, name, offset) =>
  offset === 0 && name.startsWith('env.') ? text : encodeFormPart(text);

function parseUrl(text: string, setting: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new TouchstoneError('target-invalid', `\`${setting}\` is not an http or https address: ${text}`);
  }
  if (url.username === '' && url.password === '') return url;
  throw new TouchstoneError('target-invalid', `\`${setting}\` contains a user name or a password.`, {
    remedy: 'Send them as a header: `Authorization: Basic {{env.NAME}}`.',
  });
}

function otherOrigin(address: URL, origin: URL): TargetFailure {
  return new TargetFailure(
    'invalid-request',
    `The question changes where the request goes, from ${origin.host} to ${address.host}; it was not sent.`,
  );
}

const ofRequest: Readonly<Record<string, (request: TargetRequest, files: FilesToSend) => Json>> = {
  input: ({ input }) => input,
  messages: ({ messages }, files) => writeMessages(messages, files),
  attachments: listAttachments,
  'attachments.base64': (request, { marks }) =>
    newAttachments(request).map(({ hash }) => marks.get(hash) ?? ''),
  'session.id': ({ session }) => session.id,
  'session.turn': ({ session }) => session.turn,
  conversation: ({ session }) => conversationOf(session),
  caseId: ({ caseId }) => caseId,
  metadata: ({ metadata }) => metadata,
  key: ({ key }) => key,
  attempt: ({ attempt }) => attempt,
  seed: ({ seed }) => seed,
  tools: ({ tools }) => ({ ...tools?.addresses }),
};
const requestNames = Object.keys(ofRequest);

/** Returns the environment variable that a placeholder names; undefined for other placeholders. */
export function environmentName(placeholder: string): string | undefined {
  return placeholder.startsWith('env.') ? placeholder.slice('env.'.length) : undefined;
}

/** Returns whether a placeholder is filled by a log-in. */
export function isFromLogIn(placeholder: string): boolean {
  return placeholder.startsWith('before.');
}

/** Throws `target-invalid` for a placeholder that does not exist. */
function checkPlaceholder(name: string, setting: string, before: readonly string[]): void {
  const known = [...requestNames, ...before.map((kept) => `before.${kept}`)];
  if (/^(metadata|env|tools)\../.test(name) || known.includes(name)) return;
  const knownNames = [...known, 'metadata.NAME', 'tools.NAME', 'env.NAME'];
  const nearest = nearestName(name, known);
  const hint = nearest === undefined ? '' : ` Did you mean {{${nearest}}}?`;
  throw new TouchstoneError(
    'target-invalid',
    `\`${setting}\` contains the unknown placeholder {{${name}}}.${hint}`,
    {
      remedy:
        isFromLogIn(name) && before.length === 0
          ? 'Say under `before: { keep: … }` where the log-in gives it.'
          : `Use one of ${knownNames.map((each) => `{{${each}}}`).join(', ')}.`,
    },
  );
}

/**
 * Returns the values of the environment variables that placeholders name. Throws `environment-missing` with all that
 * are not set.
 */
function readVariables(
  placeholders: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Map<string, string> {
  const names = new Set(placeholders.map(environmentName).filter((name) => name !== undefined));
  const missing = [...names].filter((name) => !environment[name]);
  if (missing.length > 0) {
    const [are, it] = missing.length === 1 ? ['is', 'it'] : ['are', 'them'];
    throw new TouchstoneError(
      'environment-missing',
      `The target needs ${missing.join(', ')}, which ${are} not set in the environment.`,
      { remedy: `Set ${it} and run again.` },
    );
  }
  return new Map(Array.from(names, (name) => [name, environment[name] ?? '']));
}

/** The values that are known only when a question is asked. */
interface GivenLater {
  readonly given?: ReadonlyMap<string, string>;
  readonly files?: FilesToSend;
}

/** Creates the function that returns the values of placeholders for one question. */
function createResolve(
  request: TargetRequest,
  variables: ReadonlyMap<string, string>,
  { given, files = noFiles }: GivenLater = {},
): Resolve {
  return (name) => {
    if (isFromLogIn(name)) return given?.get(name.slice('before.'.length)) ?? '';
    const variable = environmentName(name);
    if (variable !== undefined) return variables.get(variable) ?? '';
    if (name.startsWith('tools.')) return request.tools?.addresses[name.slice('tools.'.length)] ?? '';
    if (name.startsWith('metadata.')) return readMetadata(request, name.slice('metadata.'.length));
    return ofRequest[name]?.(request, files) ?? null;
  };
}

function readMetadata({ metadata, caseId }: TargetRequest, path: string): Json {
  const value = valueAtPath(metadata, path);
  if (value !== undefined) return value as Json;
  throw new TargetFailure(
    'metadata-missing',
    `The question ${caseId} has no metadata \`${path}\`, which the request needs.`,
  );
}
