import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { ImportedProject } from '../../exchange/importers/importer.ts';
import { writeProject } from './import-project.ts';

test('a folder with the name of a file to write is refused, whatever else may be replaced', () => {
  const to = mkdtempSync(path.join(tmpdir(), 'touchstone-import-'));
  mkdirSync(path.join(to, 'golden.jsonl'));
  const project = { files: { 'golden.jsonl': '{"question": "q"}\n' } } as unknown as ImportedProject;
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
