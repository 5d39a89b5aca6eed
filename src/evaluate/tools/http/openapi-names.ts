import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { messageOf, TouchstoneError } from '../../../core/errors.ts';
import { setMember } from '../../../core/lib/objects.ts';
import { anyAliases, boundedYaml } from '../../../core/lib/yaml/bounded-yaml.ts';
import type { Json } from '../../../core/schema/json.ts';

/** The settings that name the requests to a server. */
export interface NameSettings {
  /** A file of OpenAPI 3.0 or 3.1. */
  readonly openapi?: string;
  /** Patterns of paths, such as `/orders/{id}/items`. */
  readonly paths: readonly string[];
  /** Names by method and pattern, such as `GET /orders/{id}`. */
  readonly names: Readonly<Record<string, string>>;
  /** Methods and patterns of requests that are not recorded. */
  readonly ignore: readonly string[];
}

/** A request as a use of a tool. */
export interface NamedRequest {
  readonly name: string;
  /** The values in the path and the query, by name. */
  readonly parameters: Record<string, Json>;
}

/** The names of the requests to a server. */
export interface RequestNames {
  /** Returns the name of a request; undefined for one that is not recorded. */
  find(method: string, url: string): NamedRequest | undefined;
  /** The operations of the OpenAPI file; undefined without one. */
  readonly operations: readonly { readonly name: string; readonly isReadOnly: boolean }[] | undefined;
}

/** A pattern of a path, for one method or for all. */
interface Pattern {
  readonly method: string | undefined;
  readonly template: string;
  /** The name of the request; its method and pattern by default. */
  readonly name: string | undefined;
  readonly expression: RegExp;
  readonly parameters: readonly string[];
  /** A digit for each segment: smaller ones are more exact. */
  readonly rank: string;
}

/** Reads the names of the requests to a server. Throws `config-invalid` for a file that is not OpenAPI. */
export async function readRequestNames(settings: NameSettings, folder: string): Promise<RequestNames> {
  const { openapi, paths, names, ignore } = settings;
  const operations = openapi === undefined ? undefined : await readOperations(openapi, folder);
  const patterns = [
    ...Object.entries(names).map(([key, name]) => toPattern(key, name)),
    ...(operations ?? []).map(({ key, name }) => toPattern(key, names[key] ?? name)),
    ...paths.map((each) => toPattern(each)),
  ].sort((one, other) => (one.rank < other.rank ? -1 : Number(one.rank > other.rank)));
  const ignored = ignore.map((each) => toPattern(each));
  return {
    find: (method, url) => {
      const [pathname, query] = splitOnce(url, '?');
      const plain = pathname.length > 1 ? pathname.replace(/\/$/, '') : '/';
      if (ignored.some((pattern) => match(pattern, method, plain) !== undefined)) return undefined;
      for (const pattern of patterns) {
        const values = match(pattern, method, plain);
        if (values === undefined) continue;
        const key = `${method} ${pattern.template}`;
        return { name: pattern.name ?? names[key] ?? key, parameters: toParameters(values, query) };
      }
      const { template, values } = generalize(plain);
      return { name: `${method} ${template}`, parameters: toParameters(values, query) };
    },
    operations: operations?.map(({ key, name }) => ({
      name: names[key] ?? name,
      isReadOnly: /^(GET|HEAD) /.test(key),
    })),
  };
}

type Value = readonly [name: string, value: string];

