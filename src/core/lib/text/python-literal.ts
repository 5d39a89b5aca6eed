import { exactNumber } from '../json/exact-number.ts';

/** The deepest nesting of a literal. */
const mostDepth = 100;

const constants: Readonly<Record<string, unknown>> = {
  None: null,
  True: true,
  False: false,
  nan: 'NaN',
  NaN: 'NaN',
  inf: 'Infinity',
};

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', '\n': '' };

/**
 * Parses a literal of Python as `repr` writes it: texts, numbers, `None`, `True`, lists, tuples, dictionaries. It is read, never
 * evaluated: a call such as `array([1])` is no literal. Returns undefined for anything that is not one literal as a whole.
 * @param readsArrays - True to read arrays of numpy as well, whose parts are separated by spaces alone: `['a' 'b']`.
 */
export function parsePythonLiteral(
  text: string,
  readsArrays: boolean = false,
): { readonly value: unknown } | undefined {
  const parser = new LiteralParser(text, readsArrays);
  try {
    return { value: parser.readAll() };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

class LiteralParser {
  readonly #text: string;
  readonly #readsArrays: boolean;
  #at = 0;

  constructor(text: string, readsArrays: boolean) {
    this.#text = text;
    this.#readsArrays = readsArrays;
  }

  readAll(): unknown {
    const value = this.#readValue(0);
    this.#skipSpace();
    if (this.#at < this.#text.length) throw new SyntaxError('text after the literal');
    return value;
  }

  #readValue(depth: number): unknown {
    if (depth > mostDepth) throw new SyntaxError('nested too deeply');
    this.#skipSpace();
    const next = this.#text[this.#at] ?? '';
    if (next === '[') return this.#readList(']', depth);
    if (next === '(') return this.#readList(')', depth);
    if (next === '{') return this.#readDictionary(depth);
    if (next === "'" || next === '"') return this.#readText();
    return this.#readWord();
  }

  #readList(end: string, depth: number): unknown[] {
    this.#at += 1;
    const items: unknown[] = [];
    while (!this.#take(end)) {
      items.push(this.#readValue(depth + 1));
      const isSeparated = this.#readsArrays && /\s/.test(this.#text[this.#at] ?? '');
      if (!this.#take(',') && !this.#isNext(end) && !isSeparated) {
        throw new SyntaxError('a list that is not closed');
      }
    }
    return items;
  }

  #readDictionary(depth: number): unknown {
    this.#at += 1;
    const entries: [string, unknown][] = [];
    while (!this.#take('}')) {
      const key = this.#readValue(depth + 1);
      if (!this.#take(':')) throw new SyntaxError('a key without a value');
      entries.push([String(key), this.#readValue(depth + 1)]);
      if (!this.#take(',') && !this.#isNext('}')) throw new SyntaxError('a dictionary that is not closed');
    }
    return Object.fromEntries(entries);
  }

  #readText(): string {
    const quote = this.#text[this.#at] ?? '';
    this.#at += 1;
    let read = '';
    for (;;) {
      const character = this.#text[this.#at];
      if (character === undefined || character === '\n') throw new SyntaxError('a text that is not closed');
      this.#at += 1;
      if (character === quote) return read;
      read += character === '\\' ? this.#readEscape() : character;
    }
  }

  #readEscape(): string {
    const code = /^(?:x([\da-f]{2})|u([\da-f]{4})|U([\da-f]{8}))/i.exec(
      this.#text.slice(this.#at, this.#at + 9),
    );
    if (code !== null) {
      this.#at += code[0].length;
      const point = Number.parseInt(code[1] ?? code[2] ?? code[3] ?? '', 16);
      if (point > 0x10_ff_ff) throw new SyntaxError('no character');
      return String.fromCodePoint(point);
    }
    const character = this.#text[this.#at] ?? '';
    this.#at += 1;
    if ('\\\'"'.includes(character)) return character;
    return Object.hasOwn(escapes, character) ? (escapes[character] ?? '') : `\\${character}`;
  }

  #readWord(): unknown {
    const word = /^[-+\w.]+/.exec(this.#text.slice(this.#at, this.#at + 400))?.[0] ?? '';
    this.#at += word.length;
    if (Object.hasOwn(constants, word)) return constants[word];
    const digits = word.replaceAll('_', '');
    const number = word === '' ? Number.NaN : Number(digits);
    if (!Number.isFinite(number)) throw new SyntaxError('no literal');
    return exactNumber(digits) ?? number;
  }

  #isNext(expected: string): boolean {
    this.#skipSpace();
    return this.#text[this.#at] === expected;
  }

  #take(expected: string): boolean {
    const isThere = this.#isNext(expected);
    if (isThere) this.#at += 1;
    return isThere;
  }

  #skipSpace(): void {
    while (/\s/.test(this.#text[this.#at] ?? '')) this.#at += 1;
  }
}
