import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { TouchstoneError } from '../../../core/errors.ts';
import * as metrics from '../../../evaluate/metrics/registry.ts';
import { loadCases } from '../../../evaluate/run/prepare/load.ts';
import { expectations } from '../../../core/schema/expectation.ts';
import { createCaseMetrics } from './case-metrics.ts';
import { createCaseCheckRules } from './case-check-rules.ts';
import { noJudge } from '../resolve-metrics.ts';
import { loadEvaluation } from '../load-evaluation.ts';
import { createRegistry } from '../resolve-use.ts';

/** Loads a dataset of the given text with a config, and returns its cases, or the message of the error. */
async function load(name: string, text: string, config: object = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-'));
  try {
    writeFileSync(path.join(folder, name), text);
    const settings = {
      dataset: name,
      targets: [{ use: 'prompts' }],
      metrics: ['case-checks'],
      scorecard: null,
    };
    const { evaluation } = await loadEvaluation(
      { ...settings, targets: [{ use: 'command', command: 'true' }], ...config },
      {},
      folder,
    );
    const { dataset, caseChecks } = evaluation;
    return (await Array.fromAsync(loadCases(dataset, { onNotice: () => {}, caseChecks }))).map(
      (each) => each.case,
    );
  } catch (error) {
    return (error as TouchstoneError).message;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const row = (checks: unknown) => JSON.stringify({ question: 'Who?', expected: { checks } });

test.each([
  [
    'a metric that is not known',
    [{ use: 'contians', value: 'x' }],
    'expected.checks[0].use: there is no metric "contians". Did you mean "contains"?',
  ],
  [
    'an unknown option',
    [{ use: 'contains', values: 'x' }],
    'expected.checks[0].values: unknown setting. Did you mean "value"?',
  ],
  [
    'a wrong option in a group',
    [{ all: [{ not: { use: 'contains', value: 3 } }] }],
    'expected.checks[0].all[0].not.value: expected',
  ],
  [
    'no kind of check',
    [{ name: 'x' }],
    'expected.checks[0]: expected a check with one of `use`, `all`, `any` and `not`',
  ],
  [
    'a group with options of a metric',
    [{ any: [{ use: 'json-valid' }], value: 'x' }],
    'expected.checks[0].value: expected no other keys than any, name, weight, required, threshold',
  ],
  ['an empty group', [{ all: [] }], 'expected.checks[0].all: expected a list of checks that is not empty'],
  ['an empty list', [], 'expected.checks: expected a list of checks'],
  [
    'a negative weight',
    [{ use: 'json-valid', weight: -1 }],
    'expected.checks[0].weight: expected a number of at least 0, found the number -1',
  ],
  [
    'a required check that does not count',
    [{ use: 'json-valid', weight: 0, required: true }],
    'expected.checks[0].required: expected no required check of weight 0',
  ],
  [
    'a threshold of a quantity',
    [{ use: 'latency', threshold: 0.5 }],
    'expected.checks[0].threshold: a quantity in ms has no threshold; known limits are',
  ],
  [
    'code',
    [{ use: 'function', path: './x.ts' }],
    'expected.checks[0].use: the metric "function" runs code, which a check of a question cannot do',
  ],
  [
    'code in another metric',
    [{ use: 'turn-checks', every: [{ use: 'function', path: './x.ts' }] }],
    'the metric "function" runs code',
  ],
  [
    'a judge of its own',
    [
      {
        use: 'rubric',
        text: 'Polite.',
        judge: { use: 'openai-chat', model: 'x', baseUrl: 'http://elsewhere' },
      },
    ],
    'expected.checks[0]: a check cannot bring a judge of its own',
  ],
  [
    'a judged metric without a judge',
    [{ use: 'rubric', text: 'Polite.' }],
    'expected.checks[0]: the metric rubric asks a judge, and none is configured',
  ],
])('%s is refused with its line and path', async (_what, checks, message) => {
  const found = await load('a.jsonl', `{"question": "Hm?"}\n${row(checks)}\n`);
  expect(found).toContain(`a.jsonl:2`);
  expect(found).toContain(message);
});

test('checks are refused also where no metric of the config makes them', async () => {
  const wrong = `${row([{ use: 'contians' }])}\n`;
  expect(await load('a.jsonl', wrong, { metrics: ['latency'] })).toContain('a.jsonl:1');
  const judged = `${row([{ use: 'rubric', text: 'Polite.' }])}\n`;
  expect(await load('a.jsonl', judged, { metrics: ['latency'] })).toHaveLength(1);
});

test('JSON lines, YAML and a cell of JSON give the same checks', async () => {
  const checks = [{ use: 'contains', value: '49', weight: 2 }, { not: { use: 'contains', value: 'euro' } }];
  const ofLines = await load(
    'a.jsonl',
    `${JSON.stringify({ question: 'Who?', expected: { checks, passMark: 0.6 } })}\n`,
  );
  const yaml =
    'question: Who?\nexpected:\n  passMark: 0.6\n  checks:\n    - { use: contains, value: "49", weight: 2 }\n    - not: { use: contains, value: euro }\n';
  const ofYaml = await load('a.yaml', yaml.replace(/^/gm, '  ').replace('  ', '- '));
  const cell = JSON.stringify(checks).replaceAll('"', '""');
  const ofCsv = await load('a.csv', `question,expected_checks,expected_pass_mark\nWho?,"${cell}",0.6\n`);
  for (const cases of [ofLines, ofYaml, ofCsv]) {
    expect(cases).toMatchObject([{ input: 'Who?', expected: { checks, passMark: 0.6 } }]);
  }
  expect(await load('a.csv', 'question,expected_checks\nWho?,contains 49\n')).toContain(
    'a.csv:2:6: expected_checks: expected a list of checks',
  );
});

test('no metric of a check gets a folder to read from', () => {
  const registry = createRegistry<'metric', never, never>('metric', metrics);
  const touched = createCaseMetrics(registry as never, { judge: () => undefined });
  expect(() => touched.find({ use: 'function', path: 'x.ts' })).toThrow();
  const reader = {
    definition: {
      kind: 'metric',
      name: 'reader',
      version: 1,
      options: metrics.jsonValid.definition.options,
      create: (_options: unknown, { folder }: { folder?: string }) => ({ score: () => folder }),
    },
  };
  const own = createCaseMetrics(createRegistry('metric', { reader }) as never, { judge: () => undefined });
  expect(() => own.find({ use: 'reader' })).toThrow(
    expect.objectContaining({ issues: [{ path: [], message: 'a check cannot name a file' }] }),
  );
});

test('the metric that is suggested for each expectation reads it', () => {
  const registry = createRegistry<'metric', never, never>('metric', metrics);
  const known = createCaseMetrics(registry as never, { judge: () => noJudge });
  const { readerOf } = createCaseCheckRules(known);
  const wrong = expectations.filter((name) => {
    const found = Object.values(metrics).find(({ definition }) => definition.name === readerOf(name));
    return found === undefined || !known.find({ use: found.definition.name }).reads.includes(name);
  });
  expect(wrong).toEqual([]);
});
