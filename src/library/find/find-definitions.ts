import { stemEnglish } from '../../core/lib/search/stem-english.ts';
import { createWordSearch, type WordSearch } from '../../core/lib/search/word-search.ts';
import { nearestName } from '../../core/lib/text/nearest-name.ts';
import type { Expectation } from '../../core/schema/expectation.ts';
import { wordsOf } from '../../cases/lint/question-words.ts';
import { definitionsOf, type ExtensionKind } from '../config/definitions.ts';
import { type Described, describeDefinition, type JsonSchema } from './describe-definition.ts';

/** The words of a search, and what narrows it. */
export interface FindChoices {
  /** Words, as people say them; all of the kinds when absent. */
  readonly words?: string;
  /** Only metrics that read this expectation of a case. */
  readonly reads?: Expectation;
  /** True for what works without a judge. */
  readonly noJudge?: boolean;
}

/** The result of a search. */
export interface Found {
  /** The best first; by kind and name when no words are given. */
  readonly hits: readonly Described[];
  /** True when the words are the name of the only hit. */
  readonly isExact: boolean;
  /** The nearest known word to one that nothing has, with what it finds; absent when there are hits or nothing is near. */
  readonly near?: { readonly word: string; readonly hits: readonly Described[] };
}

/** The weight of a word by its place: in the name, among the everyday words, in the summary, in an option. */
const weights = { name: 4, words: 3, says: 1, options: 0.2 };

/** Length counts little against a definition: many everyday words are no fault. */
const lengthWeight = 0.2;

/** The definitions of a kind, described once in a process. */
const described = new Map<ExtensionKind, readonly Described[]>();

function describedOf(kind: ExtensionKind): readonly Described[] {
  const known = described.get(kind) ?? definitionsOf(kind).map(describeDefinition);
  described.set(kind, known);
  return known;
}

/** The searches over definitions, made once in a process for each choice of them. */
const searches = new Map<string, WordSearch<Described>>();

function searchOf(all: readonly Described[]): WordSearch<Described> {
  const key = all.map(({ kind, name }) => `${kind} ${name}`).join();
  const search =
    searches.get(key) ??
    createWordSearch(all, {
      wordsOf: stemsOf,
      lengthWeight,
      textsOf: (one) => [
        { text: one.name, weight: weights.name },
        { text: one.words, weight: weights.words },
        { text: one.says, weight: weights.says },
        { text: describeOptions(one.options), weight: weights.options },
      ],
    });
  searches.set(key, search);
  return search;
}

/**
 * Finds extensions of some kinds by name or by words: those with more and rarer words of them first, by their names, the
 * everyday words that they declare, their summaries and their options.
 */
export function findDefinitions(kinds: readonly ExtensionKind[], choices: FindChoices = {}): Found {
  const { words = '', reads, noJudge = false } = choices;
  const all = kinds
    .flatMap((kind) => describedOf(kind))
    .filter((one) => reads === undefined || one.reads?.includes(reads) === true)
    .filter(({ needs }) => !noJudge || !needs.includes('judge'));
  const wanted = words.trim().toLowerCase();
  if (wanted === '') return { hits: all, isExact: false };
  const exact = all.find(({ name }) => name === wanted.replaceAll(/\s+/g, '-'));
  if (exact !== undefined && !/\s/.test(wanted)) return { hits: [exact], isExact: true };
  const search = searchOf(all);
  const phrase = stemsOf(wanted).join(' ');
  // What is declared in just these words comes before what only shares some of them.
  const hits = search
    .find(withoutCommon(wanted))
    .map(({ item }) => item)
    .toSorted((one, other) => Number(declares(other, phrase)) - Number(declares(one, phrase)));
  if (hits.length > 0) return { hits, isExact: false };
  const known = new Set(all.flatMap((one) => spokenWords(`${one.name} ${one.words}`)));
  const word = spokenWords(wanted)
    .map((each) => nearestName(each, known))
    .find((each) => each !== undefined);
  if (word === undefined) return { hits, isExact: false };
  return { hits, isExact: false, near: { word, hits: search.find(word).map(({ item }) => item) } };
}

function declares({ words }: Described, phrase: string): boolean {
  return words.split(',').some((declared) => stemsOf(declared).join(' ') === phrase);
}

/** Words of a question that say nothing about what is asked. */
const asking = new Set(
  'how what which where when why who do does i my me we our get want need make use check'.split(' '),
);

/** Words that nearly everything here is about: they count only where a question has no others. */
const common = new Set('response responses output outputs bot chatbot too many much per'.split(' '));

/** Returns the stems of the words of a text that say something, also of one that asks. */
export function stemsOf(text: string): string[] {
  return wordsOf(text.replaceAll(/[-_@/]/g, ' '))
    .filter((word) => !asking.has(word))
    .map(stemEnglish);
}

/** Returns what to look for: what is asked without the words that nearly every definition has, unless there are no others. */
function withoutCommon(asked: string): string {
  const telling = asked.split(/\s+/).filter((word) => !common.has(word));
  return telling.length === 0 ? asked : telling.join(' ');
}

/** Returns the words of a text as they are written, in lower case: the words of three letters and more. */
export function spokenWords(text: string): string[] {
  return text.toLowerCase().match(/\p{L}{3,}/gu) ?? [];
}

function describeOptions({ properties = {} }: JsonSchema): string {
  return Object.entries(properties)
    .map(([name, option]) => `${name} ${(option as JsonSchema).description ?? ''}`)
    .join('\n');
}
