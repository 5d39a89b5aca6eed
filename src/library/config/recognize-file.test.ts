import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openDataset } from '../../evaluate/datasets/open-dataset.ts';
import { loadCases } from '../../evaluate/run/prepare/load.ts';
import { readers } from './load-config.ts';
import { recognizeFile } from './recognize-file.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-recognize-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function refusalOf(name: string, text: string): Promise<{ message: string; remedy: string }> {
  writeFileSync(path.join(folder, name), text);
  try {
    const dataset = await openDataset({ paths: [name], folder, readers, recognize: recognizeFile });
    await Array.fromAsync(loadCases(dataset, { onNotice: () => {} }));
  } catch (error) {
    return error as { message: string; remedy: string };
  }
  return { message: 'read', remedy: '' };
}

const config =
  'prompts: [prompt.txt]\nproviders: [openai:gpt-5-mini]\ntests:\n- vars: { q: a }\n  assert: [{ type: equals, value: b }]\n';

test('a file of another tool is answered with the command that imports it', async () => {
  const { message, remedy } = await refusalOf('promptfooconfig.yaml', config);
  expect(message).toMatch(/promptfooconfig\.yaml: this is a configuration of promptfoo, not a dataset$/);
  expect(remedy).toMatch(/`touchstone import \S*promptfooconfig\.yaml`/);
});

test.each([
  ['rasa.yml', 'version: "3.1"\nstories:\n- story: hi\n  steps: []\n', 'a file of Rasa', '"turns"'],
  [
    'tests.yaml',
    '- vars: { q: a }\n  assert: []\n',
    'a part of a configuration of promptfoo',
    'touchstone import',
  ],
  ['garak.jsonl', '{"entry_type":"start_run setup"}\n', 'a report of garak', 'expected_refusal'],
  [
    'chat.json',
    '[{"role":"user","content":"hi"},{"role":"assistant","content":"ho"}]',
    'one conversation',
    '"messages"',
  ],
])('%s is named, with what to write', async (name, text, what, remedy) => {
  const refusal = await refusalOf(name, text);
  expect(refusal.message).toContain(`this is ${what}, not a dataset`);
  expect(refusal.remedy).toContain(remedy);
});

test('a file of which some rows are cases keeps the answer about the others', async () => {
  const rows = '{"input":"q","expected_output":"a"}\n{"input":"r","expected_outptu":"b"}\n';
  expect((await refusalOf('goldens.jsonl', rows)).message).toContain('did you mean "expected_output"?');
  expect((await refusalOf('plain.jsonl', '{"quest":"q"}\n')).message).toContain('there is no question');
});
