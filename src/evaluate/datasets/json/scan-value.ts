const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const firstPrintable = 0x20;

/** The longest part of a string without quotation marks, backslashes and control characters. */
const plainText = /[^"\\\x00-\x1f]*/y;
const afterScalar = /[,\]}\s]/g;

/** Options of {@link ValueScanner.begin}. */
interface ValueOptions {
  /** True when the value extends to the comma or `]` after it, with whatever is in between. */
  readonly isElement: boolean;
  /** True when the value ends at the first wrong bracket or control character. */
  readonly isStrict: boolean;
}

/** A scanner that finds the end of a value by its brackets and quotation marks, in a text that arrives in pieces. */
export class ValueScanner {
  #isElement = false;
  #isStrict = false;
  #isScalar = false;
  readonly #closers: number[] = [];
  #isInString = false;
  #isEscaped = false;
  /** True when the end of the value was found, or the value is broken. */
  isOver = false;
  /** True when a bracket closes one of another kind, or a string does not end on its line. */
  isBroken = false;

  /** Starts a value at its first character. The scanner can be used again after each value. */
  begin(first: string, { isElement, isStrict }: ValueOptions): void {
    this.#isElement = isElement;
    this.#isStrict = isStrict;
    this.#isScalar = !isElement && !/["[{]/.test(first);
    this.#closers.length = 0;
    this.#isInString = false;
    this.#isEscaped = false;
    this.isOver = false;
    this.isBroken = false;
  }

  /** True when the value is whole if the text ends here, as a number is. */
  get canEnd(): boolean {
    return this.#isScalar;
  }

  /** Returns the index after the value or after what broke it; the length of the piece when the value continues. */
  scan(piece: string, from: number): number {
    if (this.#isScalar) return this.#scanScalar(piece, from);
    let at = from;
    while (at < piece.length && !this.isOver) {
      if (this.#isInString) {
        at = this.#scanString(piece, at);
      } else {
        const code = piece.charCodeAt(at);
        if (this.#isElement && this.#closers.length === 0 && (code === comma || code === closeBracket)) {
          this.isOver = true;
          return at;
        }
        at += 1;
        this.#readCharacter(code);
      }
    }
    return at;
  }

  #scanScalar(piece: string, from: number): number {
    afterScalar.lastIndex = from;
    const end = afterScalar.exec(piece)?.index;
    this.isOver = end !== undefined;
    return end ?? piece.length;
  }

  #readCharacter(code: number): void {
    if (code === quote) this.#isInString = true;
    else if (code === openBrace) this.#closers.push(closeBrace);
    else if (code === openBracket) this.#closers.push(closeBracket);
    else if (code === closeBrace || code === closeBracket) {
      if (this.#closers.pop() !== code && this.#isStrict) this.#break();
      this.#endAtDepthZero();
    }
  }

  #break(): void {
    this.isBroken = true;
    this.isOver = true;
  }

  #endAtDepthZero(): void {
    if (!this.#isElement && this.#closers.length === 0) this.isOver = true;
  }

  #scanString(piece: string, from: number): number {
    let at = this.#isEscaped ? from + 1 : from;
    this.#isEscaped = false;
    while (at < piece.length) {
      plainText.lastIndex = at;
      plainText.test(piece);
      at = plainText.lastIndex;
      if (at === piece.length) break;
      const code = piece.charCodeAt(at);
      if (code === quote) {
        this.#isInString = false;
        this.#endAtDepthZero();
        return at + 1;
      }
      if (code !== backslash && this.#isStrict) {
        this.#break();
        return at + 1;
      }
      this.#isEscaped = code === backslash && at + 1 === piece.length;
      at += code === backslash ? 2 : 1;
    }
    return piece.length;
  }
}

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** The length of the prefix of a text that is JSON, and what JSON allows after it; undefined for a whole scalar. */
interface ScalarCheck {
  readonly end: number;
  readonly expected?: string;
}

/** Reads the string, number, `true`, `false` or `null` at the beginning of a text. */
export function checkScalar(text: string): ScalarCheck {
  if (text.startsWith('"')) return checkString(text);
  number.lastIndex = 0;
  return number.test(text) ? { end: number.lastIndex } : { end: 0, expected: 'a value' };
}

function checkString(text: string): ScalarCheck {
  for (let at = 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) return { end: at + 1 };
    if (code < firstPrintable) return { end: at, expected: `'"' at the end of the text` };
    if (code !== backslash) continue;
    at += 1;
    if (text[at] === 'u' && /^[0-9a-fA-F]{4}$/.test(text.slice(at + 1, at + 5))) at += 4;
    else if (!/^["\\/bfnrt]$/.test(text[at] ?? '')) {
      return {
        end: at,
        expected: `one of " \\ / b f n r t, or u and four hexadecimal digits, after '\\'`,
      };
    }
  }
  return { end: text.length, expected: `'"' at the end of the text` };
}
