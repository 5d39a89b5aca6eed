import type { Place } from '../../core/errors.ts';

/** A counter of lines and columns in a text that arrives in pieces. It only moves forwards. */
export class TextCursor {
  readonly #file: string;
  #line: number;
  /** The beginning of the current line in the current piece; negative when it is in an earlier one. */
  #lineStart: number;
  #piece = '';
  #nextBreak = -1;

  constructor(start: Place) {
    this.#file = start.file;
    this.#line = start.line ?? 1;
    this.#lineStart = 1 - (start.column ?? 1);
  }

  /** Moves to the beginning of the next piece. */
  enter(piece: string): void {
    this.#moveTo(this.#piece.length);
    this.#lineStart -= this.#piece.length;
    this.#piece = piece;
    this.#nextBreak = piece.indexOf('\n');
  }

  /** Returns the place of an offset in the current piece, which must not be before the previous one. */
  placeAt(offset: number): Required<Place> {
    this.#moveTo(offset);
    return { file: this.#file, line: this.#line, column: offset - this.#lineStart + 1 };
  }

  #moveTo(offset: number): void {
    while (this.#nextBreak >= 0 && this.#nextBreak < offset) {
      this.#line += 1;
      this.#lineStart = this.#nextBreak + 1;
      this.#nextBreak = this.#piece.indexOf('\n', this.#lineStart);
    }
  }
}

/** Returns the place of an offset in a text that begins at `start`. */
export function placeInText(text: string, offset: number, start: Place): Required<Place> {
  const before = text.slice(0, offset);
  const breaks = before.match(/\r\n|\n|\r/g)?.length ?? 0;
  const sinceBreak = offset - 1 - Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r'));
  const line = (start.line ?? 1) + breaks;
  return { file: start.file, line, column: breaks === 0 ? (start.column ?? 1) + offset : sinceBreak + 1 };
}
