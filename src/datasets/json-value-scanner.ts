const quote = 0x22;
const backslash = 0x5c;
const openers = '[{';
const closers = ']}';
const afterScalar = /[,\]}\s]/g;

/** Finds where a JSON value ends by its brackets and quotation marks, in a text that comes in pieces. */
export class JsonValueScanner {
  readonly #isScalar: boolean;
  #depth = 0;
  #isInText = false;
  #isEscaped = false;

  /** @param first - The first character of the value. */
  constructor(first: string) {
    this.#isScalar = first !== '"' && !openers.includes(first);
  }

  /** The index after the value, or undefined when it goes on in the next piece. */
  scan(piece: string, from: number): number | undefined {
    if (this.#isScalar) {
      afterScalar.lastIndex = from;
      return afterScalar.exec(piece)?.index;
    }
    let at = from;
    while (at < piece.length) {
      if (this.#isInText) at = this.#skipText(piece, at);
      else {
        this.#enter(piece[at] as string);
        at += 1;
      }
      if (this.#depth === 0 && !this.#isInText) return at;
    }
    return undefined;
  }

  #enter(character: string): void {
    if (character === '"') this.#isInText = true;
    else if (openers.includes(character)) this.#depth += 1;
    else if (closers.includes(character)) this.#depth -= 1;
  }

  #skipText(piece: string, from: number): number {
    for (let at = from; at < piece.length; at += 1) {
      const code = piece.charCodeAt(at);
      if (this.#isEscaped) this.#isEscaped = false;
      else if (code === backslash) this.#isEscaped = true;
      else if (code === quote) {
        this.#isInText = false;
        return at + 1;
      }
    }
    return piece.length;
  }
}
