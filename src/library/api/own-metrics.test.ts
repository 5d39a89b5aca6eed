import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readPieces, sampleView } from '../../../test/support/build-sample-run.ts';
import type { Config } from '../config/config.ts';
import type { NamedUse } from '../../core/lib/define.ts';
import { defineMetric, type MetricDefinition } from '../../evaluate/metrics/metric.ts';
import * as registry from '../../evaluate/metrics/registry.ts';
import { markdown } from '../../look/reporters/markdown.ts';
import type { Reporter } from '../../look/reporters/reporter.ts';
import { terminal } from '../../look/reporters/terminal.ts';
import type { ModuleRequest } from '../../evaluate/targets/module-function.ts';
import { module } from '../../evaluate/targets/registry.ts';
import { rescore } from './runs/rescore.ts';
import { run, type RunReport } from './runs/run.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-own-'));
afterAll(() => rmSync(folder, { recursive: true }));

const things = ['lamp', 'desk', 'rug', 'vase', 'bed', 'stool', 'sofa', 'chair'];
const rows = things.map((thing, index) => ({
  id: thing,
  question: `What does the ${thing} cost?`,
  expected_answer: 'It costs 49 euros in the shop.',
  expected_keywords: ['49', 'euros'],
  expected_entities: ['shop'],
  expected_tools: index % 2 === 0 ? ['prices', 'stock'] : ['prices'],
  expected_refusal: thing === 'bed',
}));
writeFileSync(path.join(folder, 'golden.jsonl'), rows.map((row) => JSON.stringify(row)).join('\n'));

/** Looks a price up with a tool, makes one up when the tool fails, and repeats whatever instructions the tool returns. */
async function answer(question: string, { useTool }: ModuleRequest): Promise<string> {
  if (question.includes('chair')) throw new Error('no chairs today');
  if (question.includes('sofa')) return '{"error": "upstream unavailable"}';
  if (question.includes('bed')) return 'Sorry, I cannot say. Please ask me something else.';
  const price = await useTool('prices', {}, () => 'It costs 49.').catch(() => 'It costs 19.75.');
  return `Thank you for asking! ${price}`;
}

/** The built-in metrics with an aspect that need no judge. */
const definitions = Object.values(registry)
  .map(({ definition }) => definition as unknown as MetricDefinition<object>)
  .filter(
    ({ name, aspect, parts }) => (aspect ?? parts) !== undefined && !/^(correctness|safety)$/.test(name),
  );

/** Makes a metric of the user's own that computes the same as a built-in one. */
function own(definition: MetricDefinition<object>, name = definition.name): NamedUse {
  return defineMetric({ ...definition, name: `my-${definition.name}` })({ name });
}

/** Returns the rules of a run in which three of the metrics are criteria. */
function rules(use: (definition: MetricDefinition<object>) => NamedUse | string): Partial<Config> {
  const metrics = definitions.map(use);
  const criteria = ['tool-usage', 'response-quality', 'keywords', 'error-handling'].map((name) => ({
    name,
    metric: metrics[definitions.findIndex((one) => one.name === name)] as NamedUse | string,
    weight: 0.25,
    required: name === 'error-handling',
  }));
  return { metrics: [...metrics, 'exact-match'], scorecard: { use: 'weighted', criteria } };
}

async function reportsOf({ run: made, summary, results }: RunReport): Promise<string[]> {
  const sameRun = { ...made, id: 'r', createdAt: '2026-01-01T00:00:00Z', finishedAt: '2026-01-01T00:00:01Z' };
  const input = { run: sameRun, summary, results };
  const text = async (reporter: Reporter, verbose: boolean) =>
    await readPieces(reporter.report(input, sampleView({ verbose, width: 120 })));
  return [
    await text(terminal, false),
    await text(terminal, true),
    await text(markdown, true),
    JSON.stringify(summary),
  ];
}

const config = {
  dataset: 'golden.jsonl',
  targets: [module({ name: 'bot', function: answer })],
  faults: ['timeout'],
  perturb: ['prompt-injection'],
  ...rules(({ name }) => name),
};
const { run: made } = await run(config, { folder });
const rescored = async (use: (definition: MetricDefinition<object>) => NamedUse | string) =>
  await reportsOf(await rescore(made.id, { ...config, ...rules(use) }, { folder }));

test("a user's own metric is shown as the built-in one with the same declarations is", async () => {
  const builtIn = await rescored(({ name }) => name);
  expect(await rescored((definition) => own(definition))).toEqual(builtIn);
});

/** Texts that reports show of the metrics above beyond their values: advice, errors, terms, cautions, contradictions. */
const shown = [
  'stock was expected but not used 4 times',
  'Entities missing most often: "shop" 14 times.',
  '1 failed call, 1 error report for an answer',
  'keywords 0/2, missing "49" "euros" · entities 0/1, missing "shop"',
  'compared by words; a judge reads meaning',
  'polite and wrong',
];

test('without declarations, reports show none of what they show of the built-in metrics', async () => {
  const [declared = ''] = await rescored((definition) => own(definition));
  const [undeclared = ''] = await rescored((definition) => {
    const { aspect: _aspect, parts: _parts, family: _family, ...rest } = definition;
    return own({ ...rest, options: definition.options }, `my ${definition.name}`);
  });
  expect(shown.filter((text) => declared.includes(text))).toEqual(shown);
  expect(shown.filter((text) => undeclared.includes(text))).toEqual([]);
});
