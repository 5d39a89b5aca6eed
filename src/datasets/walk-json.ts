import { formatPlace, type Place, TouchstoneError } from '../errors.ts';
import { explainJson } from './explain-json.ts';
import { jsonRemedy } from './json-remedy.ts';
import { JsonValueScanner } from './json-value-scanner.ts';
import { placeInText, TextCursor } from './text-cursor.ts';

/** What to do with a value: look at its members, read it whole, or leave it out. */
export type Choice = 'enter' | 'read' | 'skip';

/** A value that was read whole. */
export interface WalkedValue {
  /** The names that lead to it; `*` is an item of a list. */
  readonly path: readonly string[];
  readonly value: unknown;
  readonly place: Place;
}

/** What a walk is about. */
export interface WalkOptions {
  readonly file: string;
  /** Told where a value stands before it is read; only objects and lists can be entered. */
  choose(path: readonly string[]): Choice;
}

/**
 * Reads the chosen values of JSON of any size, one at a time: of one document, or of several that follow each other, as
 * the lines of JSON Lines do. Throws `dataset-invalid` with the place where the text is no JSON or is cut off.
 */
export async function* walkJson(
  pieces: AsyncIterable<string>,
  options: WalkOptions,
): AsyncGenerator<WalkedValue> {
  const walker = new Walker(options);
  for await (const piece of pieces) yield* walker.walk(piece);
  yield* walker.end();
}

type State = 'value' | 'first-item' | 'first-key' | 'key' | 'in-key' | 'colon' | 'after' | 'in-value';

const blank = /[ \t\r\n]*/y;
const longestValue = 2 ** 28;
const whole = { after: 'the end of the value', end: 'the end of the file' };

class Walker {
  readonly #options: WalkOptions;
  readonly #cursor: TextCursor;
  readonly #path: string[] = [];
  readonly #closers: string[] = [];
  #state: State = 'value';
  #scanner = new JsonValueScanner('{');
  #isKept = false;
  #held: string[] = [];
  #heldLength = 0;
  #start: Required<Place>;
  #piece = '';
  #at = 0;

  constructor(options: WalkOptions) {
    this.#options = options;
    this.#cursor = new TextCursor({ file: options.file });
    this.#start = this.#cursor.placeAt(0);
  }

  *walk(piece: string): Generator<WalkedValue> {
    this.#piece = piece;
    this.#cursor.enter(piece);
    this.#at = 0;
    while (this.#at < piece.length) {
      if (this.#state === 'in-value' || this.#state === 'in-key') {
        const text = this.#goOn();
        if (text === undefined) return;
        yield* this.#finish(text);
      } else {
        blank.lastIndex = this.#at;
        blank.test(piece);
        this.#at = blank.lastIndex;
        if (this.#at < piece.length) this.#step(piece[this.#at] as string);
      }
    }
  }

  /** Throws when the text has ended before the value did. */
  *end(): Generator<WalkedValue> {
    this.#cursor.enter('');
    const place = this.#cursor.placeAt(0);
    yield* this.walk(' '); // A number at the very end is over only now.
    if (this.#state === 'in-value' || this.#state === 'in-key') {
      const what = this.#state === 'in-key' ? 'name' : 'value';
      refuse(place, `the file ends within the ${what} that begins at ${formatPlace(this.#start)}`, cutOff);
    }
    const closer = this.#closers.at(-1);
    if (closer !== undefined) refuse(place, `expected '${closer}' but the file ends`, cutOff);
  }

  /** What stands between values. */
  #step(character: string): void {
    if (this.#state === 'value' || this.#state === 'first-item') this.#enterValue(character);
    else if (this.#state === 'after') this.#goAfter(character);
    else if (this.#state === 'colon') this.#expect(character, ':', 'value');
    else if (character === '}' && this.#state === 'first-key') this.#close();
    else if (character === '"') this.#begin(character, 'in-key', true);
    else this.#refuseFound(`'"'`, character);
  }

  #enterValue(character: string): void {
    if (character === ']' && this.#state === 'first-item') {
      this.#path.pop();
      this.#close();
      return;
    }
    if (!/["[{\dtfn-]/.test(character)) this.#refuseFound('a value', character);
    const choice = this.#options.choose(this.#path);
    if (choice !== 'enter' || !'[{'.includes(character))
      this.#begin(character, 'in-value', choice === 'read');
    else if (character === '{') this.#open('}', 'first-key');
    else {
      this.#open(']', 'first-item');
      this.#path.push('*');
    }
  }

  #open(closer: string, state: State): void {
    this.#closers.push(closer);
    this.#state = state;
    this.#at += 1;
  }

  #goAfter(character: string): void {
    const closer = this.#closers.at(-1) ?? '';
    this.#path.pop();
    if (character === closer) this.#close();
    else if (closer === '}') this.#expect(character, ',', 'key');
    else {
      this.#expect(character, ',', 'value');
      this.#path.push('*');
    }
  }

  #close(): void {
    this.#closers.pop();
    this.#state = this.#closers.length === 0 ? 'value' : 'after';
    this.#at += 1;
  }

  #expect(character: string, expected: string, next: State): void {
    const closer = this.#closers.at(-1);
    if (character !== expected) this.#refuseFound(expected === ',' ? `',' or '${closer}'` : `':'`, character);
    this.#state = next;
    this.#at += 1;
  }

  #begin(character: string, state: State, isKept: boolean): void {
    this.#scanner = new JsonValueScanner(character);
    this.#isKept = isKept;
    this.#start = this.#cursor.placeAt(this.#at);
    this.#state = state;
  }

  /** The text of the value that ends in this piece; undefined when it goes on in the next. */
  #goOn(): string | undefined {
    const from = this.#at;
    const end = this.#scanner.scan(this.#piece, from);
    this.#at = end ?? this.#piece.length;
    if (this.#isKept) this.#hold(this.#piece.slice(from, this.#at));
    if (end === undefined) return undefined;
    const text = this.#held.join('');
    this.#held = [];
    this.#heldLength = 0;
    return text;
  }

  #hold(text: string): void {
    this.#held.push(text);
    this.#heldLength += text.length;
    if (this.#heldLength <= longestValue) return;
    refuse(this.#start, 'the value that begins here does not end within 256 million characters', cutOff);
  }

  *#finish(text: string): Generator<WalkedValue> {
    if (this.#state === 'in-key') {
      this.#path.push(String(this.#parse(text)));
      this.#state = 'colon';
      return;
    }
    this.#state = this.#closers.length === 0 ? 'value' : 'after';
    if (this.#isKept) yield { path: [...this.#path], value: this.#parse(text), place: this.#start };
  }

  #parse(text: string): unknown {
    try {
      return JSON.parse(text);
    } catch {
      const { offset, message, remedy } = explainJson(text, whole);
      return refuse(placeInText(text, offset, this.#start), message, remedy);
    }
  }

  #refuseFound(expected: string, found: string): never {
    const text = this.#piece.slice(0, this.#at + 21);
    const remedy = jsonRemedy({ text, offset: this.#at, expected, isLine: false });
    this.#refuse(`expected ${expected} but found '${found}'`, remedy);
  }

  #refuse(message: string, remedy: string | undefined): never {
    refuse(this.#cursor.placeAt(this.#at), message, remedy);
  }
}

const cutOff = 'The file is cut off: write it again, or remove what is not whole at its end.';

function refuse(place: Place, message: string, remedy: string | undefined): never {
  throw new TouchstoneError('dataset-invalid', `${formatPlace(place)}: ${message}`, remedy ? { remedy } : {});
}
