import type { Feedback, FeedbackMatch } from '../../core/schema/feedback/feedback.ts';
import type { SqlInput } from './database.ts';
import { recordTable, toRow } from './rows.ts';
import type { ColumnTypes } from './tables.ts';

/** Returns the statements that create the tables of users' feedback. None of their rows belongs to a run. */
export function createFeedbackTables({ integer, text, record, options, textIndex }: ColumnTypes): string {
  const kept = `record ${record} NOT NULL, checksum ${integer} NOT NULL`;
  return `
  -- Reactions of users to answers: events that never change.
  CREATE TABLE feedback (
    id ${text} NOT NULL PRIMARY KEY,
    given_at ${text} NOT NULL,
    received_at ${text} NOT NULL,
    source ${text} NOT NULL,
    signal ${text} NOT NULL,
    ${kept}
  ) ${options};
  CREATE INDEX feedback_by_time ON feedback (given_at, id);

  -- The answers that feedback belongs to.
  CREATE TABLE feedback_matches (
    feedback ${text} NOT NULL PRIMARY KEY,
    run_id ${text} NOT NULL,
    ordinal ${integer} NOT NULL,
    ${kept}
  ) ${options};
  CREATE INDEX feedback_matches_by_run ON feedback_matches (run_id, ordinal);

  -- Feedback whose answer may still come into the store.
  CREATE TABLE feedback_waiting (
    feedback ${text} NOT NULL PRIMARY KEY,
    until ${text} NOT NULL
  ) ${options};

  -- The key with which users are hashed; at most one row.
  CREATE TABLE feedback_keys (
    id ${text} NOT NULL PRIMARY KEY,
    secret ${text} NOT NULL
  ) ${options};

  -- The number of rows of feedback, counted by triggers, so that a lost row is noticed.
  CREATE TABLE feedback_totals (
    name ${text} NOT NULL PRIMARY KEY,
    number ${integer} NOT NULL
  ) ${options};

  CREATE INDEX trials_by_key ON trials (key);
  ${textIndex('cases_by_name', 'cases', ['id'])}
`;
}

/** The tables whose rows are counted in `feedback_totals`. */
export const countedFeedbackTables = ['feedback', 'feedback_matches'] as const;

/** The table of feedback. */
export const feedbackTable = recordTable('feedback', 1, [
  'id',
  'given_at',
  'received_at',
  'source',
  'signal',
]);

/** Returns the row of a feedback. */
export function feedbackRow(feedback: Feedback): SqlInput[] {
  const { id, at, receivedAt, source, signal } = feedback;
  return toRow([id, at, receivedAt, source, signal], feedback);
}

/** The table of the answers that feedback belongs to. */
export const feedbackMatchTable = recordTable('feedback_matches', 1, ['feedback', 'run_id', 'ordinal']);

/** Returns the row of a match. */
export function feedbackMatchRow(match: FeedbackMatch): SqlInput[] {
  return toRow([match.feedback, match.run, match.ordinal], match);
}
