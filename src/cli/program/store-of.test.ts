import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { repeatPlace } from './store-of.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'place-'));
afterAll(() => rm(folder, { recursive: true }));

test('commands of an advice repeat the config where they read it, and the store where they do not', async () => {
  const config = path.join(folder, 'live.json');
  await writeFile(config, JSON.stringify({ store: 'kept' }));
  const advice =
    'Do `touchstone review create --run r && touchstone calibrate`, not `this`; then `touchstone rescore r`.';
  const kept = path.join(folder, 'kept');
  expect(await repeatPlace(advice, { config })).toBe(
    `Do \`touchstone review create --run r --config ${config} && touchstone calibrate --store ${kept}\`, not \`this\`; ` +
      `then \`touchstone rescore r --config ${config}\`.`,
  );
  expect(await repeatPlace('`touchstone rescore r`', { store: 'my store' })).toBe(
    "`touchstone rescore r --store 'my store'`",
  );
  expect(await repeatPlace(advice, {})).toBe(advice);
});
