import { lazily } from '../lib/lazily.ts';
import { createSecretRedactor, isSecretName, type SecretRedactor } from '../lib/redact-secrets.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** A shorter value may be an ordinary word, or part of one. */
const fewestCharacters = 8;
/** Of a variable that a setting names as a secret, or hands on to a program. */
const fewestNamedCharacters = 4;

/** Variables that say where and how a program runs: their values are words that answers hold. */
const plainVariables =
  /^(path|home|lang|lc_\w+|tz|user|logname|shell|term|te?mp(dir)?|pwd|debug|no_proxy|(\w+_)?(env|host|level|mode|port|region))$/i;
/** Variables that say something about a secret. */
const aboutSecrets = /_(dir|enabled|env|file|method|mode|name|path|provider|required|scheme|type)$/i;

/**
 * Takes the secrets that a config hands on or that the environment holds out of what is kept: the values of variables that
 * settings name (`envFrom`, `headersFromEnv`, `apiKeyEnv`, `{{env.NAME}}`), of those that are named like secrets, and users
 * with passwords in addresses.
 */
export function createKnownSecrets(config: unknown, environment: Environment): SecretRedactor {
  const redactor = lazily(() => createSecretRedactor(listSecrets(config, environment)));
  return { text: (text) => redactor().text(text), json: (value) => redactor().json(value) };
}

/** Takes out what either knows. */
export function joinSecrets(one: SecretRedactor, other: SecretRedactor): SecretRedactor {
  return {
    text: (text) => other.text(one.text(text)),
    json: (value) => other.json(one.json(value)),
  };
}

function* listSecrets(config: unknown, environment: Environment): Generator<[name: string, value: string]> {
  const named = new Map(namedVariables(config, false));
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined) continue;
    const isNamed = named.has(name) && !plainVariables.test(name);
    const isLike = isSecretName(name) && !aboutSecrets.test(name);
    const fewest = isNamed ? (named.get(name) ?? fewestCharacters) : fewestCharacters;
    if ((isNamed || isLike) && value.length >= fewest) yield [name, value];
    const [, pair] = /^[a-z][\w+.-]*:\/\/([^/\s:@]*:[^/\s@]+)@/i.exec(value) ?? [];
    if (pair !== undefined && pair.length >= fewestCharacters) yield [name, pair];
  }
}

/**
 * Variables that settings name, each with the fewest characters of a value that is taken out: those whose own names end in
 * `Env`, `envFrom`, and placeholders. One that is not named like a secret is taken for one in a request alone: in a prompt it
 * may be meant to be said, such as the name of a company.
 */
function namedVariables(value: unknown, isRequest: boolean): [name: string, fewest: number][] {
  if (typeof value === 'string') {
    return Array.from(value.matchAll(placeholders), ([, name = '']): [string, number] =>
      isSecretName(name) ? [name, fewestNamedCharacters] : [name, fewestCharacters],
    ).filter(([name]) => isRequest || isSecretName(name));
  }
  return membersOf(value).flatMap(([name, member]) =>
    /Env$|^envFrom$/.test(name)
      ? textsIn(member).map((text): [string, number] => [text, fewestNamedCharacters])
      : namedVariables(member, isRequest || /^(body|headers|url)$/.test(name)),
  );
}

const placeholders = /\{\{\s*env\.([^{}\s]+)\s*\}\}/g;

function textsIn(value: unknown): string[] {
  return typeof value === 'string' ? [value] : membersOf(value).flatMap(([, member]) => textsIn(member));
}

function membersOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}
