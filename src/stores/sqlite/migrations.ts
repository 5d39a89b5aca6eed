/** The number of the layout that the first migration makes. Those before it were never released. */
export const firstLayout = 3;

/**
 * The history of the layout. A database says with `PRAGMA user_version` which layout it has; each migration after that is
 * run once, in order. Never change one that was released: add the next. What a process that died has left in a journal is
 * put into the tables after that, so rows of trials from before have to be understood still.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE runs (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    created_at TEXT NOT NULL,
    -- The number under which its cases and trials stand: its own, or that of another run, whose trials it shares.
    trials INTEGER NOT NULL,
    record TEXT NOT NULL
  ) STRICT;

  -- Cases, trials and scores stand in pieces of up to 200 rows. A piece belongs to one page: 200 places in the plan of a
  -- run, one after the other. place = run number * 200 * 2^24 + place in the plan of its first row; offsets = where in the page
  -- each of its rows stands, a byte each; size = characters of both texts. head holds the columns that numbers are made
  -- of, body all others, as JSON, compressed with zstd where they are blobs.
  CREATE TABLE cases (
    place INTEGER PRIMARY KEY, offsets BLOB NOT NULL, size INTEGER NOT NULL, head ANY NOT NULL, body ANY NOT NULL
  ) STRICT;
  CREATE TABLE trials (
    place INTEGER PRIMARY KEY, offsets BLOB NOT NULL, size INTEGER NOT NULL, head ANY NOT NULL, body ANY NOT NULL
  ) STRICT;
  CREATE TABLE scores (
    place INTEGER PRIMARY KEY, offsets BLOB NOT NULL, size INTEGER NOT NULL, head ANY NOT NULL, body ANY NOT NULL
  ) STRICT;

  -- What judges were asked and said, of all runs, for ever. Records are JSON, compressed where they are blobs.
  CREATE TABLE judgements (
    number INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    key BLOB NOT NULL,
    asked_at TEXT NOT NULL,
    answered INTEGER NOT NULL,
    record ANY NOT NULL
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
  `
  -- Questions that a run is asking a judge right now, by the keys of their judgements.
  CREATE TABLE taken_questions (
    key BLOB PRIMARY KEY,
    run INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
];
