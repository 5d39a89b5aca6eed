import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { isReleaseTested } from '../support/is-release-tested.ts';
import { execute, packedArchive, root } from './pack.ts';

/** Pages whose links lead elsewhere: what the first ones name lies beside them once they are written to a project, and the links of README.md lead to the repository. */
const elsewhere = /^(?:templates\/agents\/|README\.md$|CHANGELOG\.md$)/;

test.skipIf(!isReleaseTested)(
  'every link of a packed page leads to a packed file (needs TOUCHSTONE_TEST_ALL=1)',
  async () => {
    const { stdout } = await execute('tar', ['-tzf', await packedArchive()], { maxBuffer: 2 ** 26 });
    const listed = Array.from(stdout.matchAll(/^package\/(.+)$/gm), ([, file = '']) => file);
    const packed = new Set(listed.flatMap((file) => [file, ...foldersOf(file)]));
    expect(packed).toContain('docs/gate.md');
    const broken = listed
      .filter((file) => file.endsWith('.md') && !elsewhere.test(file))
      .flatMap((file) => {
        const text = readFileSync(path.join(root, file), 'utf8').replaceAll(/^ *```[^]*?^ *```/gm, '');
        return Array.from(text.matchAll(/\]\(([^)\s:#]+)(?:#[^)]*)?\)/g), ([, to = '']) =>
          path.posix.join(path.posix.dirname(file), to).replace(/\/$/, ''),
        )
          .filter((to) => !packed.has(to))
          .map((to) => `${file} → ${to}`);
      });
    expect(broken).toEqual([]);
  },
);

function foldersOf(file: string): string[] {
  const parts = file.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}
