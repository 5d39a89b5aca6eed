import { TouchstoneError } from '../../../core/errors.ts';
import { isContainer } from '../../../core/lib/json/is-container.ts';
import { parseJson } from '../../../core/lib/json/parse-json.ts';
import { nearestName } from '../../../core/lib/text/nearest-name.ts';
import { valueAtPath } from '../../../core/lib/objects.ts';
import type { Json } from '../../../core/schema/json.ts';
import type { Message } from '../../../core/schema/message.ts';
import { TargetFailure, type TargetRequest } from '../target.ts';
import { conversationOf } from './bot-conversation.ts';

/** The settings that requests are built from. */
export interface RequestSettings {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Json | undefined;
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
  readonly body: string | null;
}

/** A plan for requests whose placeholders and environment variables are all known. */
export interface RequestPlan {
  /** The address of every request. */
  readonly origin: URL;
  readonly variables: ReadonlyMap<string, string>;
  /** True when requests depend on the question or its conversation. */
  readonly dependsOnRequest: boolean;
  /** @param before - What a log-in gave, by name. */
  build(request: TargetRequest, before?: ReadonlyMap<string, string>): HttpRequest;
}

/** Checks the settings once, and returns the plan of all requests. Throws `target-invalid` or `environment-missing`. */
export function planRequests(
  settings: RequestSettings,
  environment: Readonly<Record<string, string | undefined>>,
): RequestPlan {
  const { url, headers, body, method, basic, before = [], prefix = '' } = settings;
  const names = Object.entries({ url, headers, body: body ?? null, basic: { ...basic } }).flatMap(
    ([setting, template]) => {
      const found = placeholdersIn(template);
      for (const name of found) checkPlaceholder(name, `${prefix}${setting}`, before);
      return found;
    },
  );
  const variables = readVariables(names, environment);
  const resolveSample = createResolve(sampleRequest, variables);
  const isGivenLater = (name: string) => /^(?:metadata|before)\./.test(name);
  const origin = parseUrl(
    fillText(url, (name) => (isGivenLater(name) ? 'x' : resolveSample(name)), encodeUrlPart),
    `${prefix}url`,
  );
  const fillBody = compileBody(settings);
  return {
    origin,
    variables,
    dependsOnRequest: names.some((name) => !/^(?:env|before)\./.test(name)),
    build: (request, given) => {
      const resolve = createResolve(request, variables, given);
      const address = new URL(fillText(url, resolve, encodeUrlPart));
      if (address.origin !== origin.origin) throw otherOrigin(address, origin);
      const filled = Object.entries(headers).map(([name, value]) => [
        name.toLowerCase(),
        fillText(value, resolve),
      ]);
      const { type, text } = fillBody(resolve);
      const standard = {
        ...(type !== undefined && { 'content-type': type }),
        ...(basic !== undefined && { authorization: basicHeader(basic, resolve) }),
      };
      return { url: address, method, headers: { ...standard, ...Object.fromEntries(filled) }, body: text };
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

/** The request that stands for any other: only what is the same in all can be read off it. */
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
  readonly text: string | null;
}

/** Compiles the template of the body. JSON in a text is treated as JSON, so that a quote in the question cannot break it. */
function compileBody({ method, headers, body }: RequestSettings): (resolve: Resolve) => FilledBody {
  if (method === 'GET') return () => ({ text: null });
  const template =
    body === undefined ? { input: '{{input}}', messages: '{{messages}}' } : parseWrittenJson(body);
  if (typeof template !== 'string') {
    return (resolve) => ({ type: 'application/json', text: JSON.stringify(fillJson(template, resolve)) });
  }
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  const encode: Encode | undefined = type.includes('urlencoded') ? encodeUrlPart : undefined;
  return (resolve) => ({ type: 'text/plain; charset=utf-8', text: fillText(template, resolve, encode) });
}

function parseWrittenJson(body: Json): Json {
  if (typeof body !== 'string' || !/^\s*[[{](?!\{)/.test(body)) return body;
  try {
    return parseJson(body);
  } catch {
    return body; // The text only begins like JSON.
  }
}

/**
 * Encodes a value as a part of the URL, so that a question cannot change the rest of the address. A variable at the
 * very beginning is the address itself.
 */
const encodeUrlPart: Encode = (text, name, offset) =>
  offset === 0 && name.startsWith('env.') ? text : encodeURIComponent(text.toWellFormed());

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

const ofRequest: Readonly<Record<string, (request: TargetRequest) => Json>> = {
  input: ({ input }) => input,
  messages: ({ messages }) => messages as Message[],
  'session.id': ({ session }) => session.id,
  'session.turn': ({ session }) => session.turn,
  conversation: ({ session }) => conversationOf(session),
  caseId: ({ caseId }) => caseId,
  metadata: ({ metadata }) => metadata,
  key: ({ key }) => key,
  attempt: ({ attempt }) => attempt,
  seed: ({ seed }) => seed,
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
  if (/^(metadata|env)\../.test(name) || known.includes(name)) return;
  const knownNames = [...known, 'metadata.NAME', 'env.NAME'];
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

/** Creates the function that returns the values of placeholders for one question. */
function createResolve(
  request: TargetRequest,
  variables: ReadonlyMap<string, string>,
  given?: ReadonlyMap<string, string>,
): Resolve {
  return (name) => {
    if (isFromLogIn(name)) return given?.get(name.slice('before.'.length)) ?? '';
    const variable = environmentName(name);
    if (variable !== undefined) return variables.get(variable) ?? '';
    if (name.startsWith('metadata.')) return readMetadata(request, name.slice('metadata.'.length));
    return ofRequest[name]?.(request) ?? null;
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

/** A function that returns the value of a placeholder. */
type Resolve = (name: string) => Json;

/** A function that encodes a value for insertion into a text; `offset` is the position of its placeholder in the template. */
type Encode = (text: string, name: string, offset: number) => string;

const placeholders = /\{\{\s*([^{}]*?)\s*\}\}/g;

/** Returns the names of all placeholders in a template. Keys of objects are not templates. */
export function placeholdersIn(template: Json): string[] {
  if (typeof template === 'string') {
    return Array.from(template.matchAll(placeholders), ([, name]) => name ?? '');
  }
  if (!isContainer(template)) return [];
  return Object.values(template).flatMap(placeholdersIn);
}

/** Returns a text with each placeholder replaced; a value that is not a text is written as JSON. */
export function fillText(template: string, resolve: Resolve, encode: Encode = (text) => text): string {
  return template.replaceAll(placeholders, (_match, name: string, offset: number) => {
    const value = resolve(name);
    if (name === 'conversation' && value === null) return ''; // There is none before the first reply.
    return encode(typeof value === 'string' ? value : JSON.stringify(value), name, offset);
  });
}

/** Returns JSON with each placeholder replaced. A text that consists of one placeholder becomes the value, with its type. */
function fillJson(template: Json, resolve: Resolve): Json {
  if (typeof template === 'string') {
    const [lone] = template.matchAll(placeholders);
    return lone?.[0] === template ? resolve(lone[1] ?? '') : fillText(template, resolve);
  }
  if (!isContainer(template)) return template;
  if (Array.isArray(template)) return template.map((item) => fillJson(item, resolve));
  return Object.fromEntries(
    Object.entries(template).map(([key, member]) => [key, fillJson(member, resolve)]),
  );
}