function splitOnce(text: string, mark: string): readonly [before: string, after: string] {
  const at = text.indexOf(mark);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

/** Returns the pattern of `GET /orders/{id}`, or of a path alone. */
function toPattern(key: string, name?: string): Pattern {
  const [, method, template = '/'] = /^(?:([A-Za-z]+)\s+)?(.*)$/.exec(key.trim()) ?? [];
  const parameters: string[] = [];
  const source = template
    .split(/(\{[^{}/]+\})/)
    .map((part, index) => {
      if (index % 2 === 0) return part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
      parameters.push(part.slice(1, -1));
      return '([^/]+?)';
    })
    .join('');
  const rank = template
    .split('/')
    .map((segment) => (/^\{[^{}]*\}$/.test(segment) ? '2' : Number(segment.includes('{'))))
    .join('');
  const expression = new RegExp(`^${source}$`);
  return { method: method?.toUpperCase(), template, name, expression, parameters, rank };
}

function match(
  { method, expression, parameters }: Pattern,
  asked: string,
  plain: string,
): Value[] | undefined {
  if (method !== undefined && method !== asked) return undefined;
  const found = expression.exec(plain);
  return found === null ? undefined : parameters.map((name, index) => [name, found[index + 1] ?? '']);
}

/** Segments that name one thing: digits, a UUID, a ULID, or 8 or more hexadecimal digits. */
const identifier =
  /^(?:\d+|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-7][0-9a-hjkmnp-tv-z]{25}|[0-9a-f]{8,})$/i;

/** Returns the pattern of a path that no pattern fits, with its values. */
function generalize(plain: string): { readonly template: string; readonly values: Value[] } {
  const segments = plain.split('/');
  const values = segments
    .filter((segment) => identifier.test(segment))
    .map((segment): Value => ['id', segment]);
  return { template: segments.map((each) => (identifier.test(each) ? '{id}' : each)).join('/'), values };
}

/** Returns the values of a path and a query by name. Several values of one name in a query are a list. */
function toParameters(values: readonly Value[], query: string): Record<string, Json> {
  const parameters: Record<string, Json> = {};
  for (const [name, value] of values) setMember(parameters, freeName(parameters, name), decode(value));
  for (const [name, value] of fieldsOf(query)) setMember(parameters, freeName(parameters, name), value);
  return parameters;
}

/** Returns the fields of a query or a form; several values of one name are a list. */
export function fieldsOf(text: string): (readonly [name: string, value: Json])[] {
  const fields = new URLSearchParams(text);
  return [...new Set(fields.keys())].map((name) => {
    const all = fields.getAll(name);
    return [name, all.length === 1 ? (all[0] ?? '') : all] as const;
  });
}

/** Returns a name that a record does not have yet, with a number where it does. */
export function freeName(record: object, name: string): string {
  for (let count = 1; ; count += 1) {
    const free = count === 1 ? name : `${name}${count}`;
    if (!Object.hasOwn(record, free)) return free;
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const methods: ReadonlySet<string> = new Set('get put post delete options head patch trace'.split(' '));

/** Reads the operations of a file: each with its method and path, and its name. */
async function readOperations(
  file: string,
  folder: string,
): Promise<{ readonly key: string; readonly name: string }[]> {
  const document = await readDocument(file, folder);
  const version = String(document['openapi'] ?? '');
  if (!version.startsWith('3.')) {
    const found = version === '' ? 'no member `openapi`' : `the version ${version}`;
    throw new TouchstoneError('config-invalid', `${file} has ${found}; it must be OpenAPI 3.0 or 3.1.`);
  }
  return Object.entries(recordOf(document['paths'])).flatMap(([template, item]) =>
    Object.entries(recordOf(item))
      .filter(([method]) => methods.has(method))
      .map(([method, operation]) => {
        const key = `${method.toUpperCase()} ${template}`;
        const { operationId } = recordOf(operation);
        return { key, name: typeof operationId === 'string' ? operationId : key };
      }),
  );
}

async function readDocument(file: string, folder: string): Promise<Record<string, unknown>> {
  const { parse } = await import('yaml');
  try {
    // JSON is YAML too.
    const text = await readFile(path.resolve(folder, file), 'utf8');
    return recordOf(boundedYaml(parse(text, anyAliases) as unknown));
  } catch (error) {
    const message = `The OpenAPI file ${file} cannot be read: ${messageOf(error)}`;
    throw new TouchstoneError('config-invalid', message, { cause: error });
  }
}

function recordOf(value: unknown): Record<string, unknown> {
  return Object(value) as Record<string, unknown>;
}
