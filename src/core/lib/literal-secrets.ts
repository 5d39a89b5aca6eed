import { isContainer } from './json/is-container.ts';
/** Words that mark the name of a secret anywhere in the name. */
const secretWords: ReadonlySet<string> = new Set([
  'apikey',
  'auth',
  'authorization',
  'bearer',
  'cookie',
  'credential',
  'credentials',
  'passphrase',
  'passwd',
  'password',
  'pwd',
  'secret',
]);

/** Words before `key` in names of secrets: a sort key and a primary key are not secret. */
const secretKeys: ReadonlySet<string> = new Set([
  'access',
  'account',
  'api',
  'auth',
  'encryption',
  'function',
  'functions',
  'master',
  'private',
  'secret',
  'service',
  'shared',
  'signing',
  'subscription',
]);

/** Words before `token` in names that are not access tokens. */
const plainTokens: ReadonlySet<string> = new Set(
  'bos cls continuation cursor end eos mask max min new next page pad planted sep special start stop sync unk'.split(
    ' ',
  ),
);

/** Last words of names that describe a secret without containing it. */
const aboutSecrets: ReadonlySet<string> = new Set(
  'count enabled env expiry file header id length limit method mode name path prefix provider realm required scheme ttl type uri url version'.split(
    ' ',
  ),
);

/** Values that name a method of authentication, or the place of the secret. */
const harmless = /^(none|basic|bearer|digest|oauth2?|true|false|yes|no|on|off|null|required|optional)$/i;
const variableName = /^(\$\{?\w+\}?|[A-Z][A-Z0-9]*(_[A-Z0-9]+)+)$/;
const placeholder = /\{\{[^{}]*\}\}/g;

/** The beginnings of keys of well-known providers. */
const knownKeys =
  /(?<![\w-])(sk-[\w-]{20,}|sk_(live|test)_\w{16,}|gh[opsu]_\w{30,}|github_pat_\w{30,}|glpat-[\w-]{20,}|xox[abprs]-[\w-]{20,}|AKIA[0-9A-Z]{16}|AIza[\w-]{35}|hf_\w{30,}|eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,})/;

/**
 * Returns whether a setting, an option or a header of this name contains a secret, with enough certainty to refuse a
 * literal one.
 */
export function isSecretSetting(name: string): boolean {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());
  const [last = '', before = ''] = words.toReversed();
  if (aboutSecrets.has(last)) return false;
  if (last === 'token') return !plainTokens.has(before);
  if (last === 'key' && secretKeys.has(before)) return true;
  return words.some((word) => secretWords.has(word));
}

/** Returns whether a value is literal: not empty, without placeholders and not the name of a variable. */
export function isLiteral(value: string): boolean {
  const rest = value.replaceAll(placeholder, '').trim();
  return rest !== '' && !harmless.test(rest) && !variableName.test(rest);
}

/** Returns whether a text contains a key that is known by its form, such as `sk-…` or `ghp_…`, whatever its name. */
export function containsKnownKey(text: string): boolean {
  return knownKeys.test(text);
}

/** Returns the place of a literal secret in a value, by the names of its members; undefined where there is none. */
export function findLiteralSecret(value: unknown, place: string): string | undefined {
  if (typeof value === 'string') return containsKnownKey(value) ? place : undefined;
  if (!isContainer(value)) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const inner = `${place}.${name}`;
    if (typeof member === 'string' && isSecretSetting(name) && isLiteral(member)) return inner;
    const found = findLiteralSecret(member, inner);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Returns the argument of a program that contains a literal secret, without its value: `--api-key`; undefined where
 * there is none.
 */
export function findSecretArgument(words: readonly string[]): string | undefined {
  for (const [index, argument] of words.entries()) {
    const found = secretIn(argument, words[index + 1]);
    if (found !== undefined) return found;
    if (containsKnownKey(argument) || holdsPassword(argument)) return `argument ${index + 1}`;
  }
  return undefined;
}

/** `--name=value`, `NAME=value`, `Name: value`, or an option with its value after it. */
const namedValue = /^(?<name>-{0,2}[\w.-]+)=(?<value>\S+)$|^(?<header>[\w-]+):\s*(?<content>[^\s/].*)$/;

function secretIn(argument: string, next: string | undefined): string | undefined {
  if (/^--?[\w.-]+$/.test(argument)) {
    const isValue = next !== undefined && !next.startsWith('-');
    return isValue && isSecretSetting(argument) && isLiteral(next) ? argument : undefined;
  }
  const { name, value = '', header = '', content = '' } = namedValue.exec(argument)?.groups ?? {};
  const [given, held] = name === undefined ? [header, content] : [name, value];
  const isSecret = (isSecretSetting(given) && isLiteral(held)) || containsKnownKey(held);
  return isSecret ? given : undefined;
}

/** Returns whether an argument is an address with a user and a password in it. */
function holdsPassword(argument: string): boolean {
  return /^\w[\w+.-]*:\/\/[^/\s:@]*:[^/\s@]+@/.test(argument);
}

/** Pairs of a name and a value in a text that is JSON, YAML, a form or XML. */
const pairs = /["']?([\w.-]+)["']?\s*[:=]\s*["']?([^"'&,;\s{}<>]+|\{\{[^{}]*\}\})|<([\w.:-]+)>([^<]+)</g;

/** Returns the name of a literal secret in a text; undefined where there is none. */
export function findSecretInText(text: string): string | undefined {
  for (const [, name, value, element, content] of text.matchAll(pairs)) {
    const [given, held] = name === undefined ? [element, content] : [name, value];
    if (given !== undefined && held !== undefined && isSecretSetting(given) && isLiteral(held)) return given;
  }
  return containsKnownKey(text) ? 'a key' : undefined;
}
