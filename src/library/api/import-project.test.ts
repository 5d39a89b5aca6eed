import { existsSync, mkdirSync, mkdtempDisposableSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { ImportedProject } from '../../exchange/importers/importer.ts';
import { translateProject, writeProject } from './import-project.ts';

test('a folder with the name of a file to write is refused, whatever else may be replaced', () => {
  const to = mkdtempSync(path.join(tmpdir(), 'touchstone-import-'));
  mkdirSync(path.join(to, 'golden.jsonl'));
  const project = {
    record: { counts: { cases: 1 } },
    files: { 'golden.jsonl': '{"question": "q"}\n' },
  } as unknown as ImportedProject;
  for (const force of [false, true]) {
    expect(() => writeProject(project, { to, force })).toThrow(
      expect.objectContaining({
        code: 'import-invalid',
        message: expect.stringContaining('is a folder, in the way of a file'),
      }),
    );
  }
  rmSync(to, { recursive: true });
});

test('a file without a question is refused before anything is written', async () => {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'import-'));
  const file = path.join(folder.path, 'log.json');
  const described = { task: 'shop', model: 'm', created: '2026-01-01T00:00:00Z', dataset: {}, config: {} };
  writeFileSync(file, JSON.stringify({ version: 2, status: 'error', eval: described }));
  const to = path.join(folder.path, 'shop');
  const project = await translateProject(file);
  expect(() => writeProject(project, { to })).toThrow(/no question to import/);
  expect(existsSync(to)).toBe(false);
});
