import { parseJson } from '../../core/lib/json/parse-json.ts';
import { type Label, type LabelMark, type LabelOutcome, markOf } from '../../core/schema/review/label.ts';
import type { ReviewItem, ReviewTask } from '../../core/schema/review/review-task.ts';
import type { Rubric, RubricEquivalence } from '../../core/schema/review/rubric.ts';
import type { SqlRow, SqlInput } from './database.ts';
import { recordTable, toRow } from './rows.ts';
import type { ColumnTypes } from './tables.ts';

/** Returns the statements that create the tables of people's labels. None of their rows belongs to a run. */
export function createReviewTables(types: ColumnTypes): string {
  return createTasks(types) + createLabels(types);
}

function createTasks(types: ColumnTypes): string {
  const { integer, text, options } = types;
  const kept = keptColumns(types);
  return `
  CREATE TABLE rubrics (
    id ${text} NOT NULL,
    version ${text} NOT NULL,
    criterion ${text} NOT NULL,
    ${kept},
    PRIMARY KEY (id, version)
  ) ${options};

  -- Versions of a rubric that mean the same, as people have stated.
  CREATE TABLE rubric_equivalences (
    id ${text} NOT NULL PRIMARY KEY,
    rubric ${text} NOT NULL,
    ${kept}
  ) ${options};

  CREATE TABLE review_tasks (
    id ${text} NOT NULL PRIMARY KEY,
    created_at ${text} NOT NULL,
    run_id ${text} NOT NULL,
    status ${text} NOT NULL,
    ${kept}
  ) ${options};

  CREATE TABLE review_items (
    task ${text} NOT NULL,
    position ${integer} NOT NULL,
    -- The number of people who are to label it.
    people ${integer} NOT NULL,
    run_id ${text},
    ordinal ${integer},
    case_hash ${text} NOT NULL,
    answer_hash ${text} NOT NULL,
    stratum ${text} NOT NULL,
    ${kept},
    PRIMARY KEY (task, position)
  ) ${options};
  CREATE INDEX review_items_columns ON review_items (task, position, people);
`;
}

const listedOfLabels = [
  'id',
  'rubric',
  'rubric_version',
  'person',
  'kind',
  'purpose',
  'status',
  'value',
  'blind',
  'given_at',
  'seconds',
  'replaces',
];

function createLabels(types: ColumnTypes): string {
  const { integer, real, text, options, columnsIndex } = types;
  const kept = keptColumns(types);
  return `
  -- Events that never change: a label that was replaced or withdrawn stays.
  CREATE TABLE labels (
    id ${text} NOT NULL PRIMARY KEY,
    -- Empty for a label without a task.
    task ${text} NOT NULL,
    item ${integer},
    rubric ${text} NOT NULL,
    rubric_version ${text} NOT NULL,
    person ${text} NOT NULL,
    kind ${text} NOT NULL,
    purpose ${text} NOT NULL,
    status ${text} NOT NULL,
    -- JSON: the value, or the reason for skipping.
    value ${text},
    -- 1 when the verdict of the judge, the score and, but for a decision between them, the labels of others were hidden.
    blind ${integer} NOT NULL,
    given_at ${text} NOT NULL,
    seconds ${real},
    replaces ${text},
    run_id ${text},
    case_hash ${text} NOT NULL,
    answer_hash ${text} NOT NULL,
    ${kept}
  ) ${options};
  -- All columns of which progress is derived, so that it reads no records.
  ${columnsIndex({ name: 'labels_columns', table: 'labels', key: ['task', 'item'], others: listedOfLabels, isPrimary: false })}
  CREATE INDEX labels_by_time ON labels (given_at, id);
  CREATE INDEX labels_by_answer ON labels (answer_hash);
  CREATE INDEX labels_by_run ON labels (run_id);

  -- Items that a person is labelling now.
  CREATE TABLE reservations (
    task ${text} NOT NULL,
    item ${integer} NOT NULL,
    person ${text} NOT NULL,
    purpose ${text} NOT NULL,
    until ${text} NOT NULL,
    PRIMARY KEY (task, item)
  ) ${options};

  -- The numbers of rows of each task, counted by triggers, so that a lost row is noticed.
  CREATE TABLE review_totals (
    task ${text} NOT NULL PRIMARY KEY,
    review_items ${integer} NOT NULL DEFAULT 0,
    labels ${integer} NOT NULL DEFAULT 0
  ) ${options};
`;
}

