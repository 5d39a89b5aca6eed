import type { DatabaseSync } from 'node:sqlite';
import { uncategorized } from '../../schema/case.ts';
import type { PlannedCase } from '../../schema/result.ts';
import { inTransaction } from './open-database.ts';
import { type CaseRow, decodeCase, encodeCase, toHex } from './row-codec.ts';
import { firstPlace, type OpenRun, placeOf, placesOf } from './trial-place.ts';

const pageSize = 100;
const columns = 'place, id, category, labels, source, hash, content';

type Row = CaseRow & { readonly place: number; readonly source: string; readonly hash: Uint8Array };

/** The cases of all runs. */
export function createCaseTable(database: DatabaseSync) {
  const insert = database.prepare(`INSERT INTO cases (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?)`);
  const selectPage = database.prepare(
    `SELECT ${columns} FROM cases WHERE place BETWEEN ? AND ? ORDER BY place LIMIT ${pageSize}`,
  );
  const selectById = database.prepare(
    `SELECT ${columns} FROM cases WHERE place BETWEEN ? AND ? AND id = ? LIMIT 1`,
  );
  const selectCategories = database.prepare(
    'SELECT category, count(*) AS cases FROM cases WHERE place BETWEEN ? AND ? GROUP BY category ORDER BY min(place)',
  );
  const deleteCases = database.prepare('DELETE FROM cases WHERE place BETWEEN ? AND ?');

  function decode(run: OpenRun, row: Row): PlannedCase {
    const { place, source, hash } = row;
    return { position: place - firstPlace(run), hash: toHex(hash), place: source, case: decodeCase(row) };
  }

  return {
    add: (run: OpenRun, cases: readonly PlannedCase[]): void =>
      inTransaction(database, () => {
        for (const { position, hash, place, case: testCase } of cases) {
          const { content, labels } = encodeCase(testCase);
          const key = Buffer.from(hash, 'hex');
          insert.run(
            placeOf(run, position),
            testCase.id,
            testCase.category ?? null,
            labels,
            place,
            key,
            content,
          );
        }
      }),

    *read(run: OpenRun): Generator<PlannedCase> {
      const [first, to] = placesOf(run);
      let from = first;
      for (;;) {
        const page = selectPage.all(from, to) as unknown as Row[];
        for (const row of page) yield decode(run, row);
        if (page.length < pageSize) return;
        from = (page.at(-1)?.place as number) + 1;
      }
    },

    find: (run: OpenRun, caseId: string): PlannedCase | undefined => {
      const row = selectById.get(...placesOf(run), caseId) as unknown as Row | undefined;
      return row === undefined ? undefined : decode(run, row);
    },

    countCategories: (run: OpenRun): Map<string, number> =>
      new Map(
        selectCategories
          .all(...placesOf(run))
          .map((row) => [(row['category'] as string | null) ?? uncategorized, row['cases'] as number]),
      ),

    deleteRun: (run: OpenRun): void => {
      deleteCases.run(...placesOf(run));
    },
  };
}
