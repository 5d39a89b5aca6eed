/** The kinds of JSON values that can be found inside a text; a bare text or number would be found in any prose. */
type FoundKind = 'object' | 'array';

/**
 * Returns the texts of the JSON objects and lists that stand anywhere in a text, outermost ones only, in their order.
 * Each is valid by RFC 8259: nothing is repaired. Where a bracket does not begin valid JSON, the values inside it are
 * found.
 */
export function findJson(text: string, kinds: readonly FoundKind[]): string[] {
  const found: string[] = [];
  const opening = /[[{]/g;
  for (let match = opening.exec(text); match !== null; match = opening.exec(text)) {
    const { values, resume } = scanValue(text, match.index);
    for (const { start, end } of values) {
      if (kinds.includes(text.charAt(start) === '[' ? 'array' : 'object')) found.push(text.slice(start, end));
    }
    opening.lastIndex = resume;
  }
  return found;
}

interface Place {
  readonly start: number;
  readonly end: number;
}

/** The reading of a text from an opening bracket on. */
interface Scanned {
  /** The value, or, where it is not valid, the outermost values that were complete before the fault. */
  readonly values: readonly Place[];
  /** The place after the value, or of the fault, at which another value may begin. */
  readonly resume: number;
}

/** The state of reading a list or an object: the tokens that may come next; `first-` also allows its end. */
type State = 'value' | 'first-value' | 'key' | 'first-key' | 'colon' | 'after-value' | 'after-member';

const allowed: Readonly<Record<State, string>> = {
  value: '{["l',
  'first-value': '{["l]',
  key: '"',
  'first-key': '"}',
  colon: ':',
  'after-value': ',]',
  'after-member': ',}',
};

interface Container {
  readonly start: number;
  readonly isObject: boolean;
  /** The values inside that are complete. */
  readonly inside: Place[];
}

/** Reads JSON token by token from an opening bracket to the bracket that closes it, or to the first fault. */
function scanValue(text: string, from: number): Scanned {
  const open: Container[] = [];
  let state: State = 'value';
  let at = from;
  for (;;) {
    const token = readToken(text, at);
    if (token === undefined || !allowed[state].includes(token.type)) break;
    const { type, start, end } = token;
    at = end;
    if (type === '{' || type === '[') {
      open.push({ start, isObject: type === '{', inside: [] });
      state = type === '{' ? 'first-key' : 'first-value';
      continue;
    }
    if (type === '}' || type === ']') {
      const closed = { start: open.pop()?.start ?? start, end };
      if (open.length === 0) return { values: [closed], resume: end };
      open.at(-1)?.inside.push(closed);
    }
    state = stateAfter(type, state, open.at(-1)?.isObject === true);
  }
  return { values: open.flatMap(({ inside }) => inside), resume: Math.max(at, from + 1) };
}

function stateAfter(type: string, before: State, isInObject: boolean): State {
  if (type === ':') return 'value';
  if (type === ',') return isInObject ? 'key' : 'value';
  if (type === '"' && (before === 'key' || before === 'first-key')) return 'colon';
  return isInObject ? 'after-member' : 'after-value';
}

/** A token: a mark, `"` for a text, or `l` for a literal. */
interface Token extends Place {
  readonly type: string;
}

const space = /[ \t\n\r]*/y;
const literal = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/y;

function readToken(text: string, from: number): Token | undefined {
  space.lastIndex = from;
  const start = from + (space.exec(text)?.[0].length ?? 0);
  const first = text.charAt(start);
  if (first === '"') {
    const end = endOfText(text, start + 1);
    return end === undefined ? undefined : { type: first, start, end };
  }
  if (first !== '' && '{}[]:,'.includes(first)) return { type: first, start, end: start + 1 };
  literal.lastIndex = start;
  const found = literal.exec(text);
  return found === null ? undefined : { type: 'l', start, end: start + found[0].length };
}

const escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** Returns the place after the quote that ends a text; undefined when nothing ends it, or it is not valid before. */
function endOfText(text: string, from: number): number | undefined {
  for (let at = from; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"') return at + 1;
    if (character < ' ') return undefined;
    if (character !== '\\') continue;
    escape.lastIndex = at;
    const found = escape.exec(text);
    if (found === null) return undefined;
    at += found[0].length - 1;
  }
  return undefined;
}
