import { type Difference, describeDifference, shortestTypo } from './question-difference.ts';
import { questionWords } from './question-words.ts';
import type { CaseRef, QuestionPair } from './rule.ts';

/** The size of a MinHash signature: two questions that share 80 % of their words meet in a band with 99.98 %. */
const bands = 16;
const rowsOfBand = 4;

/** Words of a question beyond these count only as a whole. */
const mostWords = 400;

/** The most earlier questions that a question is compared with: of one bucket, and in all. */
const mostOfBucket = 4;
const mostCompared = 16;

/** The most questions that one may resemble in other words; a question with more of them is made from a template. */
const mostAlike = 2;

/** The largest number of cases that a bucket key has room for. */
const mostCases = 2 ** 21;

/** A question to be compared with the others. */
export interface IndexedQuestion {
  readonly ref: CaseRef;
  readonly question: string;
  /** The hash of the whole content of the case. */
  readonly hash: string;
  /** The hash of what else is asked: earlier messages, the user, lists and objects besides the question. */
  readonly surroundings: number;
  /** The hash of what is expected; 0 for a case that expects nothing. */
  readonly expected: number;
}

/**
 * Finds the questions of a set that say the same. Memory is about 150 bytes a question of 15 words, and time grows with
 * the number of words: candidates share a band of their MinHash signatures (Broder, 1997; banding as in Leskovec,
 * Rajaraman & Ullman, Mining of Massive Datasets, section 3.4), and each is compared with a few others only.
 */
export class QuestionIndex {
  readonly #refs: CaseRef[] = [];
  readonly #ids = new Map<string, number>();
  readonly #names: string[] = [];
  /** The words of all questions, one after the other: twice the number of the word, plus 1 for an anchor. */
  readonly #words = new NumberList();
  readonly #starts = new NumberList();
  readonly #contents = new NumberList();
  readonly #texts = new NumberList();
  readonly #tails = new NumberList();
  /** The hashes of what must be the same besides the words: surroundings, and anchors in their order. */
  readonly #frames = new NumberList();
  readonly #expected = new NumberList();
  /** The hash of the letters of each word, by its number. */
  readonly #letters = new NumberList();
  /** The buckets of each question: one for the letters of its words, and one for each band. */
  readonly #keys = Array.from({ length: bands + 1 }, () => new NumberList());

