import type { StoredSpan } from '../../../core/schema/trace/stored-trace.ts';
import type { SqlInput } from '../database.ts';
import { recordTable, toRow } from '../rows.ts';
import type { ColumnTypes } from '../tables.ts';

/** Returns the statements that create the tables of traces. None of their rows belongs to a run. */
export function createTraceTables({ integer, text, record, options, textIndex }: ColumnTypes): string {
  return `
  -- Traces of production, until their time is over or they are erased.
  CREATE TABLE traces (
    id ${text} NOT NULL PRIMARY KEY,
    conversation ${text},
    user_key ${text},
    user_hash ${text},
    started_at ${text},
    received_at ${text} NOT NULL,
    -- Until then further spans join it.
    open_until ${text} NOT NULL,
    -- The number of its spans, so that a lost one is noticed.
    spans ${integer} NOT NULL
  ) ${options};
  CREATE INDEX traces_by_time ON traces (received_at, id);
  CREATE INDEX traces_by_user ON traces (user_hash);
  ${textIndex('traces_by_conversation', 'traces', ['conversation'])}

  CREATE TABLE spans (
    trace ${text} NOT NULL,
    id ${text} NOT NULL,
    record ${record} NOT NULL,
    checksum ${integer} NOT NULL,
    PRIMARY KEY (trace, id)
  ) ${options};

  -- The traces that feedback is about.
  CREATE TABLE feedback_traces (
    feedback ${text} NOT NULL PRIMARY KEY,
    trace ${text} NOT NULL
  ) ${options};
  CREATE INDEX feedback_traces_by_trace ON feedback_traces (trace);

  -- Traces that were erased, whose spans are refused.
  CREATE TABLE erased_traces (
    id ${text} NOT NULL PRIMARY KEY,
    erased_at ${text} NOT NULL
  ) ${options};
`;
}

/** The table of spans. */
export const spanTable = recordTable('spans', 2, ['trace', 'id']);

/** Returns the row of a span. */
export function spanRow(span: StoredSpan): SqlInput[] {
  return toRow([span.traceId, span.spanId], span);
}
