import { TouchstoneError } from '../errors.ts';
import { compileGlob } from '../lib/compile-glob.ts';
import { didYouMean } from '../lib/text/nearest-name.ts';
import { valueAtPath } from '../lib/objects.ts';
import { type Case, questionOf, uncategorized } from '../schema/case.ts';

/** The values of a case by the field of a filter. */
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
 * Parses terms such as `category=hybrid`, `id=tax-*|lease-*`, `tag!=slow`, `metadata.source=legal` into a filter. `*`
 * matches any text, `|` separates alternatives, upper and lower case are the same. All terms must match, whether they are
 * separated by spaces in one text or passed as several. Throws `usage-invalid`.
 */
export function parseFilter(terms: readonly string[]): Test {
  const tests = terms.flatMap(splitTerms).map(parseTerm);
  return (testCase) => tests.every((test) => test(testCase));
}

/** Splits a text into terms. Values may contain spaces: a new term begins only before the name of a field and `=`. */
function splitTerms(text: string): string[] {
  const names = Object.keys(fields).join('|');
  return text.trim().split(new RegExp(String.raw`\s+(?=(?:${names}|metadata\.[\w.-]+)!?=)`, 'i'));
}

function parseTerm(term: string): Test {
  const [, name = '', operator, pattern = ''] = /^([\w.-]+)(!?=)(.*)$/s.exec(term) ?? [];
  if (operator === undefined) throw wrongFilter(`The filter "${term}" does not have the form field=value.`);
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

/** Returns the texts of a metadata value that a filter compares: the value itself, or each item of a list. */
function textsOf(value: unknown): string[] {
  const values: unknown[] = Array.isArray(value) ? value : [value];
  return values.filter((each) => each !== undefined && each !== null && typeof each !== 'object').map(String);
}

function wrongFilter(message: string): TouchstoneError {
  return new TouchstoneError('usage-invalid', message, {
    remedy: `Filter by ${knownFields.join(', ')}: --filter 'category=hybrid' or --filter 'id=tax-*'.`,
  });
}
