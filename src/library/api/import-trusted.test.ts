import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { translateProject } from './import-project.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-trusted-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes a configuration of promptfoo that is code and leaves a file behind when it is run. Returns the names of both. */
function writeConfig(name: string, body: string) {
  const [file, mark] = [path.join(folder, name), path.join(folder, `${name}.was-run`)];
  writeFileSync(
    file,
    `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(mark)}, '');\n${body}`,
  );
  return { file, mark };
}

const config = `{ prompts: ['{{q}}'], providers: ['echo'], tests: [{ vars: { q: 'Say hi' },
  assert: [{ type: 'contains', value: 'hi' }, { type: 'javascript', value: (output) => output.length > 1 }] }] }`;

test.each([
  ['promptfooconfig.mjs', `export default ${config};`],
  ['promptfooconfig.ts', `export default async (): Promise<unknown> => (${config});`],
])('%s is run only when it is trusted, and imported as its YAML would be', async (name, body) => {
  const { file, mark } = writeConfig(name, body);
  await expect(translateProject(file)).rejects.toMatchObject({
    code: 'import-invalid',
    remedy: expect.stringContaining('--trust'),
  });
  expect(existsSync(mark)).toBe(false);

  const project = await translateProject(file, { isTrusted: true });
  expect(existsSync(mark)).toBe(true);
  const yaml = path.join(folder, 'promptfooconfig.yaml');
  writeFileSync(
    yaml,
    `prompts: ['{{q}}']\nproviders: [echo]\ntests:\n  - vars: { q: Say hi }\n    assert: [{ type: contains, value: hi }, { type: javascript, value: '(output) => output.length > 1' }]\n`,
  );
  const { files } = await translateProject(yaml);
  expect(project.files['golden.jsonl']).toBe(files['golden.jsonl']);
  expect(project.files['todo.md']).toContain('(output) => output.length > 1');
});

test('a trusted file that throws is a message, and a value that no tool wrote is not recognised', async () => {
  const throwing = writeConfig('throws.mjs', `throw new Error('no key');`);
  await expect(translateProject(throwing.file, { isTrusted: true })).rejects.toMatchObject({
    code: 'import-invalid',
    message: expect.stringContaining('no key'),
  });
  const other = writeConfig('other.mjs', 'export const mood = 1;');
  await expect(translateProject(other.file, { isTrusted: true })).rejects.toMatchObject({
    code: 'import-invalid',
  });
});
