import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Returns what a function finds in a folder with the given files, which is removed afterwards. */
export function checkTree<Found>(
  check: (root: string) => Found,
  files: Readonly<Record<string, string>>,
): Found {
  const root = writeTree(files);
  try {
    return check(root);
  } finally {
    rmSync(root, { recursive: true });
  }
}

/** Writes files into a new temporary folder, and returns the folder. */
function writeTree(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(path.join(tmpdir(), 'touchstone-tree-'));
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(root, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return root;
}
