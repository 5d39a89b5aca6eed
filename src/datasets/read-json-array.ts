import { formatPlace, type Place, TouchstoneError } from '../errors.ts';
import type { DatasetRow } from './dataset.ts';
import { explainJson } from './explain-json.ts';
import { jsonRow } from './wrapper-key.ts';
import { placeInText, TextCursor } from './text-cursor.ts';

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const firstPrintable = 0x20;

/** Finds where an element of a JSON list ends by its brackets and quotation marks, in a text that comes in pieces. */
class JsonElementScanner {
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

const end = 'the end of the file';
const inList = { after: "',' or ']'", end };
const longestElement = 2 ** 28;
const blank = /[ \t\r\n]*/y;

/**
 * Reads a JSON list element by element, keeping one in memory at a time. The text may begin in the middle of a file,
 * at `start`; then `isPart` says that more may follow the list.
 */
export async function* readJsonArray(
  pieces: AsyncIterable<string>,
  start: Place,
  isPart: boolean = false,
): AsyncGenerator<DatasetRow> {
  const splitter = new ListSplitter(start);
  for await (const piece of pieces) {
    yield* splitter.split(piece);
    if (isPart && splitter.isOver) return;
    splitter.refuseRest();
  }
  splitter.end();
}

class ListSplitter {
  readonly #cursor: TextCursor;
  #expecting: 'list' | 'first-element' | 'element' | 'inside' | 'end' = 'list';
  #scanner = new JsonElementScanner();
  #elementPlace: Place;
  #held: string[] = [];
  #heldLength = 0;
  #piece = '';
  #at = 0;

  constructor(start: Place) {
    this.#cursor = new TextCursor(start);
    this.#elementPlace = start;
  }

  get isOver(): boolean {
    return this.#expecting === 'end';
  }

  /** The elements that end in a piece of the text. Stops after the list, within the piece. */
  *split(piece: string): Generator<DatasetRow> {
    this.#piece = piece;
    this.#cursor.enter(piece);
    this.#at = 0;
    while (this.#expecting !== 'end') {
      if (this.#expecting === 'inside') {
        const from = this.#at;
        this.#at = this.#scanner.scan(piece, from);
        if (this.#scanner.isBroken) this.#refuseElement(piece.slice(from, this.#at));
        if (this.#at === piece.length) return this.#hold(piece.slice(from));
        yield jsonRow(this.#takeText(piece.slice(from, this.#at)), this.#elementPlace, inList);
        this.#expecting = piece[this.#at] === ']' ? 'end' : 'element';
        this.#at += 1;
      } else {
        this.#skipBlanks();
        if (this.#at === piece.length) return;
        this.#enter(piece[this.#at] as string);
      }
    }
  }

  /** What stands between the elements. */
  #enter(character: string): void {
    if (this.#expecting === 'list') {
      if (character !== '[') this.#refuse(`expected '[' but found '${character}'`);
      this.#expecting = 'first-element';
      this.#at += 1;
    } else if (character === ']' && this.#expecting === 'first-element') {
      this.#expecting = 'end';
      this.#at += 1;
    } else if (character === ']' || character === ',') {
      const remedy = character === ']' ? 'Remove the comma before it.' : 'Remove the comma.';
      this.#refuse(`expected a value but found '${character}'`, remedy);
    } else {
      this.#expecting = 'inside';
      this.#scanner = new JsonElementScanner();
      this.#elementPlace = this.#cursor.placeAt(this.#at);
    }
  }

  /** Throws when anything but blanks follows the list in the current piece. */
  refuseRest(): void {
    if (this.#expecting !== 'end') return;
    this.#skipBlanks();
    if (this.#at === this.#piece.length) return;
    const { message } = explainJson(`0 ${this.#piece.slice(this.#at, this.#at + 40)}`, { after: end, end });
    this.#refuse(message, 'Put all cases into one list.');
  }

  /** Throws when the text has ended before the list did. */
  end(): void {
    if (this.#expecting === 'inside') this.#refuseElement('');
    this.#at = this.#piece.length;
    if (this.#expecting === 'list') this.#refuse(`expected '[' but found ${end}`);
    if (this.#expecting !== 'end') this.#refuse(`expected ']' but found ${end}`, 'Close the list with ].');
  }

  #skipBlanks(): void {
    blank.lastIndex = this.#at;
    blank.test(this.#piece);
    this.#at = blank.lastIndex;
  }

  #hold(text: string): void {
    this.#held.push(text);
    this.#heldLength += text.length;
    if (this.#heldLength <= longestElement) return;
    const message = 'the value that begins here does not end within 256 million characters';
    refuse(this.#elementPlace, message, 'Close its brackets and quotation marks.');
  }

  #takeText(rest: string): string {
    if (this.#heldLength === 0) return rest;
    const text = this.#held.join('') + rest;
    this.#held = [];
    this.#heldLength = 0;
    return text;
  }

  /** Where the next element begins is anybody's guess, so that reading on makes no sense. */
  #refuseElement(rest: string): never {
    const text = this.#takeText(rest);
    const { offset, message, remedy } = explainJson(text, inList);
    refuse(placeInText(text, offset, this.#elementPlace), message, remedy);
  }

  #refuse(message: string, remedy?: string): never {
    refuse(this.#cursor.placeAt(this.#at), message, remedy);
  }
}

function refuse(place: Place, message: string, remedy: string | undefined): never {
  throw new TouchstoneError('dataset-invalid', `${formatPlace(place)}: ${message}`, remedy ? { remedy } : {});
}
