import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { soleNumber } from '../numbers/same-number.ts';
import { createForbiddenSearch } from './find-forbidden.ts';
import { createTermSearch, keywordRules } from './find-terms.ts';

const root = path.resolve(import.meta.dirname, '../../../..');
const shared = path.resolve(root, '../shared/data');

type Row = Readonly<Record<string, unknown>> & {
  readonly expected?: { readonly keywords?: readonly string[]; readonly entities?: readonly string[] };
};

function readRows(file: string): Row[] {
  const text = readFileSync(file, 'utf8');
  return text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Row);
}

/** The keywords and entities of the examples and templates. */
const ofExamples = globSync('{examples,templates}/*/*.jsonl', { cwd: root })
  .flatMap((file) => readRows(path.join(root, file)))
  .flatMap((row) => [
    row['expected_keywords'],
    row['expected_entities'],
    row.expected?.keywords,
    row.expected?.entities,
  ])
  .flat();

/** The short answers of public golden sets. */
const ofSets = ['qa/squad11_dev_subset.jsonl', 'golden/TobyKThurston+verity-rag__evals_golden.jsonl']
  .map((file) => path.join(shared, file))
  .filter((file) => existsSync(file))
  .flatMap((file) => readRows(file))
  .flatMap((row) => [row['gold'], row['ground_truth']])
  .flat();

const terms = [...new Set([...ofExamples, ...ofSets])].filter(
  (term): term is string =>
    typeof term === 'string' && term.split(' ').length <= 4 && /^[\p{L}\p{N}$]/u.test(term),
);

type Edit = readonly [name: string, change: (term: string) => string | undefined];

const letters = /^[a-z\u00c0-\u024f]+(?: [a-z\u00c0-\u024f]+)*$/iu;
const ofWord = (change: (word: string) => string) => (term: string) =>
  letters.test(term) ? change(term) : undefined;
const ofNumber = (change: (number: string) => string) => (term: string) =>
  soleNumber(term) !== undefined && /^\d[\d,.]*$/.test(term) ? change(term) : undefined;
const ungrouped = (number: string) => number.replaceAll(',', '');

/** Edits after which another word or number stands there. */
const others: readonly Edit[] = [
  ['letters before', ofWord((word) => `xy${word}`)],
  ['a prefix before', ofWord((word) => `pre${word}`)],
  ['letters around', ofWord((word) => `qu${word}ob`)],
  ['not-prefix', ofWord((word) => `non-${word}`)],
  ['a digit before', ofNumber((number) => `1${ungrouped(number)}`)],
  ['a digit after', ofNumber((number) => `${ungrouped(number)}7`)],
  ['another sign', ofNumber((number) => `-${number}`)],
  ['a typographic minus', ofNumber((number) => `−${number}`)],
  [
    'ten times',
    ofNumber((number) =>
      number.includes('.') ? `${Number(ungrouped(number)) * 10}` : `${ungrouped(number)}0`,
    ),
  ],
  [
    'a decimal point',
    ofNumber((number) =>
      number.includes('.') ? ungrouped(number).replace('.', '') : `${ungrouped(number)}.5`,
    ),
  ],
  ['a decimal point moved', ofNumber((number) => `0.${ungrouped(number).replace('.', '')}`)],
  ['another digit', ofNumber((number) => number.replace(/\d/, (digit) => String((Number(digit) % 9) + 1)))],
  ['a longer id', (term) => (/^\d+-[\d-]{3,}$/.test(term) ? `${term}-4` : undefined)],
  ['a digit in a phrase', (term) => (/^\d+ \p{L}/u.test(term) ? `1${term}` : undefined)],
];

