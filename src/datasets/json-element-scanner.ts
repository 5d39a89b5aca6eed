const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const firstPrintable = 0x20;

/** Finds where an element of a JSON list ends by its brackets and quotation marks, in a text that comes in pieces. */
export class JsonElementScanner {
  readonly #closers: number[] = [];
  #isInText = false;
  #isEscaped = false;
  /** A bracket closes one of the other kind, or a text does not end on its line. */
  isBroken = false;

  /**
   * The index of the comma or bracket that ends the element, or the length of the piece when it goes on.
   * Where the element is broken, the index after the fault.
   */
  scan(piece: string, from: number): number {
    let at = from;
    while (at < piece.length) {
      if (this.#isInText) {
        at = this.#skipText(piece, at);
      } else {
        const code = piece.charCodeAt(at);
        if ((code === comma || code === closeBracket) && this.#closers.length === 0) return at;
        at += 1;
        this.#enter(code);
      }
      if (this.isBroken) return at;
    }
    return at;
  }

  #enter(code: number): void {
    if (code === quote) this.#isInText = true;
    else if (code === openBrace) this.#closers.push(closeBrace);
    else if (code === openBracket) this.#closers.push(closeBracket);
    else if (code === closeBrace || code === closeBracket) this.isBroken = this.#closers.pop() !== code;
  }

  #skipText(piece: string, from: number): number {
    for (let at = from; at < piece.length; at += 1) {
      const code = piece.charCodeAt(at);
      if (this.#isEscaped) {
        this.#isEscaped = false;
      } else if (code === backslash) {
        this.#isEscaped = true;
      } else if (code === quote) {
        this.#isInText = false;
        return at + 1;
      } else if (code < firstPrintable) {
        this.isBroken = true;
        return at + 1;
      }
    }
    return piece.length;
  }
}
