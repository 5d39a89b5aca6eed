import { mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { translateProject } from './import-project.ts';

const assertion = (value: string) => ({ type: 'javascript', value });
const testOf = (description: string, ...assert: object[]) => ({
  description,
  vars: { q: description },
  assert,
});

async function translate(codeFolder: string, ...tests: object[]) {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'stubs-'));
  const file = path.join(folder.path, 'promptfooconfig.json');
  writeFileSync(file, JSON.stringify({ prompts: ['{{q}}'], providers: ['echo'], tests }));
  return await translateProject(file, { codeFolder });
}

test('code is a comment above a function that throws, and the metric is in the config', async () => {
  const code = 'output > 1\u2028globalThis.ran = 1 /* \r globalThis.ran = 2 */';
  const { files } = await translate(
    'code',
    testOf('a', assertion(code)),
    testOf('b', assertion(code), assertion('output')),
    testOf('c', { type: 'equals', value: 'c' }),
  );
  const text = files['code/checks.mjs'] ?? '';
  const stubs = await import(`data:text/javascript,${encodeURIComponent(text)}`);
  expect(stubs.check1({ answer: 'x', case: { id: 'c' } })).toEqual({ notApplicable: 'another question' });
  expect(() => stubs.check1({ answer: 'x', case: { id: 'b' } })).toThrow('check1 is not written yet');
  expect(() => stubs.check2({ answer: 'x', case: { id: 'b' } })).toThrow('check2 is not written yet');
  expect(Object.keys(stubs)).toEqual(['check1', 'check2']);
  expect(globalThis).not.toHaveProperty('ran');
  expect(files['touchstone.config.yaml']).toContain(
    '  - use: function\n    name: javascript (check2)\n    path: code/checks.mjs\n    export: check2\n',
  );
});

test('without code there are no stubs', async () => {
  const { files } = await translate('code', testOf('a', { type: 'equals', value: 'a' }));
  expect(Object.keys(files)).not.toContain('code/checks.mjs');
});

test.each(['/tmp/code', '../code', 'code/../../other'])(
  'the folder %s is not in the project',
  async (folder) => {
    await expect(translate(folder, testOf('a', assertion('1')))).rejects.toMatchObject({
      code: 'usage-invalid',
    });
  },
);
