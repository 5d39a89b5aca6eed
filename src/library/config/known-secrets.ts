import { lazily } from '../../core/lib/lazily.ts';
import { secretsInUrl } from '../../stores/postgres/url.ts';
import { proxySecrets } from '../../core/lib/network/proxy.ts';
import { createSecretRedactor, isSecretName, type SecretRedactor } from '../../core/lib/redact-secrets.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The least length of a redacted value. A shorter value may be an ordinary word, or part of one. */
const fewestCharacters = 8;
/** The least length for a variable that a setting names as a secret, or passes to a program. */
const fewestNamedCharacters = 4;

/** The names of variables about where and how a program runs. Their values are ordinary words that answers contain. */
const plainVariables =
  /^(path|home|lang|lc_\w+|tz|user|logname|shell|term|te?mp(dir)?|pwd|debug|no_proxy|(\w+_)?(env|host|level|mode|port|region))$/i;
/** The names of variables that describe a secret without being one. */
const aboutSecrets = /_(dir|enabled|env|file|method|mode|name|path|provider|required|scheme|type)$/i;

/**
 * Creates a redactor for the secrets of a config and of the environment: the values of variables that settings name
 * (`envFrom`, `headersFromEnv`, `apiKeyEnv`, `{{env.NAME}}`), the values of variables that are named like secrets, and
 * user names with passwords in addresses, and the password in the address of the store. Everything that is stored passes
 * through it.
 */
export function createKnownSecrets(config: unknown, environment: Environment): SecretRedactor {
  const redactor = lazily(() => createSecretRedactor(listSecrets(config, environment)));
  return { text: (text) => redactor().text(text), json: (value) => redactor().json(value) };
}

/** Returns a redactor that removes the secrets of both. */
export function joinSecrets(one: SecretRedactor, other: SecretRedactor): SecretRedactor {
  return {
    text: (text) => other.text(one.text(text)),
    json: (value) => other.json(one.json(value)),
  };
}

/** Yields the secrets of a config and of the environment, each with its name. */
export function* listSecrets(
  config: unknown,
  environment: Environment,
): Generator<[name: string, value: string]> {
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
  yield* proxySecrets(environment);
  yield* storeSecrets(config, environment);
}

/** Yields the secrets in the address of a store, be it written in the config or in a variable that `urlEnv` names. */
function* storeSecrets(config: unknown, environment: Environment): Generator<[name: string, value: string]> {
  const store = (config as { readonly store?: unknown } | null | undefined)?.store;
  const { url, urlEnv } = Object(store) as { readonly url?: unknown; readonly urlEnv?: unknown };
  const urls = [store, url, typeof urlEnv === 'string' ? environment[urlEnv] : undefined];
  for (const secret of urls.flatMap((each) => (typeof each === 'string' ? secretsInUrl(each) : [])))
    if (secret.length >= fewestNamedCharacters) yield ['store', secret];
}

/**
 * Returns the variables that settings name, each with the least length of a value that is redacted. Settings name them
 * under names that end in `Env`, in `envFrom`, and in placeholders. A placeholder whose variable is not named like a secret
 * counts only in a request: in a prompt its value may be meant to be seen, such as the name of a company.
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
      : namedVariables(member, isRequest || /^(basic|body|form|headers|url)$/.test(name)),
  );
}

const placeholders = /\{\{\s*env\.([^{}\s]+)\s*\}\}/g;

function textsIn(value: unknown): string[] {
  return typeof value === 'string' ? [value] : membersOf(value).flatMap(([, member]) => textsIn(member));
}

function membersOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}
