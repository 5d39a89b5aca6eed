import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { renamePackage } from '../../scripts/rename-package.ts';
import { temporaryFolder } from '../run-cli.ts';
import { isReleaseTested } from '../support/is-release-tested.ts';
import { execute, root } from './pack.ts';

/** Copies what git knows of the repository, so that the copy is packed as a checkout is. */
async function copyRepository(): Promise<string> {
  const copy = path.join(await temporaryFolder(), 'copy');
  const { stdout } = await execute('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    maxBuffer: 64e6,
  });
  const names = stdout.split('\0').filter((name) => name !== '');
  await Promise.all(
    names.map(async (name) => await cp(path.join(root, name), path.join(copy, name)).catch(ignoreMissing)),
  );
  await symlink(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
  return copy;
}

/** A file that was removed and not yet committed. */
function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}

test.skipIf(!isReleaseTested)(
  'a copy under another name is packed under it, and configs import it by that name as well as by touchstone (needs TOUCHSTONE_TEST_ALL=1)',
  async () => {
    const copy = await copyRepository();
    const { name: before } = JSON.parse(await readFile(path.join(copy, 'package.json'), 'utf8')) as {
      name: string;
    };
    expect(renamePackage(copy, 'gold-streak')).toContain(path.join(copy, 'package-lock.json'));
    expect(renamePackage(copy, 'gold-rub')).toContain(
      path.join(copy, 'templates', 'module', 'touchstone.config.ts'),
    );
    const { stdout: left } = await execute('grep', ['-rlIw', before, '--exclude-dir=node_modules', '.'], {
      cwd: copy,
    }).catch(({ stdout }: { stdout: string }) => ({ stdout }));
    expect(left).toBe('');
    const { stdout: packed } = await execute('npm', ['pack', '--ignore-scripts', '--dry-run', '--json'], {
      cwd: copy,
      maxBuffer: 64e6,
    });
    expect(packed).toContain('"filename": "gold-rub-');

    // In place of a build: what the package exports, from the sources.
    await mkdir(path.join(copy, 'dist'));
    await writeFile(path.join(copy, 'dist', 'index.js'), "export * from '../src/library/index.ts';\n");
    await writeFile(
      path.join(copy, 'dist', 'metrics.js'),
      "export * from '../src/evaluate/metrics/index.ts';\n",
    );
    const project = path.join(copy, 'my-eval');
    await mkdir(project);
    await writeFile(
      path.join(project, 'golden.jsonl'),
      '{"question":"Is it gold?","expected_keywords":["gold"]}\n',
    );
    await writeFile(
      path.join(project, 'touchstone.config.ts'),
      `import { defineConfig } from 'gold-rub';
import { keywords } from 'touchstone/metrics';
export default defineConfig({ dataset: 'golden.jsonl', targets: [{ use: 'command', command: 'cat' }], metrics: [keywords()] });
`,
    );
    const { stdout } = await execute(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        "process.argv.splice(1, 0, 'touchstone'); await import('../src/cli/main.ts');",
        'run',
        '--dry-run',
      ],
      { cwd: project },
    );
    expect(stdout).toContain('1 attempt = 1 call');
    expect(() => renamePackage(copy, '@owner/gold')).toThrow('no name for npm and PyPI');
  },
);
