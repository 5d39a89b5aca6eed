import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Trial } from '../../../core/schema/trial.ts';
import type { Verdict } from '../../../core/schema/verdict.ts';
import { buildCase, buildTrial } from '../../../library/testing/build-records.ts';
import { supportedFacts } from './supported-facts.ts';

interface Parts {
  readonly question?: string;
  readonly source?: string;
  readonly trial?: Partial<Trial>;
  readonly options?: object;
}

function score(answer: string, { question = '?', source, trial = {}, options = {} }: Parts): Verdict {
  const { definition } = supportedFacts;
  const documents = source === undefined ? undefined : [{ id: 'd', text: source }];
  return definition.create(definition.options.parse(options), {}).score({
    case: buildCase({ input: question, context: 'Background of 1871.' }),
    trial: buildTrial(answer, { documents, ...trial }),
  }) as Verdict;
}

function unsupported(answer: string, parts: Parts): string[] {
  const verdict = score(answer, parts);
  if (verdict.status !== 'scored') throw new Error(JSON.stringify(verdict));
  const { unsupported: list } = verdict.evidence as { unsupported: { kind: string; text: string }[] };
  return list.map(({ kind, text }) => `${kind}: ${text}`);
}

const sale =
  'The contract sales price is $435,000, paid in cash. Seller: the Hartwell Lineage Trust. Closing date June 15, 2023. ' +
  'Agent: Grand Mesa Insurance Services in Montrose, open 9:00 to 17:30. Rate 27.48%. See https://poolula.example/sale.';

test.each([
  ['the price was $435k, or 435 thousand dollars', 'multipliers'],
  ['the price was 435000 dollars', 'separators'],
  ['it closed on 06/15/2023, that is 2023-06-15, in June 2023, on the 15th', 'ways of writing a date'],
  ['it was sold in June', 'the month of a date alone'],
  ['the rate is about 27.5 percent, or 0.2748', 'a rounded share'],
  ["it was the Hartwell Lineage Trust's house", 'the possessive'],
  ['contact Grand Mesa Insurance in Montrose', 'a part of a name'],
  ['they open at 9 am and close at 5:30 p.m.', 'times of day'],
  ['the contract says the price was "paid in cash"', 'a quotation'],
  ['see www.poolula.example/sale', 'an address'],
  ['１. The price was ＄４３５，０００', 'full-width digits'],
])('supported: %s (%s)', (answer) => {
  expect(unsupported(answer, { source: sale })).toEqual([]);
});

test('lists unsupported facts with their kind and position in the answer', () => {
  const answer =
    'Maria Lopez bought it for $453,000 on June 16, 2023 at 6 pm, as "agreed in writing", in Denver. See https://poolula.example/buy.';
  expect(score(answer, { source: sale })).toEqual({
    status: 'scored',
    value: 0,
    explanation:
      'not in the sources: Maria Lopez, $453,000, June 16, 2023, 6 pm, "agreed in writing" and 2 more',
    evidence: {
      facts: 7,
      unsupported: [
        { kind: 'name', text: 'Maria Lopez', index: 0 },
        { kind: 'number', text: '$453,000', index: 27 },
        { kind: 'date', text: 'June 16, 2023', index: 38 },
        { kind: 'time', text: '6 pm', index: 55 },
        { kind: 'quote', text: '"agreed in writing"', index: 64 },
        { kind: 'name', text: 'Denver', index: 88 },
        { kind: 'link', text: 'https://poolula.example/buy', index: 100 },
      ],
    },
  });
});

const german =
  'Die Kaltmiete beträgt 1.204,50 Euro im Monat und ist am 3. März 2025 fällig. Die Wohnung gehört der Bergmann ' +
  'Verwaltungs GmbH in Leipzig. Ansprechpartner ist Herr Jürgen Klausen.';

test.each([
  [
    'German, where all nouns are capitalised',
    german,
    'Die Miete kostet 1204,50 € pro Monat. Bitte zahlen Sie bis zum 03.03.2025 an die Bergmann Verwaltungs GmbH. Bei Fragen hilft Ihnen Herr Klausen gern weiter.',
    [],
  ],
  [
    'German, invented',
    german,
    'Die Miete kostet 1.402,50 € pro Monat. Bitte zahlen Sie bis zum 4. März 2025 an die Hofmann Immobilien GmbH. Bei Fragen hilft Ihnen Frau Petra Sommer gern weiter.',
    ['number: 1.402,50 €', 'date: 4. März 2025', 'name: Hofmann Immobilien GmbH', 'name: Petra Sommer'],
  ],
  [
    'French',
    'Le contrat a été signé le 12 avril 2024 par Hélène Dubois, de la société Lumière. Montant : 1 250 €.',
    'Hélène Dubois, de la société Lumière, a signé le contrat le 12/04/2024 pour 1250 euros. Elle a dit « tout est prêt » à Paul Martin.',
    ['quote: « tout est prêt »', 'name: Paul Martin'],
  ],
  [
    'Spanish',
    'El gerente es José Ramírez y la tienda abre el 1 de agosto de 2024 en Sevilla. El precio es de 2.300 €.',
    'La tienda de Sevilla abre el 1 de agosto de 2024; el gerente, José Ramírez, confirma un precio de 2300 €. También hay otra en Granada.',
    ['name: Granada'],
  ],
  [
    'Japanese',
    '本社は東京にあります。2024年8月1日に設立され、資本金は1,200万円です。',
    '本社は東京で、2024年8月1日設立、資本金は12,000,000円です。社員は350人、「世界一」と言われます。',
    ['number: 350', 'quote: 「世界一」'],
  ],
  ['Arabic', 'الإيجار ١٦٬١٤٤ دولارًا', 'بلغ الإيجار 16,144 دولارًا، والضريبة 999 دولارًا.', ['number: 999']],
  ['Chinese', '公司成立于2019年3月5日，注册资本500万元。', '公司于2019-03-05成立，注册资本5,000,000元。', []],
])('%s', (_language, source, answer, expected) => {
  expect(unsupported(answer, { source })).toEqual(expected);
});

