/**
 * The schema's history. A database says with `PRAGMA user_version` how many of these it has been through; each is run
 * once, in order, in one transaction. Never change one that was released: add the next.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE runs (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    created_at TEXT NOT NULL,
    record TEXT NOT NULL
  ) STRICT;

  -- place = run number * 2^32 + position in the plan: rows stand in order without an index.
  CREATE TABLE cases (
    place INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    category TEXT,
    labels TEXT,
    source TEXT NOT NULL,
    hash BLOB NOT NULL,
    content TEXT NOT NULL
  ) STRICT;

  -- place = run number * 2^32 + ordinal of the trial; what the call took is apart, so that adding it up reads no answers.
  CREATE TABLE trials (
    place INTEGER PRIMARY KEY,
    key BLOB NOT NULL,
    status TEXT NOT NULL,
    spent TEXT NOT NULL,
    record TEXT NOT NULL
  ) STRICT;

  -- What is said of the trial at the same place. The columns from total to passed are NULL without a scorecard;
  -- numbers and details are JSON arrays in the order of the run's metrics, details with the scorecard's words at the end.
  CREATE TABLE scores (
    place INTEGER PRIMARY KEY,
    total REAL,
    lower REAL,
    upper REAL,
    grade TEXT,
    outcome TEXT,
    passed INTEGER,
    numbers TEXT NOT NULL,
    details TEXT NOT NULL
  ) STRICT;

  -- What judges were asked and said, of all runs, for ever.
  CREATE TABLE judgements (
    number INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    key BLOB NOT NULL,
    asked_at TEXT NOT NULL,
    answered INTEGER NOT NULL,
    record TEXT NOT NULL
  ) STRICT;
  CREATE INDEX judgements_by_key ON judgements (key, asked_at);

  -- System messages of prompts to judges; a judgement's record holds their hash.
  CREATE TABLE prompts (
    hash BLOB PRIMARY KEY,
    text TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- Which judgements a run rests on.
  CREATE TABLE judgement_uses (
    run INTEGER NOT NULL,
    judgement INTEGER NOT NULL,
    PRIMARY KEY (run, judgement)
  ) STRICT, WITHOUT ROWID;
  `,
];
