import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { run } from '../src/library/api/runs/run.ts';
import { json } from '../src/look/reporters/json.ts';
import { exportRun } from '../src/evaluate/run/record/archive.ts';
import { createMemoryStore } from '../test/support/memory-store.ts';
import { createSchemas, writeSchemas } from './write-schemas.ts';

const schemas = createSchemas();

/** Each takes a second to compile. */
const compiled = new Map<string, z.ZodType>();

function schemaOf(name: string): z.ZodType {
  const schema = compiled.get(name) ?? z.fromJSONSchema(JSON.parse(schemas.get(name) ?? 'false'));
  compiled.set(name, schema);
  return schema;
}

function accepts(name: string, value: unknown): boolean {
  return schemaOf(name).safeParse(value).success;
}

const good = `
dataset: golden.jsonl
targets:
  - { use: module, path: bot.ts }
scorecard:
  use: weighted
  criteria:
    - { metric: keywords, weight: 0.5 }
    - { metric: { use: contains, value: yes please }, weight: 0.5, required: true }
metrics: [latency, { use: regex, pattern: "[0-9]+" }]
gate: { failUnder: 80 }
`;

describe('the schema of configurations', () => {
  it('accepts a good one', () => {
    expect(schemaOf('config.schema.json').safeParse(parse(good)).error).toBeUndefined();
  });

  it.each([
    'runs',
    '{ path: runs }',
    '{ durability: power }',
    '{ use: sqlite, path: runs }',
    '{ use: memory }',
  ])('accepts the store %s', (store) => {
    expect(accepts('config.schema.json', parse(`${good}store: ${store}`))).toBe(true);
  });

  it.each([
    '""',
    '3',
    '{ use: sqlit }',
    '{ durability: disk }',
    '{ use: memory, path: runs }',
    '{ pfad: runs }',
  ])('refuses the store %s', (store) => {
    expect(accepts('config.schema.json', parse(`${good}store: ${store}`))).toBe(false);
  });

  it.each([
    '{ use: module, path: bot.ts, deterministic: true }',
    '{ use: openai-chat, model: gpt-5-mini, deterministic: true }',
    '{ use: module, path: bot.ts, grid: { with.model: [large, small] } }',
    '{ use: chat, name: bot, grid: { model: [large, small], prompt: [file:short.md] } }',
  ])('accepts the target %s', (target) => {
    expect(accepts('config.schema.json', parse(good.replace('{ use: module, path: bot.ts }', target)))).toBe(
      true,
    );
  });

  it.each([
    ['a target that is not known', 'use: module', 'use: modul'],
    ['an option that is not known', 'path: bot.ts', 'pfad: bot.ts'],
    ['an option of the wrong type', 'required: true', 'required: maybe'],
    ['a metric that is not known', 'latency', 'latencies'],
    ['a metric inside a scorecard that is not known', 'metric: keywords', 'metric: keyword'],
    ['a setting that is not known', 'gate:', 'gates:'],
    ['no targets', '  - { use: module, path: bot.ts }', '  []'],
  ])('refuses %s', (_, from, to) => {
    expect(good).toContain(from);
    expect(accepts('config.schema.json', parse(good.replace(from, to)))).toBe(false);
  });

  it('holds every registered name with its summary', () => {
    const { $defs } = JSON.parse(schemas.get('config.schema.json') ?? '{}');
    expect($defs['metric-name'].anyOf).toContainEqual({ const: 'keywords', description: expect.any(String) });
    expect(
      $defs.target.anyOf.map(({ properties }: { properties: { use: object } }) => properties.use),
    ).toContainEqual({ const: 'command', description: expect.any(String) });
  });
});

describe('the schema of cases', () => {
  it('accepts a row without an id and refuses one without a question', () => {
    expect(accepts('case.schema.json', { input: 'Why?', expected: { keywords: ['because'] } })).toBe(true);
    expect(accepts('case.schema.json', { id: 'a', expected: {} })).toBe(false);
  });
});

