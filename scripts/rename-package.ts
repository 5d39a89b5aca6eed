// node scripts/rename-package.ts NAME: gives the package another name on npm and PyPI, wherever the present one is written. The
// command stays `touchstone`, and Python programs go on importing touchstone_evals. Then: npm run format, npm run build.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const command = 'touchstone';
/** What a build or an installation makes again. */
const made = ['.git', '.touchstone', 'coverage', 'dist', 'node_modules', 'schemas'];

/** Gives the package in a folder another name and returns the files that have changed. */
export function renamePackage(root: string, name: string): string[] {
  const { name: before } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    name: string;
  };
  const problem = problemOf(name, before);
  if (problem !== undefined) throw new Error(problem);
  const word = new RegExp(String.raw`(?<![\w@-])${before}(?![\w-])`, 'g');
  return globSync('**/*', {
    cwd: root,
    exclude: ({ name: entry }) => made.includes(entry),
    withFileTypes: true,
  })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => {
      const text = readFileSync(file, 'utf8');
      const changed = text.replace(word, name);
      // A file that is not text is never written.
      if (changed === text || text.includes('\0')) return false;
      writeFileSync(file, changed);
      return true;
    });
}

function problemOf(name: string, before: string): string | undefined {
  if (before === command)
    return `The package has the name of its command, ${command}: a program cannot tell one from the other.`;
  // What both npm and PyPI accept; PyPI has no scopes.
  if (!/^[a-z\d](?:[a-z\d-]{0,212}[a-z\d])?$/.test(name))
    return `${name} is no name for npm and PyPI: use small letters, digits and hyphens.`;
  return name === before ? `The package is called ${name} already.` : undefined;
}

if (import.meta.main) {
  const [name] = process.argv.slice(2);
  try {
    if (name === undefined) throw new Error('Usage: node scripts/rename-package.ts NAME');
    const changed = renamePackage(path.resolve(import.meta.dirname, '..'), name);
    console.log(`${name}: ${changed.length} files changed. Next: npm run format && npm run build`);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 4;
  }
}
