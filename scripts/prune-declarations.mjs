// Removes the declarations that no entry of the library leads to: those of the command line, the server and the importers.
import { existsSync, globSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';

/** An import or an export of another declaration: `from './a.ts'`, `import('./a.ts')`. */
const references = /(?:\bfrom|\bimport|\bimport\()\s*['"](\.[^'"]+)['"]/g;

/**
 * @param folder - The folder with all declarations.
 * @param entries - The declarations that the package exports, in that folder.
 */
export function pruneDeclarations(folder, entries) {
  const needed = new Set();
  const open = [...entries];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (needed.has(file)) continue;
    if (!existsSync(file)) throw new Error(`The declarations lead to ${file}, which is not there.`);
    needed.add(file);
    for (const [, name] of readFileSync(file, 'utf8').matchAll(references)) {
      // A file of JSON has no declaration.
      if (/\.[mc]?[tj]s$/.test(name))
        open.push(path.resolve(path.dirname(file), name.replace(/\.[mc]?[tj]s$/, '.d.ts')));
    }
  }
  for (const name of globSync('**/*.d.ts', { cwd: folder })) {
    const file = path.join(folder, name);
    if (!needed.has(file)) rmSync(file);
  }
}
