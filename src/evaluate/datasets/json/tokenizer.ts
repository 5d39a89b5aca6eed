import { formatPlace, type Place, TouchstoneError } from '../../../core/errors.ts';
import { placeInText, TextCursor } from '../text-cursor.ts';
import { checkScalar, ValueScanner } from './scan-value.ts';

/** The names of members and positions in lists that lead to a value. */
export type JsonPath = readonly (string | number)[];

/** The treatment of a value: its members are visited, its text is stored, or it is skipped. */
export type JsonChoice = 'enter' | 'keep' | 'skip';

/** The text of a value that was stored. */
export interface JsonToken {
  readonly text: string;
  readonly place: Required<Place>;
  /** True when a bracket closes one of another kind or a string does not end on its line; the text ends there. */
  readonly isBroken: boolean;
}

/** The first character that JSON does not allow, or the end of a text that must continue. */
export interface JsonFault {
  /** The offset in the whole text. */
  readonly offset: number;
  readonly place: Required<Place>;
  /** The characters that JSON allows at the offset, in words. */
  readonly expected: string;
  /** The text before the fault, as far as it is in memory. */
  readonly before: string;
  /** The text from the fault on, as far as it is in memory; empty at the end of the text. */
  readonly rest: string;
}

/** Options of a {@link JsonTokenizer}. */
export interface JsonTokenizerOptions {
  /**
   * The number of values and the treatment of stored texts.
   * - `strict`: one value; stored strings, numbers and words are checked character by character.
   * - `elements`: one value; a stored text extends to the comma or bracket after the value, with whatever is in between.
   * - `sequence`: any number of values that follow each other, as the lines of JSON Lines do.
   */
  readonly mode: 'strict' | 'elements' | 'sequence';
  /** The place at which the text begins. */
  readonly start: Place;
  /** Decides about a value before it is read. Only objects and lists can be entered; a scalar is skipped instead. */
  choose(path: JsonPath, isScalar: boolean): JsonChoice;
}

type State =
  | 'value'
  | 'first-item'
  | 'first-name'
  | 'name'
  | 'colon'
  | 'after'
  | 'in-value'
  | 'in-name'
  | 'end';

/** The longest stored text, somewhat below the longest text that V8 can represent. */
const longestText = 2 ** 28;
const blank = /[ \t\r\n]*/y;

/**
 * A tokenizer that divides JSON of any size into the wanted values. The text arrives in pieces; only the current piece
 * and the beginning of a stored value stay in memory. Nesting may have any depth.
 */
export class JsonTokenizer {
  readonly #options: JsonTokenizerOptions;
  readonly #cursor: TextCursor;
  readonly #path: (string | number)[] = [];
  readonly #closers: string[] = [];
  readonly #scanner = new ValueScanner();
  #state: State = 'value';
  #isKept = false;
  #kept: string[] = [];
  #keptLength = 0;
  #start: { readonly offset: number; readonly place: Required<Place> };
  #piece = '';
  #at = 0;
  /** The length of all pieces before the current one. */
  #pieceOffset = 0;
  /** The last character of these pieces that is not blank. */
  #lastBefore = '';
  /** The fault that keeps the text from being read further, if any. */
  fault: JsonFault | undefined;

  constructor(options: JsonTokenizerOptions) {
    this.#options = options;
    this.#cursor = new TextCursor(options.start);
    this.#start = { offset: 0, place: this.#cursor.placeAt(0) };
  }

  /** Returns the path of the value that was chosen or yielded last. It changes as reading continues. */
  get path(): JsonPath {
    return this.#path;
  }

  /** Returns the offset of the current character in the whole text. */
  get offset(): number {
    return this.#pieceOffset + this.#at;
  }

  get place(): Required<Place> {
    return this.#cursor.placeAt(this.#at);
  }

  /** True when the one value of the text has been read. */
  get isOver(): boolean {
    return this.#state === 'end';
  }

  /** Returns the bracket that closes the innermost object or list that was entered. */
  get closer(): string | undefined {
    return this.#closers.at(-1);
  }

