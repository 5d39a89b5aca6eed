// Runs every `check:…` script of package.json, one for each core at a time, also after one has failed, and lists those that
// failed. The output of a check is printed when it has ended.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};
const checks = Object.keys(scripts).filter((name) => name.startsWith('check:'));
const failed: string[] = [];

// On Windows, `npm` is a script that only a shell runs; `npm run` names the program of npm.
const { npm_execpath: script } = process.env;
const [npm, npmArguments] = script === undefined ? ['npm', []] : [process.execPath, [script]];

async function runCheck(name: string): Promise<void> {
  const child = spawn(npm, [...npmArguments, 'run', '--silent', name], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const [code] = (await once(child, 'close')) as [number | null];
  process.stdout.write(output);
  if (code !== 0) failed.push(name);
}

const waiting = checks.values();
await Promise.all(
  Array.from({ length: availableParallelism() }, async () => {
    for (const name of waiting) await runCheck(name);
  }),
);
if (failed.length > 0) {
  console.error(`\n✗ ${failed.length} of ${checks.length} checks failed: ${failed.join(', ')}`);
  process.exitCode = 1;
}
