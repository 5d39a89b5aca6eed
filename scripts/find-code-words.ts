import { Visitor } from 'rolldown/utils';
import { parseSource } from './read-imports.ts';

/**
 * Words of our code and records that people do not meet: one thing has one word (docs/words.md). Names in code are exempt, and so
 * are idioms.
 */
const wordsForReaders: Readonly<Record<string, string>> = {
  case: 'question',
  cases: 'questions',
  trial: 'attempt',
  trials: 'attempts',
};

/** Sayings in which the words mean something else, and names that are written with a hyphen or a colon. */
const idioms = new RegExp(
  [
    String.raw`\bin (?:this|that|such a|any|each|every|the (?:worst|best)|the worst and (?:in the )?best) case\b`,
    String.raw`\b(?:letter|upper|lower|upper and lower|worst|best|worst and best|edge|special|borderline|test|use)[ -]cases?\b`,
    String.raw`\b(?:ignoring|for|per|or|and) case\b|\bcase(?: is ignored|, punctuation|-[\w$]+)|\b\w+-cases?\b`,
    String.raw`\btypos, ?case\b|\bcase:\w+|\bcase (?:upper|lower)\b`,
  ].join('|'),
  'gi',
);

const codeWord = new RegExp(String.raw`\b(?:${Object.keys(wordsForReaders).join('|')})\b(?!-)`, 'gi');

/** Functions that count things: the word in their call is shown. */
const counters: readonly string[] = ['formatPlural', 'formatCount', 'count'];

/** Statements in SQL, addresses, members of JSON, and the name of a stream of random numbers. */
const notProse =
  /\b(?:SELECT|INSERT|UPDATE|DELETE|FROM|WHERE|JOIN|WHEN|INDEX)\b|^(?:GET|POST) |\/(?:cases?|trials?)\b|"cases":|^case order$/;

/**
 * Finds words of our code in the texts of a source: in strings and templates that are prose, in the text of pages, and in the
 * words of what is counted. Code spans, idioms and names are left out.
 */
export function findCodeWordsInTexts(file: string, text: string): string[] {
  const found: { readonly start: number; readonly words: readonly string[] }[] = [];
  const look = (start: number, raw: string, isShown = isProse(raw)) => {
    if (isShown) found.push({ start, words: wordsIn(raw) });
  };
  new Visitor({
    Literal: ({ start, end, value }) => {
      if (typeof value === 'string') look(start, text.slice(start + 1, end - 1));
    },
    TemplateElement: ({ start, value }) => look(start, value.raw),
    JSXText: ({ start, value }) => look(start, value, true),
    CallExpression: ({ callee, arguments: given }) => {
      if (callee.type !== 'Identifier' || !counters.includes(callee.name)) return;
      const words = given.flatMap((each) =>
        each.type === 'Literal' && typeof each.value === 'string' ? [{ ...each, value: each.value }] : [],
      );
      for (const { start, value } of words) look(start, value, /^[a-z ]+$/.test(value));
    },
  }).visit(parseSource(file, text));
  const lineOf = (place: number) => text.slice(0, place).split('\n').length;
  return found.flatMap(({ start, words }) => words.map((word) => describe(`${file}:${lineOf(start)}`, word)));
}

/** Finds words of our code in a page; code, the targets of links and idioms are left out. */
export function findCodeWordsInPage(file: string, text: string): string[] {
  const prose = text.replaceAll(/```[\s\S]*?```|`[^`\n]*(?:\n[^`\n]+)?`|\]\([^)\n]*\)/g, (code) =>
    code.replaceAll(/[^\n]/g, ''),
  );
  return prose
    .split('\n')
    .flatMap((line, index) => wordsIn(line).map((word) => describe(`${file}:${index + 1}`, word)));
}

/** Returns whether a string is a text for people: it has a space, or begins with a capital letter. */
function isProse(raw: string): boolean {
  return (/\s/.test(raw.trim()) || /^[A-Z]/.test(raw)) && !notProse.test(raw);
}

/** Returns the words of our code in a text without its code spans, the last of which may end in another part of a template. */
function wordsIn(text: string): string[] {
  const prose = text.replaceAll(/\\?`[^`]*(?:`|$)|--[\w-]+/g, ' ').replaceAll(idioms, ' ');
  return Array.from(prose.matchAll(codeWord), ([word]) => word);
}

function describe(place: string, word: string): string {
  return `${place}: "${word}" is not plain; write: ${wordsForReaders[word.toLowerCase()]}`;
}
