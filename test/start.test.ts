import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from './run-cli.ts';

const root = path.resolve(import.meta.dirname, '..');
const template = path.join(root, 'templates', 'module');
const execute = promisify(execFile);

/** How many functions of the built files V8 compiled with their file, and how many when they were first called. */
async function countCompiled(folder: string): Promise<{ withFile: number; whenCalled: number }> {
  const log = path.join(folder, 'v8.log');
  const logging = ['--log-function-events', '--no-logfile-per-isolate', `--logfile=${log}`];
  await execute(process.execPath, [...logging, path.join(root, 'dist', 'cli.js'), 'run'], { cwd: folder });
  const events = (await readFile(log, 'utf8')).split('\n').map((line) => line.split(','));
  const built = new Set(
    events.flatMap(([event, script, url]) =>
      event === 'script-details' && url?.includes('/dist/') === true ? [script] : [],
    ),
  );
  const placesOf = (kind: string) =>
    events
      .filter(([event, is, script]) => event === 'function' && is === kind && built.has(script))
      .map(([, , ...place]) => place.slice(0, 3).join(' '));
  const whenCalled = new Set(placesOf('parse-function'));
  return {
    withFile: placesOf('interpreter').filter((place) => !whenCalled.has(place)).length,
    whenCalled: whenCalled.size,
  };
}

test('what a run calls is compiled with its file, where the compile cache keeps it', async () => {
  const folder = await temporaryFolder();
  const config = {
    dataset: path.join(template, 'golden.jsonl'),
    targets: [{ use: 'module', name: 'bot', path: path.join(template, 'bot.ts') }],
  };
  await writeFile(path.join(folder, 'touchstone.config.json'), JSON.stringify(config));
  const { withFile, whenCalled } = await countCompiled(folder);
  expect(withFile).toBeGreaterThan(1000);
  expect(whenCalled).toBeLessThan(withFile / 4);
});
