import { TouchstoneError } from '../errors.ts';
import { nearestName } from '../lib/nearest-name.ts';
import { valueAtPath } from '../lib/value-at-path.ts';
import type { Case } from '../schema/case.ts';

const fields = ['id', 'category', 'tag', 'cluster', 'question', 'metadata'];

/**
 * Makes a filter of terms such as `category=hybrid`, `id=tax-*|lease-*`, `tag!=slow`, `metadata.source=legal`.
 * `*` stands for any text, `|` separates alternatives; all terms must hold. Throws `usage-invalid`.
 */
export function parseFilter(terms: readonly string[]): (testCase: Case) => boolean {
  const tests = terms.flatMap((term) => term.split(/\s+(?=\S+=)/)).map(parseTerm);
  return (testCase) => tests.every((test) => test(testCase));
}

function parseTerm(term: string): (testCase: Case) => boolean {
  const [, field = '', operator, pattern = ''] = /^([\w.-]+)(!?=)(.*)$/s.exec(term.trim()) ?? [];
  if (operator === undefined) throw wrongFilter(`The filter "${term}" is not of the form field=value.`);
  if (!fields.includes(field) && !field.startsWith('metadata.')) {
    const nearest = nearestName(field, fields);
    const hint = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
    throw wrongFilter(`The filter "${term}" names an unknown field.${hint}`);
  }
  const alternatives = pattern.split('|').map(toExpression);
  const wanted = operator === '=';
  return (testCase) =>
    alternatives.some((expression) => valuesOf(testCase, field).some((value) => expression.test(value))) ===
    wanted;
}

function valuesOf(testCase: Case, field: string): string[] {
  if (field === 'tag') return testCase.tags;
  if (field === 'question') return [JSON.stringify(testCase.input)];
  const value = valueAtPath(testCase, field);
  return value === undefined ? [] : [value].flat().map(String);
}

function toExpression(pattern: string): RegExp {
  const source = pattern.split('*').map((part) => part.replace(/[\\^$.+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${source.join('.*')}$`, 'is');
}

function wrongFilter(message: string): TouchstoneError {
  return new TouchstoneError('usage-invalid', message, {
    remedy: `Filter by ${fields.join(', ')}: --filter 'category=hybrid' or --filter 'id=tax-*'.`,
  });
}