function keptColumns({ integer, record }: ColumnTypes): string {
  return `record ${record} NOT NULL, checksum ${integer} NOT NULL`;
}

/** The tables whose rows are counted in `review_totals`. */
export const countedReviewTables = ['review_items', 'labels'] as const;

/** The table of rubrics, one row for each version. */
export const rubricTable = recordTable('rubrics', 2, ['id', 'version', 'criterion']);

/** Returns the row of a rubric. */
export function rubricRow(rubric: Rubric): SqlInput[] {
  return toRow([rubric.id, rubric.version, rubric.criterion], rubric);
}

/** The table of statements that two versions of a rubric mean the same. */
export const equivalenceTable = recordTable('rubric_equivalences', 1, ['id', 'rubric']);

/** Returns the row of such a statement. */
export function equivalenceRow(equivalence: RubricEquivalence): SqlInput[] {
  return toRow([equivalence.id, equivalence.rubric], equivalence);
}

/** The table of review tasks. */
export const taskTable = recordTable('review_tasks', 1, ['id', 'created_at', 'run_id', 'status']);

/** Returns the row of a review task. */
export function taskRow(task: ReviewTask): SqlInput[] {
  return toRow([task.id, task.createdAt, task.frame.run, task.status], task);
}

/** The table of the items of review tasks. */
export const itemTable = recordTable('review_items', 2, [
  'task',
  'position',
  'people',
  'run_id',
  'ordinal',
  'case_hash',
  'answer_hash',
  'stratum',
]);

/** Returns the row of an item. */
export function itemRow(item: ReviewItem): SqlInput[] {
  const { task, position, people, subject, stratum } = item;
  const { run, ordinal, caseHash, answerHash } = subject;
  return toRow([task, position, people, run, ordinal, caseHash, answerHash, stratum], item);
}

/** The table of labels. */
export const labelTable = recordTable('labels', 1, [
  'id',
  'task',
  'item',
  'rubric',
  'rubric_version',
  'person',
  'kind',
  'purpose',
  'status',
  'value',
  'blind',
  'given_at',
  'seconds',
  'replaces',
  'run_id',
  'case_hash',
  'answer_hash',
]);

/** Returns the row of a label. */
export function labelRow(label: Label): SqlInput[] {
  const { task, item, rubric, subject } = label;
  const { id, person, kind, purpose, outcome, isBlind, at, seconds, replaces } = markOf(label);
  const place = [id, task ?? '', item, rubric.id, rubric.version];
  const answer = [person, kind, purpose, outcome.status, valueText(outcome), Number(isBlind)];
  const rest = [at, seconds, replaces, subject.run, subject.caseHash, subject.answerHash];
  return toRow([...place, ...answer, ...rest], label);
}

/** The columns of a label from which `markIn` reads. */
export const markColumns =
  'id, item, rubric, rubric_version, person, kind, purpose, status, value, blind, given_at, seconds, replaces';

/** Reads the part of a label from which its progress follows out of the columns of `markColumns`. */
export function markIn(row: SqlRow): LabelMark {
  const [id, item, rubric, version, person, kind, purpose, status, value, blind, at, seconds, replaces] = row;
  return {
    id: id as string,
    item: item as number | null,
    rubric: { id: rubric as string, version: version as string },
    person: person as string,
    kind: kind as LabelMark['kind'],
    purpose: purpose as LabelMark['purpose'],
    outcome: outcomeOf(status as LabelOutcome['status'], value as string | null),
    isBlind: blind === 1,
    at: at as string,
    seconds: seconds as number | null,
    replaces: (replaces as string | null) ?? undefined,
  };
}

function valueText(outcome: LabelOutcome): string | null {
  if (outcome.status === 'answered') return JSON.stringify(outcome.value);
  return outcome.status === 'skipped' ? JSON.stringify(outcome.reason) : null;
}

function outcomeOf(status: LabelOutcome['status'], value: string | null): LabelOutcome {
  if (status === 'answered') return { status, value: parseJson(value ?? 'null') };
  return status === 'skipped' ? { status, reason: parseJson(value ?? 'null') } : { status };
}
