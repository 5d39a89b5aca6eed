import type { AnswerAtHand, AnswerQuery } from '../../feedback/choose-answer.ts';
import type { SqlDatabase, SqlRow } from '../database.ts';
import { toValue } from '../rows.ts';

/** Finds the answers of all runs that meet some conditions, of the newest run first. */
export async function findAnswers(
  { dialect, all }: Pick<SqlDatabase, 'dialect' | 'all'>,
  { trialKey, caseId, run, target, attempt }: AnswerQuery,
): Promise<AnswerAtHand[]> {
  const conditions: readonly (readonly [string, string | number | undefined])[] = [
    ['trials.key = ?', trialKey],
    ['cases.id = ?', caseId],
    ['runs.id = ?', run],
    ['trials.target = ?', target],
    ['trials.attempt = ?', attempt],
  ];
  const given = conditions.filter(([, value]) => value !== undefined);
  const values = given.map(([, value]) => toValue(value));
  const from =
    trialKey === undefined
      ? `cases ${dialect.joinInOrder} trials ON trials.run = cases.run AND trials.position = cases.position`
      : `trials ${dialect.joinInOrder} cases ON cases.run = trials.run AND cases.position = trials.position`;
  const rows = await all(
    `SELECT runs.id, runs.created_at, trials.ordinal, trials.key, cases.id, cases.category, trials.target,
        trials.started_at
      FROM ${from} JOIN runs ON runs.trials_of = trials.run
      WHERE ${given.map(([rule]) => rule).join(' AND ')}
      ORDER BY runs.listed_at DESC, runs.id DESC, trials.ordinal`,
    values,
  );
  return rows.map(answerIn);
}

function answerIn([run, createdAt, ordinal, key, caseId, category, target, startedAt]: SqlRow): AnswerAtHand {
  return {
    run: run as string,
    runCreatedAt: createdAt as string,
    ordinal: ordinal as number,
    trialKey: key as string,
    caseId: caseId as string,
    category: (category as string | null | undefined) ?? null,
    target: target as string,
    answeredAt: startedAt as string,
  };
}
