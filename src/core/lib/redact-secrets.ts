import { isContainer } from './json/is-container.ts';
/** Removes secrets from what is stored or shown. */
export interface SecretRedactor {
  text(text: string): string;
  /** Returns the JSON value without secrets: a copy where it contains some. */
  json<Value>(value: Value): Value;
}

/** Words in names of secrets. An author is not a secret. */
const secretNames = /key|token|secret|password|passwd|auth(?!ors?(?![a-z]))|credential|cookie/i;

/** The number of nested escapes, such as `%252F`, that are undone. */
const mostLayers = 4;

/**
 * The fewest bytes of a secret that is looked for in base64: other texts may contain the base64 form of a shorter one
 * by chance.
 */
const fewestBase64Bytes = 8;

/** Returns whether a header, a query parameter or a variable of this name contains a secret. */
export function isSecretName(name: string): boolean {
  return secretNames.test(name);
}

/** The secrets that have come while this process runs, by their values: keys that a command printed, tokens of a log-in. */
const arrived = new Map<string, string>();

/** Counts the secrets that have come, so that redactors notice new ones. */
let arrivals = 0;

/** The fewest characters of a secret that came: a shorter one may be an ordinary word. */
const fewestArrived = 8;
/** The most secrets of one name that are looked for: of tokens that live for seconds, the newest. */
const mostArrived = 100;

/**
 * Adds a secret that has just come: a key that a command printed, a token of a log-in. From now on, every redactor of this
 * process replaces it by its name in brackets, those that were created before included.
 */
export function addArrivedSecret(name: string, value: string): void {
  if (value.length < fewestArrived || arrived.has(value)) return;
  arrivals += 1;
  arrived.set(value, name);
  const same = [...arrived].filter(([, each]) => each === name);
  if (same.length > mostArrived) arrived.delete(same[0]?.[0] ?? '');
}

function addForms(names: Map<string, string>, name: string, value: string): void {
  for (const form of writtenForms(value)) if (form !== '' && !names.has(form)) names.set(form, name);
}

/**
 * Creates a redactor that replaces each secret by its name in brackets, in whichever form it appears: plain, in base64,
 * or with any of its characters escaped as in JSON, a URL or HTML. It also replaces the secrets that arrive later.
 * @param write - Returns what stands in the place of a secret; its name in brackets by default.
 */
export function createSecretRedactor(
  secrets: Iterable<readonly [name: string, value: string]>,
  write: (name: string) => string = (name) => `[${name}]`,
): SecretRedactor {
  const own = new Map<string, string>();
  for (const [name, value] of secrets) addForms(own, name, value);
  let [known, replace] = [-1, keep];
  const text = (original: string) => {
    if (known !== arrivals) [known, replace] = [arrivals, replacerOf(withArrived(own), write)];
    return replace(original);
  };
  const json = <Value>(value: Value) => {
    const isNothingSecret = own.size + arrived.size === 0;
    return isNothingSecret ? value : (redactJson(value, text) as Value);
  };
  return { text, json };
}

function withArrived(own: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const names = new Map(own);
  for (const [value, name] of arrived) addForms(names, name, value);
  return names;
}

function keep(text: string): string {
  return text;
}

/** Returns a function that replaces secrets by their names, given by their forms. */
function replacerOf(
  names: ReadonlyMap<string, string>,
  write: (name: string) => string,
): (text: string) => string {
  if (names.size === 0) return keep;
  const forms = [...names.keys()].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(forms.map(escapePattern).join('|'), 'g');
  const probe = new RegExp(pattern.source);
  // Nearly no text contains a secret, and finding all of them takes far longer than finding any.
  const find: Find = (text) =>
    !probe.test(text)
      ? []
      : Array.from(text.matchAll(pattern), ({ 0: form, index }) => ({
          start: index,
          end: index + form.length,
          name: names.get(form) ?? 'secret',
        }));
  return (original) => replaceSecrets(original, findInLayers(original, find, mostLayers), write);
}

/** The place of a secret in a text. */
interface Span {
  readonly start: number;
  readonly end: number;
  readonly name: string;
}

type Find = (text: string) => Span[];

function findInLayers(text: string, find: Find, layers: number): Span[] {
  const found = find(text);
  const plain = layers === 0 ? text : undoEscapes(text);
  if (plain === text) return found;
  const below = findInLayers(plain, find, layers - 1);
  if (below.length === 0) return found;
  const { starts, ends } = findUnitPlaces(text);
  const outer = below.map(({ start, end, name }) => ({
    start: starts[start] ?? 0,
    end: ends[end - 1] ?? text.length,
    name,
  }));
  return joinOverlapping([...found, ...outer]);
}

