import { TouchstoneError } from '../../errors.ts';
import { findSecretInText, holdsKnownKey, isWrittenOut, namesSecret } from '../../lib/written-secrets.ts';
import type { Json } from '../../schema/json.ts';
import { environmentName } from './placeholder-values.ts';
import { fillText, placeholdersIn } from './template.ts';

/** Of a request, where a bare `key` is one of access. */
const secretNames =
  /authorization|api[-_]?key|subscription-key|secret|password|^cookie$|(^|[-_.])(token|key)$/i;

/** Settings of a request in which a secret may have been written down. */
export interface WrittenRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Json | undefined;
}

/** Throws `target-invalid` where a secret is written out: a config is shared, and stored with every run. */
export function refuseLiteralSecrets({ url, headers, body }: WrittenRequest): void {
  for (const [name, value] of Object.entries(headers)) refuse(name, value, `headers.${name}`);
  const { userinfo, query } =
    /^[a-z]+:\/\/((?<userinfo>[^/?#]*)@)?[^?#]*(\?(?<query>[^#]*))?/i.exec(url)?.groups ?? {};
  if (userinfo !== undefined) throw literalSecret('url');
  for (const [name, value] of new URLSearchParams(query ?? '')) {
    refuse(name, value, `url (${name})`);
    if (isSignature(name, value)) throw literalSecret(`url (${name})`);
  }
  refuseInBody(body, 'body');
}

/** `?code=` and `?sig=` are how clouds hand out access. What is shorter is a language or a country. */
function isSignature(name: string, value: string): boolean {
  return /^(code|sig|signature)$/i.test(name) && isWrittenOut(value) && value.length >= 6;
}

function refuseInBody(value: Json | undefined, setting: string): void {
  if (typeof value === 'string') {
    const found = findSecretInText(value);
    if (found !== undefined) throw literalSecret(`${setting} (${found})`);
  }
  if (value === null || typeof value !== 'object') return;
  for (const [key, member] of Object.entries(value)) {
    if (typeof member === 'string') refuse(key, member, `${setting}.${key}`);
    else refuseInBody(member, `${setting}.${key}`);
  }
}

/** A secret holds an environment variable, or is made of placeholders alone. */
function refuse(name: string, value: string, setting: string): void {
  if (placeholdersIn(value).some((placeholder) => environmentName(placeholder))) return;
  if (holdsKnownKey(value) || (namesSecret(name) && isWrittenOut(value))) throw literalSecret(setting);
  if (!secretNames.test(name)) return;
  if (fillText(value, () => '').trim() !== '') throw literalSecret(setting);
}

function literalSecret(setting: string): TouchstoneError {
  return new TouchstoneError('target-invalid', `\`${setting}\` looks like a secret that is written out.`, {
    remedy: 'Keep it in an environment variable and write `{{env.NAME}}`, as in `Bearer {{env.BOT_TOKEN}}`.',
  });
}
