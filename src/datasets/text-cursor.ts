import type { Place } from '../errors.ts';

/** Counts lines and columns in a text that comes in pieces. Moves forwards only. */
export class TextCursor {
  readonly #file: string;
  #line: number;
  /** Where the current line begins in the current piece; negative when in an earlier one. */
  #lineStart: number;
  #piece = '';
  #nextBreak = -1;

  constructor(start: Place) {
    this.#file = start.file;
    this.#line = start.line ?? 1;
    this.#lineStart = 1 - (start.column ?? 1);
  }

  /** Leaves the current piece behind and goes to the beginning of the next. */
  enter(piece: string): void {
    this.#moveTo(this.#piece.length);
    this.#lineStart -= this.#piece.length;
    this.#piece = piece;
    this.#nextBreak = piece.indexOf('\n');
  }

  /** The place of an offset in the current piece, not before the last one asked for. */
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

/** The place of an offset in a text that itself begins at `start`. */
export function placeInText(text: string, offset: number, start: Place): Required<Place> {
  const before = text.slice(0, offset);
  const breaks = before.match(/\r\n|\n|\r/g)?.length ?? 0;
  const sinceBreak = offset - 1 - Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r'));
  const line = (start.line ?? 1) + breaks;
  return { file: start.file, line, column: breaks === 0 ? (start.column ?? 1) + offset : sinceBreak + 1 };
}
