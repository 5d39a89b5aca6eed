import type { Database } from './database.ts';
import { hexToBytes } from './hex-to-bytes.ts';
import type { OpenRun } from './open-run.ts';

/** Which run is asking which question to a judge. */
export function createQuestionTable(database: Database) {
  const insert = database.prepare('INSERT OR IGNORE INTO taken_questions (key, run) VALUES (?, ?)');
  const selectTaker = database.prepare(
    'SELECT id FROM taken_questions JOIN runs ON number = run WHERE key = ?',
  );
  const remove = database.prepare('DELETE FROM taken_questions WHERE key = ? AND run = ?');
  const removeAll = database.prepare('DELETE FROM taken_questions WHERE run = ?');

  return {
    /** The id of the run that has each question from now on, in the same order. */
    take: (run: OpenRun, keys: readonly string[]): string[] =>
      keys.map(hexToBytes).map((key) => {
        insert.run(key, run.number);
        return selectTaker.get(key)?.['id'] as string;
      }),
    giveBack: (run: OpenRun, keys?: readonly string[]): void => {
      if (keys === undefined) removeAll.run(run.number);
      else for (const key of keys) remove.run(hexToBytes(key), run.number);
    },
  };
}
