import { isSecretName } from '../../../lib/redact-secrets.ts';
import { toJson } from '../../../targets/reply/to-json.ts';
import type { JsonObject } from '../../importer.ts';
import type { Ledger } from '../../ledger.ts';
import { asObject, asText, type Fields } from '../../values.ts';
import { type FoundProvider, refuseSecret } from './models.ts';

/**
 * Returns the target of an HTTP provider. Its `{{prompt}}` becomes the prompt in our notation. A secret that is written out
 * is not copied. A text is the reason why there is no equivalent.
 */
export function httpTarget(
  { id, config, transform }: FoundProvider,
  prompt: string,
  ledger: Ledger,
): JsonObject | string {
  const url = asText(config.url) ?? id;
  if (!/^https?:\/\//.test(url)) return 'its address is not written out';
  if (config.request !== undefined) return 'its request is written as raw HTTP';
  const answer = transform === undefined ? undefined : answerPath(transform);
  if (transform !== undefined && answer === undefined) return 'its answer is computed by code';
  const place = url.replace(/[?#].*$/, '').replace(/\/\/[^/@]*@/, '//');
  const body = fillDeep(config.body, prompt);
  return {
    use: 'http',
    url: fill(withoutSecrets(url, { place, ledger }), prompt),
    ...(asText(config.method) !== undefined && { method: String(config.method).toUpperCase() }),
    ...headersOf(asObject(config.headers) ?? {}, { place, ledger }),
    ...(body !== undefined && { body: toJson(body) }),
    ...(answer !== undefined && { answer }),
  };
}

interface Found {
  readonly place: string;
  readonly ledger: Ledger;
}

const isVariable = (value: string) => /\{\{\s*env\./.test(value);

function withoutSecrets(url: string, found: Found): string {
  const plain = url.replace(/\/\/[^/@?#]*@/, () => {
    refuseSecret('user and password of the address', found);
    return '//';
  });
  return plain.replaceAll(/([?&])([^=&#]+)=([^&#]*)/g, (part, mark: string, name: string, value: string) => {
    if (!isSecretName(name) || isVariable(value)) return part;
    refuseSecret(name, found);
    return `${mark}${name}={{env.${variableName(name)}}}`;
  });
}

function headersOf(headers: Fields, found: Found): JsonObject {
  const kept = Object.entries(headers).map(([name, value]): [string, string] => {
    const text = String(value);
    if (!isSecretName(name) || isVariable(text)) return [name, text];
    refuseSecret(name, found);
    return [name, `{{env.${variableName(name)}}}`];
  });
  return kept.length === 0 ? {} : { headers: Object.fromEntries(kept) };
}

function variableName(name: string): string {
  return name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_');
}

function fillDeep(value: unknown, prompt: string): unknown {
  if (typeof value === 'string') return fill(value, prompt);
  if (Array.isArray(value)) return value.map((item: unknown) => fillDeep(item, prompt));
  const object = asObject(value);
  return object === undefined
    ? value
    : Object.fromEntries(Object.entries(object).map(([key, item]) => [key, fillDeep(item, prompt)]));
}

/** Puts the prompt in its place; other variables are metadata of the case. */
function fill(text: string, prompt: string): string {
  return text.replaceAll(/\{\{\s*([\w.]+)\s*\}\}/g, (_, name: string) => {
    if (name === 'prompt') return prompt.replaceAll('{{question}}', '{{input}}');
    return name.startsWith('env.') ? `{{${name}}}` : `{{metadata.${name.replace(/^vars\./, '')}}}`;
  });
}

/** Returns the path in a transformation such as `json.choices[0].text`; undefined for code. */
function answerPath(transform: string): string | undefined {
  return /^json\.([\w$]+(?:\.[\w$]+|\[\d+\])*)$/.exec(transform.trim())?.[1];
}
