import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { firstLayout, migrations } from '../src/stores/sqlite/migrations.ts';
import { sourceProgram, type Start, touchstone } from './run-cli.ts';

/** The layout of this Touchstone, and the layout of the next. */
export const layouts = {
  now: firstLayout + migrations.length - 1,
  next: firstLayout + migrations.length,
} as const;

/** Makes two tables again: what stands in them is copied, the old ones go. */
const step = `
  CREATE TABLE next_questions (key TEXT NOT NULL PRIMARY KEY, run INTEGER NOT NULL, size INTEGER NOT NULL) STRICT;
  INSERT INTO next_questions SELECT key, run, length(key) FROM questions;
  DROP TABLE questions;
  ALTER TABLE next_questions RENAME TO questions;
  ALTER TABLE trials ADD COLUMN moved INTEGER NOT NULL DEFAULT 0;
  UPDATE trials SET moved = moved + 1;
`;

/**
 * Writes what makes the command line the next one, which has one layout more and has to bring a store to it. Gives what
 * starts it.
 */
export async function writeNextTouchstone(folder: string) {
  const file = path.join(folder, 'next.mjs');
  const source = pathToFileURL(path.resolve(import.meta.dirname, '../src/stores/sqlite/migrations.ts')).href;
  await writeFile(
    file,
    `import { migrations } from ${JSON.stringify(source)};\nmigrations.push(${JSON.stringify(step)});\n`,
  );
  const env = { NODE_OPTIONS: `--import ${pathToFileURL(file).href}` };
  return async (args: readonly string[], start: Omit<Start, 'env' | 'program'>) =>
    await touchstone(args, { ...start, env, program: sourceProgram });
}
