// Writes the tables of examples/moved-from-promptfoo/README.md from the results of promptfoo beside it. With `--promptfoo FOLDER`,
// promptfoo asks again first; where it is missing in that folder, it is installed there (2 GB, no part of this project).
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { movedTables, readMovedProject } from './site/moved-promptfoo.ts';
import { withTables } from './write-call-tables.ts';

const { values } = parseArgs({ options: { promptfoo: { type: 'string' } } });
const example = path.resolve(import.meta.dirname, '..', 'examples', 'moved-from-promptfoo');
const folder = path.join(example, 'promptfoo');
if (values.promptfoo !== undefined) askAgain(path.resolve(values.promptfoo));
const page = path.join(example, 'README.md');
writeFileSync(page, withTables(readFileSync(page, 'utf8'), movedTables(await readMovedProject(folder))));

/** Lets promptfoo ask its scripted model, without a key and without its telemetry. */
function askAgain(modules: string): void {
  const promptfoo = path.join(modules, 'node_modules', 'promptfoo', 'dist', 'src', 'entrypoint.js');
  mkdirSync(modules, { recursive: true });
  if (!existsSync(promptfoo))
    start('npm', ['install', '--prefix', modules, '--no-audit', '--no-fund', 'promptfoo@0.123.1']);
  const quiet = ['--no-cache', '--no-table', '--no-progress-bar', '-j', '1'];
  start(process.execPath, [promptfoo, 'eval', ...quiet, '-o', 'results.json'], {
    PROMPTFOO_CONFIG_DIR: path.join(modules, 'home'),
    PROMPTFOO_DISABLE_TELEMETRY: '1',
    PROMPTFOO_DISABLE_UPDATE: '1',
    PROMPTFOO_FAILED_TEST_EXIT_CODE: '0',
  });
  // Everything that it wrote, without the blanks: the package has this file.
  const results = path.join(folder, 'results.json');
  writeFileSync(results, `${JSON.stringify(JSON.parse(readFileSync(results, 'utf8')))}\n`);
}

function start(program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): void {
  const { status } = spawnSync(program, args, {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error(`${program} ended with ${status}`);
}