/** Edits after which a reader sees the same. */
const same: readonly Edit[] = [
  ['capitals', (term) => (/^\p{L}+$/u.test(term) ? term.toUpperCase() : undefined)],
  ['small letters', (term) => term.toLowerCase()],
  ['decomposed letters', (term) => (term.normalize('NFD') === term ? undefined : term.normalize('NFD'))],
  [
    'full width',
    (term) =>
      /^[a-z]+$/i.test(term)
        ? term.replace(/[!-~]/g, (mark) => String.fromCodePoint(mark.charCodeAt(0) + 0xfee0))
        : undefined,
  ],
  ['a no-break space', (term) => (term.includes(' ') ? term.replaceAll(' ', '\u00a0') : undefined)],
  ['a line break', (term) => (term.includes(' ') ? term.replace(' ', '\n  ') : undefined)],
  [
    'typographic hyphens',
    (term) => (/\p{L}-\p{L}|\d-\d/u.test(term) ? term.replaceAll('-', '\u2011') : undefined),
  ],
  ['typographic quotes', (term) => (term.includes("'") ? term.replaceAll("'", '’') : undefined)],
  ['zero width', ofWord((word) => `${word.slice(0, 1)}\u200b${word.slice(1)}`)],
  ['bold', (term) => `**${term}**`],
  ['quoted', (term) => `“${term}”`],
  ['a full stop', (term) => `${term}.`],
  ['a possessive', ofWord((word) => `${word}’s`)],
  [
    'a plural',
    (term) =>
      /^[a-z]{4,}$/.test(term) && !term.endsWith('s')
        ? term.replace(/(?<=[^aeiou])y$/, 'ie').concat('s')
        : undefined,
  ],
  ['no groups', ofNumber((number) => ungrouped(number))],
  [
    'groups',
    ofNumber((number) =>
      /^\d{4,}$/.test(number) && !number.startsWith('0') ? Number(number).toLocaleString('en') : number,
    ),
  ],
  ['thin spaces', ofNumber((number) => number.replaceAll(',', '\u202f'))],
  ['zeros', ofNumber((number) => (number.includes('.') ? `${number}0` : `${number}.00`))],
  ['a currency', ofNumber((number) => `$${number}`)],
];

const textOf = (said: string) => `Quux: ${said} zzyzx`;

/** Tries each edit on each term, and returns the terms for which the outcome is another one, and how many were tried. */
function tryEdits(edits: readonly Edit[], isWanted: boolean) {
  const tried: Record<string, number> = {};
  const wrong: string[] = [];
  for (const term of terms) {
    for (const [name, change] of edits) {
      const said = change(term);
      if (said === undefined || (!isWanted && said === term)) continue;
      tried[name] = (tried[name] ?? 0) + 1;
      const { isFound } = createTermSearch(textOf(said), keywordRules)(term);
      if (isFound !== isWanted) wrong.push(`${name}: ${term} in ${said}`);
    }
  }
  return { tried, wrong };
}

/** Prints how many of each edit were tried. */
function report(title: string, tried: Readonly<Record<string, number>>): void {
  const counts = Object.entries(tried).map(([name, count]) => `${name} ${count}`);
  process.stdout.write(`${title}: ${counts.join(', ')}\n`);
}

test(`no keyword of ${terms.length} is found within another word or number`, () => {
  const { tried, wrong } = tryEdits(others, false);
  report('Another word or number', tried);
  expect(wrong).toEqual([]);
  expect(Object.values(tried).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(300);
});

test(`each keyword of ${terms.length} is found in another spelling`, () => {
  const { tried, wrong } = tryEdits(same, true);
  report('Another spelling', tried);
  expect(wrong).toEqual([]);
  expect(Object.values(tried).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(1000);
});

test('no spelling hides a forbidden text', () => {
  const wrong = terms.flatMap((term) =>
    same.flatMap(([name, change]) => {
      const said = change(term);
      if (said === undefined || name === 'a plural') return [];
      return createForbiddenSearch(textOf(said), 'substring')(term).isFound
        ? []
        : [`${name}: ${term} in ${said}`];
    }),
  );
  expect(wrong).toEqual([]);
});
