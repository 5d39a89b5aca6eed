/** Words that make a name one of a secret wherever they stand in it. */
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

/** What keys are secret, by the word before `key`: a sort key and a primary key are not. */
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

/** What tokens are none of access, by the word before `token`. */
const plainTokens: ReadonlySet<string> = new Set(
  'bos cls continuation cursor end eos mask max min new next page pad planted sep special start stop sync unk'.split(
    ' ',
  ),
);

/** Last words of names that say something about a secret without holding it. */
const aboutSecrets: ReadonlySet<string> = new Set(
  'count enabled env expiry file header id length limit method mode name path prefix provider realm required scheme ttl type uri url version'.split(
    ' ',
  ),
);

/** Values that name a way of proving who one is, or a place where the secret is. */
const harmless = /^(none|basic|bearer|digest|oauth2?|true|false|yes|no|on|off|null|required|optional)$/i;
const variableName = /^(\$\{?\w+\}?|[A-Z][A-Z0-9]*(_[A-Z0-9]+)+)$/;
const placeholder = /\{\{[^{}]*\}\}/g;

/** How the keys of well-known providers begin. */
const knownKeys =
  /(?<![\w-])(sk-[\w-]{20,}|sk_(live|test)_\w{16,}|gh[opsu]_\w{30,}|github_pat_\w{30,}|glpat-[\w-]{20,}|xox[abprs]-[\w-]{20,}|AKIA[0-9A-Z]{16}|AIza[\w-]{35}|hf_\w{30,}|eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,})/;

/** Whether a setting, an option or a header of this name holds a secret: sure enough to refuse one that is written out. */
export function namesSecret(name: string): boolean {
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

/** Whether a value is written out: neither empty, nor made of placeholders, nor the name of a variable. */
export function isWrittenOut(value: string): boolean {
  const rest = value.replaceAll(placeholder, '').trim();
  return rest !== '' && !harmless.test(rest) && !variableName.test(rest);
}

/** Whether a text holds a key by its look, such as `sk-…` or `ghp_…`, whatever it is called. */
export function holdsKnownKey(text: string): boolean {
  return knownKeys.test(text);
}

/** Where a secret is written out in a value, by the names of its members; undefined where none is. */
export function findWrittenSecret(value: unknown, place: string): string | undefined {
  if (typeof value === 'string') return holdsKnownKey(value) ? place : undefined;
  if (value === null || typeof value !== 'object') return undefined;
  for (const [name, member] of Object.entries(value)) {
    const inner = `${place}.${name}`;
    if (typeof member === 'string' && namesSecret(name) && isWrittenOut(member)) return inner;
    const found = findWrittenSecret(member, inner);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The argument of a program that holds a secret written out, without its value: `--api-key`; undefined where none does. */
export function findSecretArgument(given: readonly string[]): string | undefined {
  for (const [index, argument] of given.entries()) {
    const found = secretIn(argument, given[index + 1]);
    if (found !== undefined) return found;
    if (holdsKnownKey(argument) || holdsPassword(argument)) return `argument ${index + 1}`;
  }
  return undefined;
}

/** `--name=value`, `NAME=value`, `Name: value`, or an option with its value after it. */
const namedValue = /^(?<name>-{0,2}[\w.-]+)=(?<value>\S+)$|^(?<header>[\w-]+):\s*(?<content>[^\s/].*)$/;

function secretIn(argument: string, next: string | undefined): string | undefined {
  if (/^--?[\w.-]+$/.test(argument)) {
    const isValue = next !== undefined && !next.startsWith('-');
    return isValue && namesSecret(argument) && isWrittenOut(next) ? argument : undefined;
  }
  const { name, value = '', header = '', content = '' } = namedValue.exec(argument)?.groups ?? {};
  const [given, held] = name === undefined ? [header, content] : [name, value];
  const isSecret = (namesSecret(given) && isWrittenOut(held)) || holdsKnownKey(held);
  return isSecret ? given : undefined;
}

/** An address with a user and a password in it. */
function holdsPassword(argument: string): boolean {
  return /^\w[\w+.-]*:\/\/[^/\s:@]*:[^/\s@]+@/.test(argument);
}

/** Pairs of a name and a value in a text that is JSON, YAML, a form or XML. */
const pairs = /["']?([\w.-]+)["']?\s*[:=]\s*["']?([^"'&,;\s{}<>]+|\{\{[^{}]*\}\})|<([\w.:-]+)>([^<]+)</g;

/** The name of a secret that is written out in a text; undefined where none is. */
export function findSecretInText(text: string): string | undefined {
  for (const [, name, value, element, content] of text.matchAll(pairs)) {
    const [given, held] = name === undefined ? [element, content] : [name, value];
    if (given !== undefined && held !== undefined && namesSecret(given) && isWrittenOut(held)) return given;
  }
  return holdsKnownKey(text) ? 'a key' : undefined;
}
