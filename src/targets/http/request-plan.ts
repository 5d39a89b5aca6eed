import { TouchstoneError } from '../../errors.ts';
import type { Json } from '../../schema/json.ts';
import { TargetFailure, type TargetRequest } from '../target.ts';
import { checkPlaceholder, createResolve, readVariables } from './placeholder-values.ts';
import { type Encode, fillJson, fillText, placeholdersIn, type Resolve } from './template.ts';

/** The settings that a request is made of. */
export interface RequestSettings {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Json | undefined;
}

/** One request, ready to be sent. */
export interface HttpRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/**
 * Requests that are known to lack nothing: placeholders are known, and so are the values of environment variables.
 */
export interface RequestPlan {
  /** Where every request goes. */
  readonly origin: URL;
  readonly variables: ReadonlyMap<string, string>;
  build(request: TargetRequest): HttpRequest;
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

/** Checks the settings once. Throws `target-invalid` or `environment-missing`. */
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
      const standard = { ...(type !== undefined && { 'content-type': type }), 'accept-encoding': 'identity' };
      return { url: address, method, headers: { ...standard, ...Object.fromEntries(filled) }, body: text };
    },
  };
}

/** A question cannot step out of its place in the URL. A variable at the very beginning is the address itself. */
const encodeUrlPart: Encode = (text, name, offset) =>
  offset === 0 && name.startsWith('env.') ? text : encodeURIComponent(text.toWellFormed());

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new TouchstoneError('target-invalid', `\`url\` is not an http or https address: ${text}`);
  }
  if (url.username === '' && url.password === '') return url;
  throw new TouchstoneError('target-invalid', '`url` holds a user name or a password.', {
    remedy: 'Send them as a header: `Authorization: Basic {{env.NAME}}`.',
  });
}

function otherOrigin(address: URL, origin: URL): TargetFailure {
  return new TargetFailure(
    'invalid-request',
    `The question changes where the request goes, from ${origin.host} to ${address.host}; it was not sent.`,
  );
}

interface FilledBody {
  readonly type?: string;
  readonly text: string | null;
}

/** JSON that was written as a text is JSON all the same, so that a quote in the question cannot break it. */
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
    return JSON.parse(body);
  } catch {
    return body; // A text that merely begins like JSON.
  }
}
