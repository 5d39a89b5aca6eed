import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../run-cli.ts';
import { execute, root } from './pack.ts';
import { isReleaseTested } from '../support/is-release-tested.ts';

/** Copies the sources to a new folder, where they share what is installed. */
async function copyProject(): Promise<string> {
  const folder = await temporaryFolder();
  const left = new Set(['.git', 'coverage', 'dist', 'node_modules']);
  await cp(root, folder, { recursive: true, filter: (file) => !left.has(path.basename(file)) });
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  return folder;
}

/** Reads the TypeScript of CONTRIBUTING.md: two files by the names in their first lines, and the line of a registry. */
async function readExample() {
  const page = await readFile(path.join(root, 'CONTRIBUTING.md'), 'utf8');
  const blocks = Array.from(page.matchAll(/^```ts\n([\s\S]*?)^```$/gm), ([, block = '']) => block);
  const files = blocks.flatMap((block) => {
    const [, name] = /^\/\/ (src\/\S+)\n/.exec(block) ?? [];
    return name === undefined ? [] : [{ name, text: block.slice(block.indexOf('\n') + 1) }];
  });
  return { files, line: blocks.find((block) => block.startsWith('export {'))?.trim() ?? '' };
}

test.skipIf(!isReleaseTested)(
  'a metric added as CONTRIBUTING.md says passes its tests and the checks (needs TOUCHSTONE_TEST_ALL=1)',
  async () => {
    const folder = await copyProject();
    const { files, line } = await readExample();
    expect(files.map(({ name }) => name)).toEqual([
      'src/evaluate/metrics/text/starts-with.ts',
      'src/evaluate/metrics/text/starts-with.test.ts',
    ]);
    for (const { name, text } of files) {
      await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
      await writeFile(path.join(folder, name), text);
    }
    const registry = path.join(folder, 'src/evaluate/metrics/registry.ts');
    const lines = (await readFile(registry, 'utf8')).trimEnd().split('\n');
    const at = lines.findIndex((other) => other.toLowerCase() > line.toLowerCase());
    await writeFile(registry, `${lines.toSpliced(at, 0, line).join('\n')}\n`);

    const start = async (program: string, ...args: string[]) => {
      const failed = ({ stdout, stderr }: { stdout: string; stderr: string }) => expect.fail(stdout + stderr);
      return await execute(program, args, { cwd: folder }).catch(failed);
    };
    const node = (...args: string[]) => start(process.execPath, ...args);
    const npm = (script: string, ...args: string[]) =>
      start('npm', 'run', '--silent', script, ...(args.length > 0 ? ['--', ...args] : []));
    await npm('format', 'src/evaluate/metrics');
    await npm('reference');
    const reference = await readFile(path.join(folder, 'docs/reference/metrics.md'), 'utf8');
    expect(reference).toContain('## `starts-with`\n\nThe answer begins with a text: 1, else 0. Version 1.');
    for (const check of ['layers', 'registries']) await npm(`check:${check}`);
    const names = files.map(({ name }) => name);
    await writeFile(
      path.join(folder, 'added.json'),
      JSON.stringify({ extends: './tsconfig.json', include: names }),
    );
    await start(path.join(root, 'node_modules/.bin/tsc'), '-p', 'added.json');
    await node('node_modules/oxlint/bin/oxlint', '--type-aware', '--max-warnings', '0', ...names);
    const tests = ['src/evaluate/metrics/text/starts-with.test.ts', 'src/evaluate/metrics/registry.test.ts'];
    const { stdout } = await node('node_modules/vitest/vitest.mjs', 'run', '--project', 'unit', ...tests);
    expect(stdout).toContain('starts-with.test.ts');
  },
  600_000,
);