  /** Returns the value or name within which the text read so far ends. */
  get unfinished():
    | { readonly what: 'name' | 'value'; readonly text: string; readonly place: Place }
    | undefined {
    if (this.#state !== 'in-value' && this.#state !== 'in-name') return undefined;
    const what = this.#state === 'in-name' ? 'name' : 'value';
    return { what, text: this.#kept.join(''), place: this.#start.place };
  }

  /** Yields the stored values that end in the next piece of the text, as far as there is no fault. */
  *read(piece: string): Generator<JsonToken> {
    this.#pieceOffset += this.#piece.length;
    this.#lastBefore = this.#piece.trimEnd().at(-1) ?? this.#lastBefore;
    this.#cursor.enter(piece);
    this.#piece = piece;
    this.#at = 0;
    while (this.fault === undefined && this.#at < piece.length) {
      if (this.#state === 'in-value' || this.#state === 'in-name') {
        const from = this.#at;
        this.#at = this.#scanner.scan(piece, from);
        if (this.#isKept) this.#keep(piece.slice(from, this.#at));
        if (this.#scanner.isOver) yield* this.#finish();
      } else {
        blank.lastIndex = this.#at;
        blank.test(piece);
        this.#at = blank.lastIndex;
        if (this.#at < piece.length) this.#step(piece[this.#at] as string);
      }
    }
  }

  /** Ends the text. Yields a number at its very end; then `unfinished` or `fault` is set if the text must continue. */
  *end(): Generator<JsonToken> {
    yield* this.read('');
    if (this.fault !== undefined) return;
    if (this.#state === 'in-value' && this.#scanner.canEnd) yield* this.#finish();
    const { unfinished } = this;
    if (unfinished !== undefined) this.#check(unfinished.text);
    else if (this.#state !== 'end' && (this.#options.mode !== 'sequence' || this.#closers.length > 0)) {
      this.#step('');
    }
  }

  /** Reads a whole text up to its first fault, without its values. */
  readAll(text: string): void {
    for (const _ of this.read(text));
    for (const _ of this.end());
  }

  /** Reads a character between values; '' is the end of the text. */
  #step(character: string): void {
    if (this.#state === 'value' || this.#state === 'first-item') this.#enterValue(character);
    else if (this.#state === 'after') this.#goAfter(character);
    else if (this.#state === 'colon') {
      if (character === ':') this.#advance('value');
      else this.#refuse("':'");
    } else if (this.#state === 'end') this.#refuse('the end');
    else if (character === '}' && this.#state === 'first-name') this.#close();
    else if (character === '"') this.#begin(character, 'in-name', true);
    else this.#refuse(this.#state === 'first-name' ? `'"' or '}'` : `'"'`);
  }

  #enterValue(character: string): void {
    if (character === ']' && this.#state === 'first-item') {
      this.#path.pop();
      this.#close();
      return;
    }
    if (
      !/["[{\dtfn-]/.test(character) &&
      (this.#options.mode !== 'elements' || /^[,\]}]?$/.test(character))
    ) {
      this.#refuse('a value');
      return;
    }
    const isScalar = character !== '{' && character !== '[';
    const choice = this.#options.choose(this.#path, isScalar);
    if (choice !== 'enter' || isScalar) this.#begin(character, 'in-value', choice === 'keep');
    else if (character === '{') this.#open('}', 'first-name');
    else {
      this.#open(']', 'first-item');
      this.#path.push(0);
    }
  }

  #open(closer: string, state: State): void {
    this.#closers.push(closer);
    this.#advance(state);
  }

  #goAfter(character: string): void {
    if (character !== ',' && character !== this.closer) {
      this.#refuse(this.#expectedAfter);
      return;
    }
    const key = this.#path.pop();
    if (character === this.closer) this.#close();
    else if (this.closer === '}') this.#advance('name');
    else {
      this.#path.push((key as number) + 1);
      this.#advance('value');
    }
  }

  get #expectedAfter(): string {
    return this.closer === undefined ? 'the end' : `',' or '${this.closer}'`;
  }

  #close(): void {
    this.#closers.pop();
    this.#advance(this.#afterValue);
  }

  get #afterValue(): State {
    if (this.#closers.length > 0) return 'after';
    return this.#options.mode === 'sequence' ? 'value' : 'end';
  }

  #advance(state: State): void {
    this.#state = state;
    this.#at += 1;
  }

  #begin(character: string, state: State, isKept: boolean): void {
    const isElement = state === 'in-value' && this.#options.mode === 'elements' && this.#closers.length > 0;
    this.#scanner.begin(character, { isElement, isStrict: isKept });
    this.#isKept = isKept;
    this.#start = { offset: this.offset, place: this.place };
    this.#state = state;
  }

  #keep(text: string): void {
    this.#kept.push(text);
    this.#keptLength += text.length;
    if (this.#keptLength <= longestText) return;
    throw new TouchstoneError(
      'dataset-invalid',
      `${formatPlace(this.#start.place)}: the value that begins here does not end within 256 million characters`,
      { remedy: 'Close its brackets and quotation marks.' },
    );
  }

  *#finish(): Generator<JsonToken> {
    const text = this.#kept.length === 1 ? (this.#kept[0] as string) : this.#kept.join('');
    const isName = this.#state === 'in-name';
    this.#kept = [];
    this.#keptLength = 0;
    this.#state = isName ? 'colon' : this.#afterValue;
    if ((isName || (this.#isKept && this.#options.mode === 'strict')) && !this.#check(text)) return;
    if (isName) this.#path.push(JSON.parse(text));
    else if (this.#isKept) yield { text, place: this.#start.place, isBroken: this.#scanner.isBroken };
  }

  /** Returns whether a string, number or word is JSON. Sets the fault otherwise. */
  #check(text: string): boolean {
    const { end, expected } = checkScalar(text);
    if (end === text.length && expected === undefined) return true;
    const { offset, place } = this.#start;
    this.fault = {
      offset: offset + end,
      place: placeInText(text, end, place),
      expected: expected ?? this.#expectedAfter,
      before: text.slice(0, end),
      rest: text.slice(end),
    };
    return false;
  }

  #refuse(expected: string): void {
    this.fault = {
      offset: this.offset,
      place: this.place,
      expected,
      before: this.#lastBefore + this.#piece.slice(0, this.#at),
      rest: this.#piece.slice(this.#at),
    };
  }
}
