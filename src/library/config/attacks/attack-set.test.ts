import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { toEvaluation } from '../load-evaluation.ts';
import { loadGolden, loadLint } from '../load-lint.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'attack-set-'));
afterAll(() => rm(folder, { recursive: true }));

test('the built-in set is named by its version, not by a path of the machine, and nothing is written to it', async () => {
  const config = {
    dataset: { use: 'attacks' },
    targets: [{ use: 'http', url: 'http://127.0.0.1:9' }],
  } as const;
  await writeFile(path.join(folder, 'touchstone.config.json'), JSON.stringify(config));
  const { evaluation } = await toEvaluation({ written: config, folder });
  const { value: draft } = await evaluation.dataset.drafts()[Symbol.asyncIterator]().next();
  expect([evaluation.dataset.sources, draft?.place.file]).toEqual([['attacks 1'], 'attacks 1']);
  const choices = { folder, onNotice: () => {} };
  expect((await loadLint({ ...choices, files: [] })).dataset.sources).toEqual(['attacks 1']);
  await expect(loadGolden(choices)).rejects.toThrow('There is no golden set.');
});
