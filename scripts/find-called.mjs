import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const template = path.resolve(import.meta.dirname, '..', 'templates', 'module');

/**
 * The functions that are called when the evaluation of `touchstone init` is run and shown, and the library imported.
 * @param dist - A folder with a build.
 * @returns For each file of the build where functions were called, their ranges as `start-end`.
 */
export function findCalled(dist) {
  const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-build-'));
  try {
    const cli = path.join(dist, 'cli.js');
    const library = pathToFileURL(path.join(dist, 'index.js')).href;
    writeConfig(folder);
    runCovered([cli, 'run'], folder);
    runCovered([cli, 'show'], folder);
    runCovered(['--import', library, '--eval', '0'], folder);
    return readCalled(dist, folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function writeConfig(folder) {
  const config = {
    dataset: path.join(template, 'golden.jsonl'),
    targets: [{ use: 'module', name: 'bot', path: path.join(template, 'bot.ts') }],
  };
  writeFileSync(path.join(folder, 'touchstone.config.json'), JSON.stringify(config));
}

function runCovered(args, folder) {
  const env = { ...process.env, NODE_V8_COVERAGE: path.join(folder, 'coverage') };
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder, env, encoding: 'utf8' });
  if (status !== 0)
    throw new Error(`The build does not work: ${args.join(' ')} ended with ${status}.\n${stderr}`);
}

/** What several processes called, put together. */
function readCalled(dist, folder) {
  const called = new Map();
  for (const report of globSync('coverage/*.json', { cwd: folder })) {
    for (const { url, functions } of JSON.parse(readFileSync(path.join(folder, report), 'utf8')).result) {
      const file = url.startsWith('file:') ? fileURLToPath(url) : '';
      if (!file.startsWith(dist + path.sep)) continue;
      const ranges = functions.map((one) => one.ranges[0]).filter(({ count }) => count > 0);
      const names = ranges.map(({ startOffset, endOffset }) => `${startOffset}-${endOffset}`);
      called.set(file, new Set([...(called.get(file) ?? []), ...names]));
    }
  }
  return called;
}
