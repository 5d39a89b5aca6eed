import { expect, test } from 'vitest';
import { type Translation } from './importer.ts';
import { Ledger } from './ledger.ts';
import { withValidParts } from './valid-parts.ts';

const translationOf = (given: Partial<Translation>): Translation => ({
  found: 'a file',
  cases: [],
  ...given,
});

test('a question without text is marked as empty, and named', () => {
  const ledger = new Ledger();
  const user = (content: unknown) => ({ role: 'user', content }) as never;
  const inputs = ['Who?', '', ' \u200b\n', [], [user('One?'), user(null)], [user('One?')]];
  const cases = inputs.map((input, index) => ({ id: String(index), input: input as string }));
  const valid = withValidParts(translationOf({ cases }), ledger).cases.map(({ input }) => input);
  expect(valid).toEqual([
    'Who?',
    '(empty)',
    '(empty)',
    '(empty)',
    [user('One?'), user('(empty)')],
    [user('One?')],
  ]);
  const turns = { id: 'a', turns: [{ user: 'Who?' }] };
  expect(withValidParts(translationOf({ cases: [turns] }), ledger).cases).toEqual([turns]);
  expect(ledger.entries()).toMatchObject([
    { part: 'question without text', count: 4, places: ['1', '2', '3', '4'] },
  ]);
});

test('a field that a dataset cannot have gets another name', () => {
  const ledger = new Ledger();
  const metadata = JSON.parse('{"deep": [{"__proto__": {"a": 1}}]}');
  const { cases } = withValidParts(translationOf({ cases: [{ id: 'a', input: 'Who?', metadata }] }), ledger);
  expect(cases).toEqual([
    { id: 'a', input: 'Who?', metadata: { deep: [{ '__proto__ (recorded)': { a: 1 } }] } },
  ]);
  expect(ledger.entries()).toHaveLength(1);
});

test('a score whose name a config cannot have gets another one, and is lost nowhere', () => {
  const ledger = new Ledger();
  const verdict = { status: 'scored', value: 1 };
  const verdicts = JSON.parse(
    JSON.stringify({ constructor: verdict, contains: verdict, fine: verdict, '': verdict }),
  );
  Object.defineProperty(verdicts, '__proto__', { value: verdict, enumerable: true });
  const names = Object.keys(verdicts);
  const { answers } = withValidParts(
    translationOf({
      answers: { rows: [{ verdicts }], targets: ['bot'], verdicts: names, total: 'contains', attempts: 1 },
      config: { metrics: [{ use: 'contains', value: 'x' }, 'case-checks'] },
    }),
    ledger,
  );
  const renamed = [
    'constructor (recorded)',
    'contains (recorded)',
    'fine',
    'unnamed (recorded)',
    '__proto__ (recorded)',
  ];
  expect(answers).toMatchObject({ verdicts: renamed, total: 'contains (recorded)' });
  expect(Object.keys(answers?.rows[0]?.verdicts ?? {})).toEqual(renamed);
  expect(ledger.entries()).toHaveLength(4);
});