/** Joins overlapping spans into one, under the name of the longest. */
function joinOverlapping(spans: readonly Span[]): Span[] {
  const joined: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = joined.at(-1);
    if (last === undefined || span.start >= last.end) joined.push(span);
    else if (span.end > last.end) {
      const { name } = span.end - span.start > last.end - last.start ? span : last;
      joined[joined.length - 1] = { start: last.start, end: span.end, name };
    }
  }
  return joined;
}

function replaceSecrets(text: string, spans: readonly Span[], write: (name: string) => string): string {
  if (spans.length === 0) return text;
  const parts: string[] = [];
  let place = 0;
  for (const { start, end, name } of spans) {
    parts.push(text.slice(place, start), write(name));
    place = end;
  }
  parts.push(text.slice(place));
  return parts.join('');
}

/**
 * Returns the forms of a secret to look for. A secret that itself contains something like an escape loses it where the
 * text around it is unescaped.
 */
function writtenForms(value: string): Set<string> {
  const plain = value.toWellFormed();
  const forms = new Set([plain, plain.replaceAll(' ', '+'), ...base64Forms(plain)]);
  for (let layer = 0, form = plain; layer < mostLayers; layer += 1) {
    form = undoEscapes(form);
    forms.add(form);
  }
  return forms;
}

/**
 * Returns the base64 of a secret alone, and the part of it that is the same after any text before it, such as the
 * user's name.
 */
function base64Forms(value: string): string[] {
  const bytes = Buffer.from(value);
  if (bytes.length < fewestBase64Bytes) return [];
  const inside = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  });
  const alone = bytes.toString('base64');
  const standard = [alone, alone.replace(/=+$/, ''), ...inside];
  return [...standard, ...standard.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'))];
}

function redactJson(value: unknown, text: (given: string) => string): unknown {
  if (typeof value === 'string') return text(value);
  if (!isContainer(value)) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => redactJson(item, text));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  let isChanged = false;
  const members = Object.entries(value).map(([key, member]): [string, unknown] => {
    const shown: [string, unknown] = [text(key), redactJson(member, text)];
    isChanged ||= shown[0] !== key || shown[1] !== member;
    return shown;
  });
  return isChanged ? Object.fromEntries(members) : value;
}

function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}

const escapes =
  /\\(?:u[0-9a-f]{4}|x[0-9a-f]{2}|[bfnrt]|[^a-z0-9\s])|%(?:[0-7][0-9a-f]|[c-f][0-9a-f](?:%[89ab][0-9a-f]){1,3})|&(?:#x[0-9a-f]{1,6}|#[0-9]{1,7}|[a-z]{2,6});/gi;

const controls: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  apos: "'",
  colon: ':',
  equals: '=',
  gt: '>',
  lowbar: '_',
  lt: '<',
  num: '#',
  period: '.',
  plus: '+',
  quot: '"',
  sol: '/',
};

/** The places of each UTF-16 unit of an unescaped text in the text with escapes; `ends` are exclusive. */
interface UnitPlaces {
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

/** Undoes one layer of the escapes of JSON, URLs and HTML in a text. */
export function undoEscapes(text: string): string {
  return /[\\%&]/.test(text) ? text.replaceAll(escapes, undo) : text;
}

/** Returns the places of the units of `undoEscapes(text)` in the text. */
export function findUnitPlaces(text: string): UnitPlaces {
  const starts = new Uint32Array(text.length);
  const ends = new Uint32Array(text.length);
  let units = 0;
  const add = (start: number, end: number) => {
    starts[units] = start;
    ends[units] = end;
    units += 1;
  };
  let place = 0;
  const addPlain = (end: number) => {
    for (; place < end; place += 1) add(place, place + 1);
  };
  for (const { 0: escape, index } of text.matchAll(escapes)) {
    addPlain(index);
    place = index + escape.length;
    for (let left = undo(escape).length; left > 0; left -= 1) add(index, place);
  }
  addPlain(text.length);
  return { starts, ends };
}

function undo(escape: string): string {
  const [kind, letter = ''] = escape;
  if (kind === '%') return Buffer.from(escape.replaceAll('%', ''), 'hex').toString('utf8');
  if (kind === '&') return undoEntity(escape.slice(1, -1)) ?? escape;
  if (escape.length > 2) return String.fromCharCode(Number.parseInt(escape.slice(2), 16));
  return controls[letter] ?? escape.slice(1);
}

function undoEntity(name: string): string | undefined {
  if (!name.startsWith('#')) return entities[name.toLowerCase()];
  const isHex = /^#x/i.test(name);
  const point = isHex ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return point <= 0x10ffff ? String.fromCodePoint(point) : undefined;
}