  /** Adds a question. Questions of the files to compare with come first. */
  add({ ref, question, hash, surroundings, expected }: IndexedQuestion): void {
    if (this.#refs.length === mostCases) return;
    const words = questionWords(question);
    const signature = new Uint32Array(bands * rowsOfBand).fill(0xff_ff_ff_ff);
    this.#refs.push(ref);
    this.#starts.push(this.#words.length);
    let frame = surroundings;
    let letters = 0;
    for (const { text, anchor } of words.length > mostWords ? words.slice(0, mostWords) : words) {
      const id = this.#idOf(text);
      this.#words.push(id * 2 + Number(anchor !== undefined));
      addToSignature(signature, id);
      letters = (letters + this.#letters.at(id)) >>> 0;
      if (anchor === 'fixed') frame = Math.imul(frame ^ id, 0x01_00_01_93) + 1;
    }
    const tail = words.slice(mostWords).map(({ text }) => text);
    this.#tails.push(tail.length === 0 ? 0 : hashWord(tail.join(' ')));
    this.#texts.push(hashWord(question.trim()));
    this.#contents.push(Number.parseInt(hash.slice(0, 8), 16));
    this.#frames.push(frame);
    this.#expected.push(expected);
    for (const [band, keys] of this.#keys.entries()) {
      keys.push(band === 0 ? (letters ^ frame) >>> 0 : hashBand(signature, band - 1, frame));
    }
  }

  /** Returns the pairs of questions that say the same, in the order of the later one, which is in one pair at most. */
  pairs(): QuestionPair[] {
    const found = new Map<number, { readonly earlier: number; readonly pair: QuestionPair }>();
    const alike = new Map<number, Set<number>>();
    const compared = new Uint8Array(this.#refs.length);
    for (const keys of this.#keys) {
      for (const [earlier, later] of candidates(keys.view())) {
        const known = found.get(later);
        if (compared[later] === mostCompared) continue;
        if (known !== undefined && (known.pair.similarity === 1 || known.earlier === earlier)) continue;
        compared[later] = (compared[later] ?? 0) + 1;
        const pair = this.#compare(earlier, later);
        if (pair === undefined) continue;
        if (pair.difference.type === 'reworded') {
          for (const [each, other] of [
            [earlier, later],
            [later, earlier],
          ] as const) {
            alike.set(each, (alike.get(each) ?? new Set()).add(other));
          }
        }
        if (known === undefined || pair.similarity > known.pair.similarity)
          found.set(later, { earlier, pair });
      }
    }
    const isTemplate = (index: number) => (alike.get(index)?.size ?? 0) > mostAlike;
    return Array.from(found)
      .filter(
        ([later, { earlier, pair }]) =>
          pair.difference.type !== 'reworded' || !(isTemplate(later) || isTemplate(earlier)),
      )
      .toSorted(([a], [b]) => a - b)
      .map(([, { pair }]) => pair);
  }

  #compare(earlier: number, later: number): QuestionPair | undefined {
    const [before, after] = [this.#refs[earlier], this.#refs[later]];
    if (before === undefined || after === undefined || after.isReference) return undefined;
    if (this.#frames.at(earlier) !== this.#frames.at(later)) return undefined;
    if (this.#tails.at(earlier) !== this.#tails.at(later)) return undefined;
    const pair = { earlier: before, later: after };
    if (this.#contents.at(earlier) === this.#contents.at(later)) {
      return { ...pair, difference: { type: 'copy' }, similarity: 1, disagrees: false };
    }
    const expected = [this.#expected.at(earlier), this.#expected.at(later)];
    const areBothExpected = expected.every((hash) => hash !== 0);
    const disagrees = areBothExpected && expected[0] !== expected[1];
    if (this.#texts.at(earlier) === this.#texts.at(later)) {
      return { ...pair, difference: { type: 'same-text' }, similarity: 1, disagrees };
    }
    const nameOf = (id: number) => this.#names[id] ?? '';
    const found = describeDifference(this.#wordsOf(earlier), this.#wordsOf(later), nameOf);
    // Other words and other expectations: it is another question.
    if (found === undefined || (disagrees && isDoubtful(found.difference))) return undefined;
    return { ...pair, ...found, disagrees };
  }

  #wordsOf(index: number): Uint32Array {
    const end = index + 1 === this.#refs.length ? this.#words.length : this.#starts.at(index + 1);
    return this.#words.view().subarray(this.#starts.at(index), end);
  }

  #idOf(text: string): number {
    const known = this.#ids.get(text);
    if (known !== undefined) return known;
    this.#ids.set(text, this.#names.length);
    this.#letters.push(hashLetters(text));
    return this.#names.push(text) - 1;
  }
}

function isDoubtful({ type }: Difference): boolean {
  return type === 'reworded' || type === 'reordered';
}

/** Yields pairs of indices whose keys are equal, each with a few of those before it in the same bucket. */
function* candidates(keys: Uint32Array): Generator<[earlier: number, later: number]> {
  // The key and the index in one number of 53 bits, so that sorting brings equal keys together.
  const sorted = Float64Array.from(keys, (key, index) => key * mostCases + index).sort();
  let start = 0;
  for (const [place, code] of sorted.entries()) {
    const key = Math.floor(code / mostCases);
    if (Math.floor((sorted[start] ?? 0) / mostCases) !== key) start = place;
    const later = code - key * mostCases;
    // The first of the bucket, which a copy is a copy of, and the ones just before.
    const first = Math.max(start, place - mostOfBucket);
    if (first > start) yield [(sorted[start] ?? 0) - key * mostCases, later];
    for (let other = first; other < place; other++) yield [(sorted[other] ?? 0) - key * mostCases, later];
  }
}

function addToSignature(signature: Uint32Array, id: number): void {
  let state = Math.imul(id + 1, 0x9e_37_79_b1);
  for (let row = 0; row < signature.length; row++) {
    state = Math.imul(state ^ (state >>> 15), 0x2c_1b_3c_6d) + row;
    const value = Math.imul(state ^ (state >>> 12), 0x29_7a_2d_39) >>> 0;
    if (value < (signature[row] ?? 0)) signature[row] = value;
  }
}

function hashBand(signature: Uint32Array, band: number, frame: number): number {
  let state = frame ^ band;
  for (const value of signature.subarray(band * rowsOfBand, (band + 1) * rowsOfBand)) {
    state = Math.imul(state ^ value, 0x85_eb_ca_6b);
    state ^= state >>> 13;
  }
  return state >>> 0;
}

/** Returns a hash of 32 bits (FNV-1a). */
export function hashWord(text: string): number {
  let state = 0x81_1c_9d_c5;
  for (let place = 0; place < text.length; place++) {
    state = Math.imul(state ^ text.charCodeAt(place), 0x01_00_01_93);
  }
  return state >>> 0;
}

/**
 * Returns a hash of the letters of a word, each once and in any order: the same for words with two letters swapped, or
 * with one of a double letter missing, which are the most frequent spelling errors.
 */
function hashLetters(text: string): number {
  return hashWord(text.length < shortestTypo ? text : [...new Set(text)].sort().join(''));
}

/** A list of whole numbers below 2^32 that grows, at four bytes each. */
class NumberList {
  #numbers = new Uint32Array(1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(number: number): void {
    if (this.#length === this.#numbers.length) {
      const longer = new Uint32Array(this.#length * 2);
      longer.set(this.#numbers);
      this.#numbers = longer;
    }
    this.#numbers[this.#length++] = number;
  }

  at(index: number): number {
    return this.#numbers[index] ?? 0;
  }

  view(): Uint32Array {
    return this.#numbers.subarray(0, this.#length);
  }
}
