import fc from 'fast-check';
import { expect, test } from 'vitest';
import { caseSchema } from '../../core/schema/case.ts';
import { parseCaseFilter } from './filters.ts';

const cases = [
  { id: 'tax-1', category: 'Tax', tags: ['slow', 'money'], input: 'What do we owe? (a|b)', cluster: 'doc-1' },
  { id: 'tax-2', category: 'tax', tags: [], input: 'Is x=1 the rate?', metadata: { year: 2021, done: true } },
  {
    id: 'lease-1',
    input: [
      { role: 'user', content: 'Hello' },
      { role: 'user', content: 'Who is the tenant?' },
    ],
    metadata: { source: ['legal', 'hr'], nested: { 'a b': 'deep' } },
  },
].map((value) => caseSchema.parse(value));

function selected(...terms: string[]): string[] {
  return cases.filter(parseCaseFilter(terms)).map(({ id }) => id);
}

test.each([
  ['id=tax-1', ['tax-1']],
  ['id=tax-*', ['tax-1', 'tax-2']],
  ['id=*-1', ['tax-1', 'lease-1']],
  ['id=tax-2|lease-*', ['tax-2', 'lease-1']],
  ['id!=tax-*', ['lease-1']],
  ['category=TAX', ['tax-1', 'tax-2']],
  ['category=uncategorized', ['lease-1']],
  ['tag=slow', ['tax-1']],
  ['tag!=slow', ['tax-2', 'lease-1']],
  ['cluster=doc-1', ['tax-1']],
  ['cluster!=doc-1', ['tax-2', 'lease-1']],
  ['question=who is the tenant?', ['lease-1']],
  ['question=what*', ['tax-1']],
  ['question=*(a*', ['tax-1']],
  ['question=is x=1 the rate?', ['tax-2']],
  ['metadata.year=2021', ['tax-2']],
  ['metadata.done=true', ['tax-2']],
  ['metadata.source=hr', ['lease-1']],
  ['metadata.nested=*', []],
  ['metadata.nothing=*', []],
  ['Id=tax-1', ['tax-1']],
])('%s selects %j', (term, ids) => {
  expect(selected(term)).toEqual(ids);
});

test('all terms must match, in one text or in several', () => {
  expect(selected('category=tax tag!=slow')).toEqual(['tax-2']);
  expect(selected('category=tax', 'tag!=slow')).toEqual(['tax-2']);
  expect(selected(' category=tax  metadata.year=2021 ')).toEqual(['tax-2']);
  expect(selected('id=tax-*', 'id!=tax-*')).toEqual([]);
});

test.each([
  ['zzz', 'The filter "zzz" does not have the form field=value.'],
  ['=x', 'The filter "=x" does not have the form field=value.'],
  ['', 'The filter "" does not have the form field=value.'],
  ['categry=a', 'The filter "categry=a" names an unknown field. Did you mean "category"?'],
  ['metadata=a', 'The filter "metadata=a" names an unknown field. Did you mean "metadata.NAME"?'],
  ['xyz=a', 'The filter "xyz=a" names an unknown field.'],
  [
    'passed=false',
    'The filter "passed=false" is about results, but here questions are chosen before there are any results.',
  ],
])('%j is refused', (term, message) => {
  expect(() => parseCaseFilter([term])).toThrow(expect.objectContaining({ code: 'usage-invalid', message }));
});

test('every case matches either a filter or its negation', () => {
  const value = fc.stringMatching(/^[a-z0-9*|-]{0,6}$/);
  const field = fc.constantFrom('id', 'category', 'tag', 'question', 'metadata.year');
  fc.assert(
    fc.property(field, value, (name, pattern) => {
      const both = [...selected(`${name}=${pattern}`), ...selected(`${name}!=${pattern}`)];
      expect(both.toSorted()).toEqual(cases.map(({ id }) => id).toSorted());
    }),
  );
});

test('a filter with many stars terminates, whether it matches or not', () => {
  const long = caseSchema.parse({ id: 'a', input: 'a'.repeat(5000), tags: [], expected: {}, metadata: {} });
  expect(parseCaseFilter([`question=${'*a'.repeat(45)}*`])(long)).toBe(true);
  expect(parseCaseFilter([`question=${'*a'.repeat(45)}*b`])(long)).toBe(false);
});