describe('the schema of feedback', () => {
  const given = { id: 'f1', at: '2026-01-02T10:00:00Z', source: 'web', signal: 'thumb', value: 'down' };
  const feedback = { ...given, subject: { trialKey: 'k' } };
  const pattern = (value: unknown): unknown =>
    typeof value === 'string' && value.includes('\\P{C}') ? '^[^\\x00-\\x1f]+$' : value;
  // The reader of JSON Schema here compiles patterns without the flag `u`, which JSON Schema demands.
  const text = JSON.stringify(JSON.parse(schemas.get('feedback.schema.json') ?? '{}'), (_, value) =>
    pattern(value),
  );
  const schema = z.fromJSONSchema(JSON.parse(text));

  it('accepts what a program writes, and what an export writes', () => {
    expect(schema.safeParse(feedback).error).toBeUndefined();
    const receivedAt = '2026-01-02T10:00:01.000Z';
    const exported = { ...feedback, user: { key: 'k', hash: 'h' }, receivedAt };
    expect(schema.safeParse(exported).error).toBeUndefined();
  });

  it('refuses an unknown signal, an unknown field, and a missing subject', () => {
    expect(schema.safeParse({ ...feedback, signal: 'wink' }).success).toBe(false);
    expect(schema.safeParse({ ...feedback, label: 1 }).success).toBe(false);
    expect(schema.safeParse(given).success).toBe(false);
  });
});

describe('the records of a run', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-schemas-'));
  const store = createMemoryStore();
  let report: { version: number; results: object[] };
  let lines: object[];

  beforeAll(async () => {
    const rows = [{ input: 'Why?', expected: { keywords: ['because'] } }, { input: 'Fail!' }];
    writeFileSync(path.join(folder, 'golden.jsonl'), rows.map((row) => JSON.stringify(row)).join('\n'));
    const answer = (input: string) => {
      if (input === 'Fail!') throw new Error('no');
      return { answer: 'Because.', tool_calls: [{ name: 'think', arguments: { hard: true } }] };
    };
    const config = { dataset: 'golden.jsonl', targets: [{ use: 'module', function: answer }], maxRetries: 0 };
    const made = await run(config, { folder, store });
    const view = { verbose: false, width: 80, color: false };
    const input = { ...made, outcomes: () => made.results() };
    report = JSON.parse((await Array.fromAsync(json.report(input, view))).join(''));
    lines = (await Array.fromAsync(exportRun(made.run, store))).map((line) => JSON.parse(line));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('agrees with the schema of reports', () => {
    expect(report.results).toHaveLength(2);
    expect(schemaOf('report.schema.json').safeParse(report).error).toBeUndefined();
    expect(accepts('report.schema.json', { ...report, version: 0 })).toBe(false);
    expect(accepts('report.schema.json', { ...report, results: [{}] })).toBe(false);
  });

  it('agrees with the schema of exports, line by line', () => {
    const schema = schemaOf('run-export.schema.json');
    expect(lines.map((line) => schema.safeParse(line).error)).toEqual(lines.map(() => undefined));
    expect(schema.safeParse({ type: 'case' }).success).toBe(false);
  });

  it('may hold fields that a later version adds', () => {
    expect(accepts('report.schema.json', { ...report, later: true })).toBe(true);
  });
});

describe('the files', () => {
  it('are the same every time and carry a name, a title and a version', () => {
    expect([...createSchemas()]).toEqual([...schemas]);
    for (const [name, text] of schemas) {
      expect(JSON.parse(text)).toMatchObject({
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        $id: name,
        $comment: expect.stringMatching(/^version \d+$/),
        title: expect.stringMatching(/^Touchstone /),
      });
    }
  });

  it('are written into a folder', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-schemas-'));
    writeSchemas(path.join(folder, 'schemas'));
    for (const [name, text] of schemas)
      expect(readFileSync(path.join(folder, 'schemas', name), 'utf8')).toBe(text);
    rmSync(folder, { recursive: true });
  });
});
