import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { changeConfig } from './edit-config.ts';

const settings = [
  {
    path: ['rubrics', 'no-wrong-date'],
    value: { criterion: 'no-wrong-date', question: 'Is it free of this: A.' },
  },
  { path: ['metrics'], value: { use: 'rubric', name: 'no-wrong-date', text: 'a: b\nc' }, isItem: true },
  { path: ['gate', 'judge', 'certified'], value: 'require' },
  {
    path: ['gate', 'rules', 'no wrong-date'],
    value: { type: 'metric', metric: 'no-wrong-date', atLeast: 95 },
  },
] as const;

const expected = {
  rubrics: { 'no-wrong-date': settings[0].value },
  metrics: [settings[1].value],
  gate: { judge: { certified: 'require' }, rules: { 'no wrong-date': settings[3].value } },
};

async function changed(name: string, text: string) {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'config-')), name);
  writeFileSync(file, text);
  const change = await changeConfig(file, settings);
  return { file, change };
}

test('settings are added to the blocks of a config, whose other lines stay as they are', async () => {
  const text = `# our bot
dataset: golden.jsonl   # the questions
metrics:
    - keywords          # words
    - { use: latency, maxMs: 2000 }

# who judges
judge: gpt-5-mini
gate:
  rules:
    good: { type: score, atLeast: 80 }
`;
  const { file, change } = await changed('touchstone.config.yaml', text);
  const removed = change?.diff.split('\n').filter((line) => /^-(?!--)/.test(line));
  expect(removed).toEqual([]);
  expect(parse(change?.text ?? '')).toEqual({
    dataset: 'golden.jsonl',
    metrics: ['keywords', { use: 'latency', maxMs: 2000 }, ...expected.metrics],
    judge: 'gpt-5-mini',
    gate: {
      rules: { good: { type: 'score', atLeast: 80 }, ...expected.gate.rules },
      judge: expected.gate.judge,
    },
    rubrics: expected.rubrics,
  });
  writeFileSync(
    path.join(path.dirname(file), 'p.diff'),
    change?.diff.replaceAll(/([ab])\/\S*\//g, '$1/') ?? '',
  );
  execFileSync('git', ['apply', 'p.diff'], {
    cwd: path.dirname(file),
    env: { ...process.env, GIT_CEILING_DIRECTORIES: tmpdir() },
  });
  expect(readFileSync(file, 'utf8')).toBe(change?.text);
});

test('a list or a map on one line gets entries at its end, and no other line is written again', async () => {
  const text = `dataset: golden.jsonl
targets: [{use: module,   path: bot.mjs}] # ours
metrics: [ keywords,   latency ]
gate: {rules: {good: {type: score,  atLeast: 80}}}
`;
  const { change } = await changed('flow.yaml', text);
  const lines = (sign: string) =>
    (change?.diff.split('\n') ?? []).filter(
      (line) => line.startsWith(sign) && !line.startsWith(sign.repeat(3)),
    );
  expect(lines('-')).toEqual(
    text
      .split('\n')
      .slice(2, 4)
      .map((line) => `-${line}`),
  );
  const [metrics, gate] = lines('+');
  expect(metrics).toMatch(/^\+metrics: \[ keywords,   latency, \{ use: rubric, .*\} \]$/);
  expect(gate).toMatch(
    /^\+gate: \{rules: \{good: \{type: score,  atLeast: 80\}, no wrong-date: \{.*\}\}, judge: \{ certified: require \}\}$/,
  );
  expect(parse(change?.text ?? '')).toMatchObject({ metrics: ['keywords', 'latency', ...expected.metrics] });
});

test('a config in flow style, in JSON or without any of the settings is written as well, a program is not', async () => {
  const flow = await changed('a.yaml', 'dataset: a.jsonl\nmetrics: [keywords]\ngate: { rules: {} }\n');
  expect(parse(flow.change?.text ?? '')).toMatchObject({
    metrics: ['keywords', ...expected.metrics],
    gate: expected.gate,
  });
  const json = await changed('a.json', '{"dataset": "a.jsonl"}');
  expect(JSON.parse(json.change?.text ?? '')).toEqual({ dataset: 'a.jsonl', ...expected });
  const bare = await changed('b.yaml', 'dataset: a.jsonl');
  expect(parse(bare.change?.text ?? '')).toEqual({ dataset: 'a.jsonl', ...expected });
  expect((await changed('c.ts', 'export default {}')).change).toBeNull();
});
