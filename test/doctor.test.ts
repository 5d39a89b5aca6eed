import { readdirSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder, touchstone } from './run-cli.ts';

async function doctor(cwd: string, env: Readonly<Record<string, string>> = {}) {
  const { code, stdout } = await touchstone(['doctor', '--json'], { cwd, env });
  return { code, text: stdout, report: JSON.parse(stdout) };
}

test('an empty folder has nothing in the way of a run, and nothing is written', async () => {
  const cwd = await temporaryFolder();
  const { code, report } = await doctor(cwd);
  expect([code, report]).toMatchObject([
    0,
    {
      version: '0.1.0',
      installed: 'a checkout',
      config: { file: null },
      store: { kind: 'none yet', folder: '.touchstone' },
      problems: [],
    },
  ]);
  expect(readdirSync(cwd)).toEqual([]);
});

test('a project after a run shows its config, its store and the layout of the store', async () => {
  const cwd = await temporaryFolder();
  await touchstone(['init', '--yes'], { cwd });
  await touchstone(['run'], { cwd });
  const { code, report } = await doctor(cwd);
  expect([code, report]).toMatchObject([
    0,
    {
      config: { file: 'touchstone.config.yaml', fault: null },
      store: {
        kind: 'sqlite',
        folder: '.touchstone',
        layout: expect.toSatisfy((layout: number) => layout >= 6),
        fault: null,
      },
    },
  ]);
  const { stdout } = await touchstone(['doctor'], { cwd });
  expect(stdout).toMatch(/^Touchstone {2}0\.1\.0, a checkout\nNode\.js {5}\d+\.\d+\.\d+\n/);
  expect(stdout).toContain('Nothing is in the way of a run.');
});

test('a config that cannot be used, a damaged store and an old package are problems, each with what to do', async () => {
  const cwd = await temporaryFolder();
  await writeFile(
    path.join(cwd, 'touchstone.config.yaml'),
    'dataset: golden.jsonl\ntargets: []\nnonsense: 1\n',
  );
  await mkdir(path.join(cwd, '.touchstone'));
  await writeFile(
    path.join(cwd, '.touchstone', 'touchstone.db'),
    'no database at all, but a file of this name',
  );
  await mkdir(path.join(cwd, 'node_modules', 'pg'), { recursive: true });
  await writeFile(path.join(cwd, 'node_modules', 'pg', 'package.json'), '{"version":"7.18.2"}');
  const { code, report } = await doctor(cwd);
  expect(code).toBe(4);
  expect(report.problems).toEqual([
    'touchstone.config.yaml cannot be used (config-invalid): `touchstone run --dry-run` says why.',
    'The store cannot be read (store-unreadable): `touchstone check` says why.',
    'pg is 7.18.2, and ^8.16.0 is needed: `npm install --save-dev pg@8`.',
  ]);
});

test('no key, no question, no address and no path outside the folder is shown', async () => {
  const cwd = await temporaryFolder();
  const secret = 'sk-proj-abcdefghijklmnopqrstuvwxyz0123456789';
  await writeFile(path.join(cwd, 'golden.jsonl'), '{"question":"What is the secret of Ann?"}\n');
  const config = `dataset: golden.jsonl\nstore: ../${path.basename(cwd)}-elsewhere\ntargets: [{ use: http, url: 'http://bot.internal/', headers: { authorization: 'Bearer ${secret}' } }]\n`;
  await writeFile(path.join(cwd, 'touchstone.config.yaml'), config);
  const { code, text } = await doctor(cwd, {
    OPENAI_API_KEY: secret,
    HTTPS_PROXY: 'http://ann:pass@proxy.internal:3128',
  });
  expect(code).toBe(4);
  expect(text).toContain('HTTPS_PROXY');
  for (const hidden of [
    secret,
    'Ann',
    'ann:pass',
    'internal',
    'elsewhere',
    cwd,
    path.dirname(cwd) + path.sep,
  ])
    expect(text).not.toContain(hidden);
});
