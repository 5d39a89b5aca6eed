import { spawnSync } from 'node:child_process';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keywords } from '../../evaluate/metrics/text/keywords.ts';
import { toolUsage } from '../../evaluate/metrics/tools/tool-usage.ts';
import type { Verdict } from '../../core/schema/verdict.ts';
import { buildCase, buildTrial } from '../../library/testing/build-records.ts';
import { threeComponent } from './three-component.ts';

const tool = fc.constantFrom('query_database', 'search_document_content', 'list_business_documents');
const word = fc.constantFrom(
  'basis',
  'legal',
  'Ann',
  'no',
  '442300',
  '49',
  '5 %',
  'rental income',
  'STRASSE',
  'É',
  'C++',
  '東京',
  "can't",
  '',
);
const said = fc.constantFrom(
  'The basis is illegal.',
  'Hannah knows',
  '$442,300',
  '$149',
  '15 %',
  'Rental\nincome',
  'Straße',
  'e\u0301',
  'c++17',
  '東京都',
  'I can’t',
  'BASIS',
  '442300 dollars',
  ' ',
  '-5',
  'İSTANBUL',
);
const trials = fc.record({
  expected_tools: fc.uniqueArray(tool),
  tools_used: fc.array(tool, { maxLength: 4 }),
  expected_keywords: fc.array(fc.oneof(word, fc.string({ unit: 'grapheme', maxLength: 3 })), {
    maxLength: 5,
  }),
  response: fc
    .array(fc.oneof(said, fc.string({ unit: 'grapheme' })), { maxLength: 4 })
    .map((parts) => parts.join(' ')),
  error: fc.constantFrom(null, null, null, 'ToolExecutionError'),
});
type Drawn = typeof trials extends fc.Arbitrary<infer Value> ? Value : never;

const card = threeComponent.definition.create(threeComponent.definition.options.parse({ source: true }), {});

/** Scores a trial by the metrics and options that the scorecard names. */
function score({ expected_tools, tools_used, expected_keywords, response, error }: Drawn) {
  const input = {
    case: buildCase({ expected: { tools: expected_tools, keywords: expected_keywords } }),
    trial: buildTrial(response, {
      transcript: [
        {
          role: 'assistant',
          content: response,
          toolCalls: tools_used.map((name, index) => ({ id: String(index), name, arguments: {} })),
        },
      ],
    }),
  };
  const verdicts = new Map<string, Verdict>(
    card.criteria.map(({ name, metric: named }) => {
      const { use, ...options } = named as { readonly use: string };
      if (use === 'error-handling') return [name, { status: 'scored', value: error === null ? 1 : 0 }];
      const { definition } = use === 'keywords' ? keywords : toolUsage;
      const metric = definition.create(definition.options.parse(options) as never, {});
      return [name, metric.score(input) as Verdict];
    }),
  );
  const valueOf = (name: string) => (verdicts.get(name) as { value: number }).value;
  return {
    tools: valueOf('tool usage'),
    quality: valueOf('response quality'),
    score: card.evaluate(verdicts).total,
  };
}

const hasPython = spawnSync('python3', ['--version']).status === 0;

test.skipIf(!hasPython)(
  'with `source: true`, 2000 random trials have the scores of the source in Python to the digit (needs python3)',
  () => {
    const drawn = fc.sample(trials, { numRuns: 2000, seed: 442_300 });
    const python = spawnSync('python3', [path.join(import.meta.dirname, 'three-component-source.py')], {
      input: JSON.stringify(drawn),
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    });
    const expected = JSON.parse(python.stdout) as ReturnType<typeof score>[];
    const scored = drawn.map(score);
    expect(scored.map(({ tools, quality }) => ({ tools, quality }))).toEqual(
      expected.map(({ tools, quality }) => ({ tools, quality })),
    );
    for (const [index, { score: total }] of scored.entries()) {
      expect(total).toBeCloseTo(expected[index]?.score ?? Number.NaN, 14);
    }
    expect(new Set(expected.map(({ quality }) => quality)).size).toBeGreaterThan(8);
  },
);
