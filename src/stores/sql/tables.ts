/** The names that a database has for the types of columns. */
export interface ColumnTypes {
  readonly integer: string;
  /** The type of an integer primary key that the database increments and never reuses. */
  readonly identity: string;
  readonly real: string;
  readonly text: string;
  /** The type of a record: JSON as text, or compressed bytes. */
  readonly record: string;
  /** The table options after the list of columns. */
  readonly options: string;
  /** Returns the statement for an index by which rows are found by a text of any length, its last column. */
  textIndex(name: string, table: string, columns: readonly string[]): string;
  /**
   * Returns the statement for an index that contains all columns which lists read, so that these read no records; none where
   * records do not slow a table down.
   */
  columnsIndex(index: ColumnsIndex): string;
}

/** An index over a key and further columns. */
export interface ColumnsIndex {
  readonly name: string;
  readonly table: string;
  readonly key: readonly string[];
  readonly others: readonly string[];
  /** True when the key is also the primary key of the table. */
  readonly isPrimary: boolean;
}

/**
 * Returns the statements that create the tables. Every run has a number, which is never reused. Cases and trials carry the
 * number of the run that they were made for, scores the number of the run that made them.
 */
export function createTables(types: ColumnTypes): string {
  return [createRuns, createTrials, createJudgements].map((create) => create(types)).join('') + createResults;
}

/** Returns the last two columns of a table: the record as JSON, and a checksum of it and of all columns before it. */
function kept({ integer, record }: ColumnTypes): string {
  return `record ${record} NOT NULL, checksum ${integer} NOT NULL`;
}

function createRuns(types: ColumnTypes): string {
  const { integer, identity, text, options, textIndex, columnsIndex } = types;
  return `
  -- The numbers of rows of each run, counted by triggers, so that a lost row is noticed. A row here gives a run its number.
  CREATE TABLE totals (
    run ${identity},
    cases ${integer} NOT NULL DEFAULT 0,
    trials ${integer} NOT NULL DEFAULT 0,
    scores ${integer} NOT NULL DEFAULT 0,
    judgement_uses ${integer} NOT NULL DEFAULT 0,
    -- Scores that are gone, with the answers that were made again.
    scores_removed ${integer} NOT NULL DEFAULT 0
  ) ${options};

  CREATE TABLE runs (
    number ${integer} PRIMARY KEY,
    id ${text} NOT NULL UNIQUE,
    -- Runs are listed by this: created_at, unless the clock was set back.
    listed_at ${text} NOT NULL,
    -- The number of its cases and trials: its own, or the number of the run whose trials it shares.
    trials_of ${integer} NOT NULL,
    trials_per_case ${integer} NOT NULL,
    status ${text} NOT NULL,
    created_at ${text} NOT NULL,
    finished_at ${text},
    description ${text},
    continues ${text},
    rescored_from ${text},
    -- A JSON object: what a list of runs shows.
    head ${text} NOT NULL,
    ${kept(types)}
  ) ${options};
  CREATE INDEX runs_by_time ON runs (listed_at, id);

  CREATE TABLE cases (
    run ${integer} NOT NULL,
    position ${integer} NOT NULL,
    id ${text} NOT NULL,
    category ${text},
    -- A JSON list.
    tags ${text} NOT NULL,
    cluster ${text},
    place ${text} NOT NULL,
    hash ${text} NOT NULL,
    ${kept(types)},
    PRIMARY KEY (run, position)
  ) ${options};
  ${textIndex('cases_by_id', 'cases', ['run', 'id'])}
  -- All columns that lists filter and sort by, so that these read no records. Likewise of trials and scores.
  ${columnsIndex({ name: 'cases_columns', table: 'cases', key: ['run', 'position'], others: ['id', 'category', 'tags', 'cluster'], isPrimary: true })}
`;
}

const listedOfTrials = [
  'position',
  'target',
  'attempt',
  'status',
  'error_code',
  'cost',
  'latency_ms',
  'input_tokens',
  'output_tokens',
  'steps',
  'tool_calls',
  'retries',
];

