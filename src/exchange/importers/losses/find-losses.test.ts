import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { importFiles } from '../../../../test/support/import-files.ts';
import { isReleaseTested } from '../../../../test/support/is-release-tested.ts';
import type { ImportedProject } from '../importer.ts';
import { parseJsonWithNaN } from '../content/read-json-with-nan.ts';
import { findLosses, leavesIn } from './find-losses.ts';

const lossesOf = (value: unknown, written: unknown, reads: readonly string[] = []) =>
  findLosses([{ file: '', value }], [written], reads).map(({ path: at, count }) => `${at} ${count}`);

test('a value of a file that nothing contains is named by its path, with its count', () => {
  const source = {
    rows: [
      { id: 'first', note: 'seen twice' },
      { id: 'second', note: 'seen twice' },
    ],
    by: 'Ada L.',
  };
  expect(lossesOf(source, [{ key: 'first' }, { key: 'second' }])).toEqual(['rows[].note 2', 'by 1']);
  expect(lossesOf(source, { all: ['first', 'second', 'seen twice', 'Ada L.'] })).toEqual([]);
});

test('a truth value or a short number is found under its name only, whatever the spelling of the name', () => {
  expect(lossesOf({ is_cached: true, n: 3 }, { other: true, three: 3 })).toEqual(['is_cached 1', 'n 1']);
  expect(lossesOf({ is_cached: true, n: 3 }, { isCached: true, n: 3 })).toEqual([]);
  expect(lossesOf({ result: { success: true } }, { passed: true }, ['result.success'])).toEqual([]);
});

test('times, seconds and JSON in a text are found in the form in which they are written', () => {
  const source = { at: '2026-01-02 03:04:05+01:00', seconds: 1.234, call: '{"city": "Oslo harbour"}' };
  const written = {
    startedAt: '2026-01-02T02:04:05.000Z',
    latencyMs: 1234,
    arguments: { city: 'Oslo harbour' },
  };
  expect(lossesOf(source, written)).toEqual([]);
});

test('an object of which nearly all is lost is one loss, and what a program named is one path', () => {
  const usage = { total: 1001, prompt: 1002, completion: 1003 };
  expect(lossesOf([{ answer: 'Four legs.', usage }], ['Four legs.'])).toEqual(['[].usage 3']);
  const byId = {
    '0f8fad5b-d9cb-469f-a165-70867728950e': 'gone',
    '7c9e6679-7425-40de-944b-e07fc1f90ae7': 'lost',
  };
  expect(lossesOf({ byId, left: 'here' }, ['here'])).toEqual(['byId.* 2']);
});

test('a fact with a key in it is written nowhere, and named', async () => {
  const key = `sk-${'a1B2'.repeat(8)}`;
  const trace = {
    id: 't1',
    input: 'Cost?',
    output: '49',
    timestamp: '2026-01-02T03:04:05Z',
    observations: [],
    scores: [],
  };
  const { files, record } = await importFiles({
    'traces.json': [{ ...trace, htmlPath: '/project/1', release: 'v1.2', api_key: key }],
  });
  expect(Object.values(files).join('')).not.toContain(key);
  expect(files['answers.jsonl']).toContain('"release":"v1.2"');
  expect(record.ledger).toContainEqual(
    expect.objectContaining({ fate: 'left-out', part: '[].api_key', count: 1 }),
  );
});

const data = path.resolve(import.meta.dirname, '../../../../../shared/data/interop');

/** A file of each tool with answers and scores. */
const samples = [
  'braintrust/experiment.jsonl',
  'deepeval/evaluation_result.json',
  'inspect/stops-at-first-error.json',
  'langfuse/api/traces-full.json',
  'langsmith/runs.json',
  'mlflow/traces.json',
  'openai-evals-hosted/api-export/eval_67f09e.json',
  'openai-evals-registry/shop-match.jsonl',
  'otel/spans-with-evaluations.traces.json',
  'phoenix/experiment-runs.json',
  'promptfoo/agent/results.json',
  'ragas/results.jsonl',
  'weave/calls.jsonl',
];

/** Members that are read only of a result that has an error, which the sample does not have. */
const readWithAnError = new Set(['results.results[].failureReason']);

/** Returns a value in which all values at a path are others, in one of three ways. */
function changed(value: unknown, at: string, way: number, root = ''): unknown {
  const text = typeof value === 'string' && /^\s*[[{]/.test(value) ? parsed(value) : value;
  if (text !== value) return JSON.stringify(changed(text, at, way, root));
  if (Array.isArray(value)) return value.map((item) => changed(item, at, way, `${root}[]`));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name,
        changed(member, at, way, root === '' ? name : `${root}.${name}`),
      ]),
    );
  }
  if (root !== at) return value;
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return way === 0 ? value + 1 : way === 1 ? value + 2 : -value - 3;
  return way === 0 ? `${String(value)} changed` : 'zz';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Returns all that was written but for the ledger. */
function textOf({ files, record }: ImportedProject): string {
  const { 'import.json': _ledger, 'todo.md': _todo, ...rest } = files;
  return JSON.stringify([rest, record.metadata, record.found]).replaceAll(record.source.file, '');
}

/** Returns whether the ledger says that what is below a path was not taken over, or became something else. */
function isNamed(at: string, { record }: ImportedProject): boolean {
  const names = at.replaceAll('[]', '').split('.');
  return record.ledger.some(({ fate, part }) => {
    if (fate === 'taken' || fate === 'metadata') return false;
    const isBelow = at === part || at.startsWith(`${part}.`) || at.startsWith(`${part}[`);
    return isBelow || names.includes(part) || part.split(/[^\w]+/).includes(names.at(-1) ?? '');
  });
}

for (const sample of samples) {
  const file = path.join(data, sample);
  test.skipIf(!existsSync(file) || !isReleaseTested)(
    `every value of ${sample} is written, or is named in the ledger (needs ../shared/data and TOUCHSTONE_TEST_ALL=1)`,
    async () => {
      const text = readFileSync(file, 'utf8');
      const isLines = sample.endsWith('.jsonl');
      const source = isLines
        ? text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [parseJsonWithNaN(line)]))
        : parseJsonWithNaN(text);
      const importOf = async (value: unknown) =>
        await importFiles({
          [path.basename(file)]: isLines
            ? (value as unknown[]).map((line) => JSON.stringify(line)).join('\n')
            : JSON.stringify(value),
        });
      const before = textOf(await importOf(source));
      const silent: string[] = [];
      for (const at of new Set([...leavesIn(source)].map((leaf) => leaf.path))) {
        if (at.includes('*') || readWithAnError.has(at)) continue;
        const isSilent = async (way: number) => {
          const after = await importOf(changed(source, at, way)).catch(() => undefined);
          return after !== undefined && textOf(after) === before && !isNamed(at, after);
        };
        if ((await isSilent(0)) && (await isSilent(1)) && (await isSilent(2))) silent.push(at);
      }
      expect(silent).toEqual([]);
    },
  );
}
