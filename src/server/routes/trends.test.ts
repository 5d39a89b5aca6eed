import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { judgedRun, labelRun, scored, version } from '../../../test/support/labelled-run.ts';
import { trendsSchema } from '../../core/schema/trends.ts';
import { calibrate } from '../../library/api/calibrate.ts';
import { undo } from '../../people/reviews/give-labels.ts';
import { createMemoryStore } from '../../../test/support/memory-store.ts';
import { createApp } from '../create-app.ts';

test('the trends show at once that a label behind a certificate was withdrawn', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'touchstone-trends-'));
  const store = createMemoryStore();
  await judgedRun(store, folder, 'smooth', { targets: [version('v1', 0.9)], ...scored });
  await labelRun(store, { labels: 200 });
  const { certificate } = await calibrate({ store, rubric: 'helps' });
  const [port, secret] = [4321, 'a-secret-of-a-test'];
  const app = createApp({
    openStore: async () => await Promise.resolve(store),
    assets: { document: '', files: new Map() },
    access: { port, secret, tokens: new Set() },
  });
  const headers = { host: `127.0.0.1:${port}`, cookie: `touchstone-${port}=${secret}` };
  const pointOf = async () => {
    const response = await app.request('/api/trends', { headers });
    return trendsSchema.parse(await response.json()).trends[0]?.points[0];
  };
  expect((await pointOf())?.corrected).toMatchObject({ value: expect.any(Number) });
  await undo(store, certificate!.calibration.task, { person: 'ann' });
  expect(await pointOf()).toMatchObject({
    notCorrected: expect.stringContaining('was withdrawn or erased'),
  });
  expect((await pointOf())?.corrected).toBeUndefined();
  await rm(folder, { recursive: true });
});
