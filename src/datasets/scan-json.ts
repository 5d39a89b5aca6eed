/** Where a text stops being JSON, and what would have had to stand there. */
export interface JsonFault {
  readonly offset: number;
  readonly expected: string;
}

type State = 'value' | 'first-item' | 'first-key' | 'key' | 'after';
type Visit = (path: readonly (string | number)[], offset: number) => void;

/**
 * Walks JSON text value by value, telling `visit` the path and the offset of each, and returns the first fault.
 * Far slower than `JSON.parse` and without its result: only for finding places.
 */
export function scanJson(text: string, visit: Visit = () => {}): JsonFault | undefined {
  const scanner = new Scanner(text, visit);
  let fault: JsonFault | undefined;
  while (fault === undefined && !scanner.isOver) fault = scanner.step();
  return fault;
}

/** Keeps its own stack, so that no depth of nesting overflows the program's. */
class Scanner {
  readonly #text: string;
  readonly #visit: Visit;
  readonly #path: (string | number)[] = [];
  readonly #closers: string[] = [];
  #state: State = 'value';
  #at = 0;
  isOver = false;

  constructor(text: string, visit: Visit) {
    this.#text = text;
    this.#visit = visit;
  }

  /** Goes beyond the next value, name or separator. */
  step(): JsonFault | undefined {
    this.#at = skipBlanks(this.#text, this.#at);
    const character = this.#text[this.#at];
    if (this.#state === 'after') return this.#afterValue(character);
    if (this.#state === 'key') return this.#key(character, `'"'`);
    if (this.#state === 'first-key') {
      return character === '}' ? this.#close() : this.#key(character, `'"' or '}'`);
    }
    if (this.#state === 'first-item' && character === ']') {
      this.#path.pop();
      return this.#close();
    }
    return this.#value(character);
  }

  #afterValue(character: string | undefined): JsonFault | undefined {
    const closer = this.#closers.at(-1);
    if (closer === undefined) {
      this.isOver = this.#at === this.#text.length;
      return this.isOver ? undefined : { offset: this.#at, expected: 'the end' };
    }
    if (character !== ',' && character !== closer) {
      return { offset: this.#at, expected: `',' or '${closer}'` };
    }
    const key = this.#path.pop();
    if (character === closer) return this.#close();
    if (closer === ']') this.#path.push((key as number) + 1);
    return this.#enter(closer === ']' ? 'value' : 'key', this.#at + 1);
  }

  #key(character: string | undefined, expected: string): JsonFault | undefined {
    if (character !== '"') return { offset: this.#at, expected };
    const end = scanString(this.#text, this.#at);
    if (typeof end !== 'number') return end;
    const colon = skipBlanks(this.#text, end);
    if (this.#text[colon] !== ':') return { offset: colon, expected: "':'" };
    this.#path.push(JSON.parse(this.#text.slice(this.#at, end)));
    return this.#enter('value', colon + 1);
  }

  #value(character: string | undefined): JsonFault | undefined {
    this.#visit(this.#path, this.#at);
    if (character === '{') {
      this.#closers.push('}');
      return this.#enter('first-key', this.#at + 1);
    }
    if (character === '[') {
      this.#closers.push(']');
      this.#path.push(0);
      return this.#enter('first-item', this.#at + 1);
    }
    const end = scanScalar(this.#text, this.#at);
    return typeof end === 'number' ? this.#enter('after', end) : end;
  }

  #close(): undefined {
    this.#closers.pop();
    return this.#enter('after', this.#at + 1);
  }

  #enter(state: State, at: number): undefined {
    this.#state = state;
    this.#at = at;
    return undefined;
  }
}

/** The offset of the value at a path of a valid JSON text, or of the innermost value around it that exists. */
export function findInJson(text: string, path: readonly PropertyKey[]): number {
  let found = 0;
  let depth = 0;
  scanJson(text, (here, offset) => {
    if (here.length < depth || here.length > path.length) return;
    if (here.some((key, index) => key !== path[index])) return;
    found = offset;
    depth = here.length;
  });
  return found;
}

const blanks = /[ \t\n\r]*/y;
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

function skipBlanks(text: string, at: number): number {
  blanks.lastIndex = at;
  blanks.test(text);
  return blanks.lastIndex;
}

function scanScalar(text: string, at: number): number | JsonFault {
  if (text[at] === '"') return scanString(text, at);
  scalar.lastIndex = at;
  return scalar.test(text) ? scalar.lastIndex : { offset: at, expected: 'a value' };
}

/** The offset after a string's closing quotation mark. */
function scanString(text: string, start: number): number | JsonFault {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at + 1;
    if (code < 0x20) return { offset: at, expected: `'"' at the end of the text` };
    if (code !== 0x5c) continue;
    at += 1;
    if (text[at] === 'u' && /^[0-9a-fA-F]{4}$/.test(text.slice(at + 1, at + 5))) at += 4;
    else if (!/^["\\/bfnrt]$/.test(text[at] ?? '')) {
      return {
        offset: at,
        expected: `one of " \\ / b f n r t, or u and four hexadecimal digits, after '\\'`,
      };
    }
  }
  return { offset: text.length, expected: `'"' at the end of the text` };
}