function createTrials(types: ColumnTypes): string {
  const { integer, real, text, options, columnsIndex } = types;
  return `
  CREATE TABLE trials (
    run ${integer} NOT NULL,
    ordinal ${integer} NOT NULL,
    -- That of the case.
    position ${integer} NOT NULL,
    key ${text} NOT NULL,
    target ${text} NOT NULL,
    attempt ${integer} NOT NULL,
    status ${text} NOT NULL,
    error_code ${text},
    cost ${real},
    latency_ms ${real},
    input_tokens ${integer},
    output_tokens ${integer},
    steps ${integer},
    tool_calls ${integer},
    retries ${integer} NOT NULL,
    started_at ${text} NOT NULL,
    ${kept(types)},
    PRIMARY KEY (run, ordinal)
  ) ${options};

  ${columnsIndex({ name: 'trials_columns', table: 'trials', key: ['run', 'ordinal'], others: listedOfTrials, isPrimary: true })}
  CREATE INDEX trials_cancelled ON trials (run) WHERE status = 'cancelled';

  CREATE TABLE scores (
    run ${integer} NOT NULL,
    ordinal ${integer} NOT NULL,
    total ${real},
    -- 1, 0, or NULL where it is not known.
    passed ${integer},
    grade ${text},
    outcome ${text},
    -- A JSON object: the value by metric, null where it could not be measured.
    metrics ${text} NOT NULL,
    ${kept(types)},
    PRIMARY KEY (run, ordinal)
  ) ${options};

  CREATE INDEX scores_by_result ON scores (run, passed, total, ordinal);
  ${columnsIndex({ name: 'scores_columns', table: 'scores', key: ['run', 'ordinal'], others: ['total', 'passed', 'grade', 'outcome', 'metrics'], isPrimary: true })}
`;
}

function createJudgements(types: ColumnTypes): string {
  const { integer, text, options } = types;
  return `
  -- The questions to judges and their answers, of all runs, kept permanently.
  CREATE TABLE judgements (
    id ${text} NOT NULL PRIMARY KEY,
    key ${text} NOT NULL,
    asked_in ${text} NOT NULL,
    asked_at ${text} NOT NULL,
    status ${text} NOT NULL,
    ${kept(types)}
  ) ${options};
  CREATE INDEX judgements_by_key ON judgements (key, asked_at);

  -- The judgements that a run uses.
  CREATE TABLE judgement_uses (
    run ${integer} NOT NULL,
    judgement ${text} NOT NULL,
    PRIMARY KEY (run, judgement)
  ) ${options};

  -- Questions that a run is asking a judge now, by the keys of their judgements.
  CREATE TABLE questions (
    key ${text} NOT NULL PRIMARY KEY,
    run ${integer} NOT NULL
  ) ${options};

`;
}

/** Returns the statements that create the indexes by which the answer of a feedback is found. */
export function createAnswerIndexes({ textIndex }: ColumnTypes): string {
  return `
  CREATE INDEX trials_by_key ON trials (key);
  ${textIndex('cases_by_name', 'cases', ['id'])}
`;
}

/** The statement that creates the index by which cases of several runs are paired by their content. */
export const createContentIndex = 'CREATE INDEX cases_by_content ON cases (run, hash, position);';

const createResults = `
  -- Every trial with its case and its scores in every run that has it, for people and their own queries.
  CREATE VIEW results AS
    SELECT runs.id AS run_id, trials.ordinal, cases.id AS case_id, cases.category, cases.cluster, trials.target,
      trials.attempt, trials.status, trials.error_code, scores.total, scores.passed, scores.grade, scores.outcome,
      trials.cost, trials.latency_ms, trials.input_tokens, trials.output_tokens, trials.steps, trials.tool_calls,
      trials.retries, trials.started_at, cases.tags, scores.metrics,
      cases.record AS case_record, trials.record AS trial_record, scores.record AS score_record
    FROM runs
    JOIN trials ON trials.run = runs.trials_of
    JOIN cases ON cases.run = runs.trials_of AND cases.position = trials.position
    LEFT JOIN scores ON scores.run = runs.number AND scores.ordinal = trials.ordinal;
`;

/** The tables whose rows are counted in `totals`. */
export const countedTables = ['cases', 'trials', 'scores', 'judgement_uses'] as const;
