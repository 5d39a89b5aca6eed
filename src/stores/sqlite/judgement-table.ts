import type { Judgement } from '../../schema/judgement.ts';
import { judgementsOf } from '../../schema/verdict.ts';
import type { ScoresOfTrial } from '../store.ts';
import type { Database, Row } from './database.ts';
import { createJudgementCodec } from './judgement-codec.ts';
import { hexToBytes } from './hex-to-bytes.ts';
import type { OpenRun } from './open-run.ts';
import { packText, unpackText } from './pack-text.ts';

/** The judgements of all runs, and which run rests on which. */
export function createJudgementTable(database: Database) {
  const insert = database.prepare(
    'INSERT INTO judgements (id, key, asked_at, answered, record) VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING',
  );
  const insertUse = database.prepare(
    'INSERT OR IGNORE INTO judgement_uses (run, judgement) SELECT ?, number FROM judgements WHERE id = ?',
  );
  const selectByKey = database.prepare(
    'SELECT record FROM judgements WHERE key = ? AND answered = 1 ORDER BY asked_at DESC, id DESC LIMIT ?',
  );
  const selectUsed = database.prepare(
    `SELECT number FROM judgement_uses JOIN judgements ON number = judgement
     WHERE run = ? ORDER BY asked_at, id`,
  );
  const selectUse = database.prepare(
    'SELECT record FROM judgement_uses JOIN judgements ON number = judgement WHERE run = ? AND id = ?',
  );
  const selectRecord = database.prepare('SELECT record FROM judgements WHERE number = ?');
  const deleteUses = database.prepare('DELETE FROM judgement_uses WHERE run = ?');

  const codec = createJudgementCodec(database);

  const decode = (row: Row | undefined): Judgement[] =>
    row === undefined ? [] : [codec.decode(unpackText(row['record']))];

  return {
    find: (key: string, askedIn?: string): Judgement | undefined =>
      selectByKey
        .all(hexToBytes(key), askedIn === undefined ? 1 : -1)
        .flatMap(decode)
        .find((judgement) => askedIn === undefined || judgement.askedIn === askedIn),

    add: (run: OpenRun, judgements: readonly Judgement[]): void => {
      for (const judgement of judgements) {
        const { id, key, askedAt, outcome } = judgement;
        const answered = Number(outcome.status === 'answered');
        insert.run(hexToBytes(id), hexToBytes(key), askedAt, answered, packText(codec.encode(judgement)));
        insertUse.run(run.number, hexToBytes(id));
      }
    },

    /** Notes what verdicts rest on. Does nothing, and at no cost, for verdicts without a judge. */
    noteUses: (run: OpenRun, scored: readonly Pick<ScoresOfTrial, 'verdicts'>[]): void => {
      const used = scored.flatMap(({ verdicts }) => judgementsOf(verdicts));
      for (const id of used) insertUse.run(run.number, hexToBytes(id));
    },

    *read(run: OpenRun, ids?: readonly string[]): Generator<Judgement> {
      if (ids !== undefined) {
        const found = ids.flatMap((id) => decode(selectUse.get(run.number, hexToBytes(id))));
        yield* found.sort((a, b) => (`${a.askedAt} ${a.id}` < `${b.askedAt} ${b.id}` ? -1 : 1));
        return;
      }
      // Numbers first, records one at a time: no read stays open while others write, and prompts can be long.
      const numbers = selectUsed.all(run.number).map((row) => row['number'] as number);
      for (const number of numbers) yield* decode(selectRecord.get(number));
    },

    removeRun: (run: OpenRun): void => {
      deleteUses.run(run.number);
    },
  };
}
