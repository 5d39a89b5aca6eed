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
  build(request: TargetRequest): HttpRequest;
}

/** Checks the settings once, and returns the plan of all requests. Throws `target-invalid` or `environment-missing`. */
export function planRequests(
  settings: RequestSettings,
  environment: Readonly<Record<string, string | undefined>>,
): RequestPlan {
  const { url, headers, body, method } = settings;
  const names = Object.entries({ url, headers, body: body ?? null }).flatMap(([setting, template]) => {
    const found = placeholdersIn(template);
    for (const name of found) checkPlaceholder(name, setting);
    return found;
  });
  const variables = readVariables(names, environment);
  const resolveSample = createResolve(sample, variables);
  const origin = parseUrl(
    fillText(url, (name) => (name.startsWith('metadata.') ? 'x' : resolveSample(name)), encodeUrlPart),
  );
  const fillBody = compileBody(settings);
  return {
    origin,
    variables,
    build: (request) => {
      const resolve = createResolve(request, variables);
      const address = new URL(fillText(url, resolve, encodeUrlPart));
      if (address.origin !== origin.origin) throw otherOrigin(address, origin);
      const filled = Object.entries(headers).map(([name, value]) => [
        name.toLowerCase(),
        fillText(value, resolve),
      ]);
      const { type, text } = fillBody(resolve);
      const standard = type === undefined ? {} : { 'content-type': type };
      return { url: address, method, headers: { ...standard, ...Object.fromEntries(filled) }, body: text };
    },
  };
}

const sample: TargetRequest = {
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

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new TouchstoneError('target-invalid', `\`url\` is not an http or https address: ${text}`);
  }
  if (url.username === '' && url.password === '') return url;
  throw new TouchstoneError('target-invalid', '`url` contains a user name or a password.', {
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
const knownNames = [...requestNames, 'metadata.NAME', 'env.NAME'];

/** Returns the environment variable that a placeholder names; undefined for other placeholders. */
export function environmentName(placeholder: string): string | undefined {
  return placeholder.startsWith('env.') ? placeholder.slice('env.'.length) : undefined;
}

/** Throws `target-invalid` for a placeholder that does not exist. */
function checkPlaceholder(name: string, setting: string): void {
  if (/^(metadata|env)\../.test(name) || requestNames.includes(name)) return;
  const nearest = nearestName(name, requestNames);
  const hint = nearest === undefined ? '' : ` Did you mean {{${nearest}}}?`;
  throw new TouchstoneError(
    'target-invalid',
    `\`${setting}\` contains the unknown placeholder {{${name}}}.${hint}`,
    {
      remedy: `Use one of ${knownNames.map((known) => `{{${known}}}`).join(', ')}.`,
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
function createResolve(request: TargetRequest, variables: ReadonlyMap<string, string>): Resolve {
  return (name) => {
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