test('headings, list markers, bold labels and tables are not facts by themselves', () => {
  const source =
    'To reset the thermostat, hold Menu for 5 seconds. Call Summit Heating at 970-555-0142. Model TX-500.';
  const answer =
    '## How To Reset\n\n1. **Hold Menu** for 5 seconds\n2. Wait\n3. Call Summit Heating: 970-555-0142\n\n' +
    '| Model | Time |\n|---|---|\n| TX-500 | 5 s |\n\nDo NOT open it. I am happy to help 24/7!';
  expect(unsupported(answer, { source })).toEqual([]);
  expect(unsupported('Take the TX-501.', { source })).toEqual(['name: TX-501']);
});

test('the answer may repeat the question and earlier messages', () => {
  const transcript = [
    { role: 'user' as const, content: 'I am Ana Reyes.' },
    { role: 'assistant' as const, content: 'Hello from Denver' },
  ];
  const parts = { question: 'Is $500 due in May 2024?', source: 'No.', trial: { transcript } };
  expect(unsupported('No, Ana Reyes, not $500 in May 2024, says Denver.', parts)).toEqual(['name: Denver']);
});

test('tool results are sources, with the counts, sums and means of their lists', () => {
  const rows = [
    { month: 'August', amount: -16144.1 },
    { month: 'September', amount: -3775.2 },
    { month: 'October', amount: 0 },
  ];
  const toolCalls = [{ name: 'query_database', result: { rows } }];
  const transcript = [{ role: 'assistant' as const, content: 'x', toolCalls }];
  const answer = '3 months: August $16,144.10, October $0, total $19,919.30, mean $6,639.77; tax $4,100.';
  expect(unsupported(answer, { trial: { transcript } })).toEqual(['number: $4,100']);
  expect(unsupported(answer, { trial: { transcript }, options: { arithmetic: false } })).toEqual([
    'number: 3',
    'number: $19,919.30',
    'number: $6,639.77',
    'number: $4,100',
  ]);
  expect(score(answer, { trial: { transcript }, options: { sources: ['documents'] } })).toMatchObject({
    status: 'not-applicable',
  });
});

test('a message of a tool is a source too; the context of the case only by option', () => {
  const transcript = [{ role: 'tool' as const, content: 'built 1962' }];
  expect(unsupported('Built in 1962, not 1871.', { trial: { transcript } })).toEqual(['number: 1871']);
  const options = { sources: ['context', 'tool-results'] };
  expect(unsupported('Built in 1962, not 1871.', { trial: { transcript }, options })).toEqual([]);
});

test('without sources or facts it is not applicable, never 1', () => {
  expect(score('It is 5.', {})).toEqual({
    status: 'not-applicable',
    reason: 'there is no source text to compare the answer with',
  });
  expect(score('It is 5.', { trial: { documents: [{ id: 'd' }] } })).toMatchObject({
    status: 'not-applicable',
  });
  expect(score('Yes, it does.', { source: sale })).toEqual({
    status: 'not-applicable',
    reason: 'the answer states no fact that can be looked up',
  });
});

test('kinds, known texts and a threshold can be set', () => {
  const answer = 'Ask Maria Lopez about $453,000 on June 15, 2023.';
  expect(unsupported(answer, { source: sale, options: { kinds: ['number'] } })).toEqual(['number: $453,000']);
  expect(unsupported(answer, { source: sale, options: { known: ['Maria Lopez'] } })).toEqual([
    'number: $453,000',
  ]);
  expect(score(answer, { source: sale, options: { threshold: 0.5 } })).toMatchObject({
    value: 1 / 3,
    passed: false,
  });
  expect(score(answer, { source: sale, options: { threshold: 1 / 3 } })).toMatchObject({ passed: true });
});

test('a fact that is stated twice counts once', () => {
  const verdict = score('$453,000! Yes, 453,000 dollars, from the Hartwell Lineage Trust.', { source: sale });
  expect(verdict).toMatchObject({ value: 1 / 2, evidence: { facts: 2 } });
});

test('an answer copied from its source is fully supported, whatever the source', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (source) => {
      const verdict = score(source, { source: `${source} ` });
      expect(verdict.status === 'scored' ? verdict.value : 1).toBe(1);
    }),
    { numRuns: 300 },
  );
});

test('facts never overlap, and none lies outside the answer', () => {
  const piece = fc.constantFrom(
    '"',
    '“',
    '”',
    ' ',
    '.',
    '9',
    '1,204',
    'June 15, 2023',
    'Ana',
    'Reyes',
    '5 pm',
    '\n',
    '🙂',
    '٣',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const answer = pieces.join('');
      const verdict = score(answer, { source: 'nothing' });
      if (verdict.status !== 'scored') return;
      const { unsupported: list } = verdict.evidence as { unsupported: { text: string; index: number }[] };
      for (const { text, index } of list) {
        expect(index).toBeGreaterThanOrEqual(0);
        expect(index).toBeLessThanOrEqual(answer.length - 1);
        expect(text).not.toBe('');
      }
    }),
  );
});
