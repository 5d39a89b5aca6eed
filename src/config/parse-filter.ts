import { TouchstoneError } from '../errors.ts';
import { compileGlob } from '../lib/compile-glob.ts';
import { didYouMean } from '../lib/text/nearest-name.ts';
import { valueAtPath } from '../lib/objects.ts';
import { type Case, questionOf, uncategorized } from '../schema/case.ts';

/** What each field of a filter looks at in a case. */
const fields: Readonly<Record<string, (testCase: Case) => readonly string[]>> = {
  id: ({ id }) => [id],
  category: ({ category = uncategorized }) => [category],
  tag: ({ tags }) => tags,
  cluster: ({ cluster }) => (cluster === undefined ? [] : [cluster]),
  question: (testCase) => [questionOf(testCase)],
};
const knownFields = [...Object.keys(fields), 'metadata.NAME'];

type Test = (testCase: Case) => boolean;

/**
 * Makes a filter of terms such as `category=hybrid`, `id=tax-*|lease-*`, `tag!=slow`, `metadata.source=legal`.
 * `*` stands for any text, `|` separates alternatives, capital and small letters are the same; all terms must hold,
 * whether they stand in one text with spaces between them or in several. Throws `usage-invalid`.
 */
export function parseFilter(terms: readonly string[]): Test {
  const tests = terms.flatMap(splitTerms).map(parseTerm);
  return (testCase) => tests.every((test) => test(testCase));
}

/** A space may stand in a value, too: a new term begins only where the name of a field and `=` follow. */
function splitTerms(text: string): string[] {
  const names = Object.keys(fields).join('|');
  return text.trim().split(new RegExp(String.raw`\s+(?=(?:${names}|metadata\.[\w.-]+)!?=)`, 'i'));
}

function parseTerm(term: string): Test {
  const [, name = '', operator, pattern = ''] = /^([\w.-]+)(!?=)(.*)$/s.exec(term) ?? [];
  if (operator === undefined) throw wrongFilter(`The filter "${term}" is not of the form field=value.`);
  const valuesOf = findField(name);
  if (valuesOf === undefined) {
    throw wrongFilter(`The filter "${term}" names an unknown field.${didYouMean(name, knownFields)}`);
  }
  const alternatives = pattern.split('|').map((glob) => compileGlob(glob, { ignoreCase: true }));
  const isWanted = operator === '=';
  return (testCase) => {
    const values = valuesOf(testCase);
    return alternatives.some((isLike) => values.some(isLike)) === isWanted;
  };
}

function findField(name: string): ((testCase: Case) => readonly string[]) | undefined {
  const known = Object.keys(fields).find((field) => field === name.toLowerCase());
  if (known !== undefined) return fields[known];
  const [, path] = /^metadata\.(.+)$/.exec(name) ?? [];
  return path === undefined ? undefined : ({ metadata }) => textsOf(valueAtPath(metadata, path));
}

/** What a value in metadata can be compared with: itself, or each item of a list. */
function textsOf(value: unknown): string[] {
  const values: unknown[] = Array.isArray(value) ? value : [value];
  return values.filter((each) => each !== undefined && each !== null && typeof each !== 'object').map(String);
}

function wrongFilter(message: string): TouchstoneError {
  return new TouchstoneError('usage-invalid', message, {
    remedy: `Filter by ${knownFields.join(', ')}: --filter 'category=hybrid' or --filter 'id=tax-*'.`,
  });
}
