import { parseJson } from '../../../core/lib/json/parse-json.ts';
import type { AnyKind } from '../../documents/kind.ts';
import { baselineKind } from '../../kinds/baseline.ts';
import { certificateKind, refusedCalibrationKind } from '../../kinds/certificate.ts';
import { feedbackKind, type KeptFeedback, stateOfFeedback, userKeyKind } from '../../kinds/feedback.ts';
import { labelKind } from '../../kinds/label.ts';
import { proposalKind } from '../../kinds/proposal.ts';
import { reservationKind, reviewItemKind, reviewTaskKind } from '../../kinds/review-task.ts';
import { equivalenceKind, rubricKind } from '../../kinds/rubric.ts';
import { erasedTraceKind, spanKind, traceKind } from '../../kinds/trace.ts';
import { RecordText, type SqlInput, type SqlRow } from '../database.ts';
import { readRow, type RecordTable, recordTable } from '../rows.ts';
import { documentRow } from './documents.ts';

/** A table of an earlier layout whose rows are documents already. */
export interface KeptTable {
  readonly kind: AnyKind;
  /** Its indexes, which the indexes of the kind replace. */
  readonly indexes?: readonly string[];
  /** The query for the numbers of rows that were counted before, by part; without it, the rows are counted now. */
  readonly counted?: string;
}

/** The tables of earlier layouts whose rows are documents already. */
export const keptTables: readonly KeptTable[] = [
  { kind: baselineKind },
  { kind: rubricKind },
  { kind: equivalenceKind },
  { kind: reviewTaskKind },
  {
    kind: reviewItemKind,
    indexes: ['review_items_columns'],
    counted: 'SELECT task, review_items FROM review_totals WHERE review_items > 0',
  },
  {
    kind: labelKind,
    indexes: ['labels_columns', 'labels_by_time', 'labels_by_answer', 'labels_by_run'],
    counted: 'SELECT task, labels FROM review_totals WHERE labels > 0',
  },
  {
    kind: certificateKind,
    indexes: ['certificates_by_metric'],
    counted: "SELECT '', number FROM feedback_totals WHERE name = 'certificates'",
  },
  {
    kind: refusedCalibrationKind,
    indexes: ['refused_calibrations_by_metric'],
    counted: "SELECT '', number FROM feedback_totals WHERE name = 'refused_calibrations'",
  },
  { kind: spanKind },
];

/** The way in which the rows of an old table become documents. */
export interface Move {
  readonly kind: AnyKind;
  /** The old table, the columns of its key, and its indexes. */
  readonly from: string;
  readonly key: readonly string[];
  readonly indexes?: readonly string[];
  /** The columns to select, the columns of the key first, and what the old table, `old`, is joined with. */
  readonly columns: readonly string[];
  readonly joined?: string;
  /** The old tables whose rows were counted, with the table that counted them. */
  readonly counted?: readonly (readonly [table: string, totals: string])[];
  /** The old tables of events about a row, in the order of their time; `proposal` is its key. */
  readonly events?: readonly { readonly table: RecordTable<string>; readonly time: string }[];
  /** Returns the row of a document. */
  rowOf(row: SqlRow, events: readonly (readonly SqlRow[])[]): readonly SqlInput[];
}

/** The tables of which nothing is left. */
export const emptied = [
  'review_totals',
  'feedback_totals',
  'proposal_totals',
  'feedback_matches',
  'feedback_waiting',
  'feedback_traces',
  'proposal_decisions',
  'proposal_exports',
];

/** Makes the rows of documents whose record follows from columns. */
function fromColumns(kind: AnyKind, documentOf: (row: SqlRow) => unknown): Move['rowOf'] {
  return (row) => documentRow(kind, documentOf(row));
}

/** A record of an old table; the text as it is, where the row has changed since it was written. */
interface OldRecord {
  readonly isWhole: boolean;
  readonly value: unknown;
}

function readOld(table: RecordTable<string>, row: SqlRow, from = 0): OldRecord {
  try {
    return { isWhole: true, value: parseJson(readRow(table, row, { address: '', from }).text) };
  } catch {
    const record = row[from + table.columns.length];
    return {
      isWhole: false,
      value: typeof record === 'string' ? record : Buffer.from(record as Uint8Array).toString('base64'),
    };
  }
}

/** No row has this checksum: a document with it counts as changed since it was written. */
const wrongChecksum = -1;

function rowOfParts(
  kind: AnyKind,
  {
    columns,
    parts,
    document,
  }: { readonly columns: SqlRow; readonly parts: readonly OldRecord[]; readonly document: unknown },
): SqlInput[] {
  if (parts.every(({ isWhole }) => isWhole)) return documentRow(kind, document);
  return [...columns, new RecordText(JSON.stringify(document)), wrongChecksum];
}

const oldFeedback = recordTable('feedback', 1, ['id', 'given_at', 'received_at', 'source', 'signal']);
const oldMatches = recordTable('feedback_matches', 1, ['feedback', 'run_id', 'ordinal']);
const oldProposals = recordTable('proposals', 1, ['id', 'dataset', 'made_at', 'source', 'trace_id']);
const oldDecisions = recordTable('proposal_decisions', 1, [
  'id',
  'proposal',
  'decided_at',
  'person',
  'status',
]);
const oldExports = recordTable('proposal_exports', 1, [
  'id',
  'proposal',
  'decision',
  'file',
  'case_id',
  'written_at',
]);

/** Returns the columns of an old table of records under the name of a join. */
const selectedOf = ({ columns }: RecordTable<string>, table: string) =>
  [...columns, 'record', 'checksum'].map((name) => `${table}.${name}`);

/** The tables of earlier layouts whose rows become documents. */
export const moves: readonly Move[] = [
  {
    kind: reservationKind,
    from: 'reservations',
    key: ['task', 'item'],
    columns: ['task', 'item', 'person', 'purpose', 'until'],
    rowOf: fromColumns(reservationKind, ([task, item, person, purpose, until]) => ({
      task,
      item,
      person,
      purpose,
      until,
    })),
  },
  {
    kind: feedbackKind,
    from: 'feedback',
    key: ['id'],
    indexes: ['feedback_by_time'],
    columns: [
      ...selectedOf(oldFeedback, 'old'),
      ...selectedOf(oldMatches, 'matched'),
      'traced.trace',
      'waiting.until',
    ],
    joined: `LEFT JOIN feedback_matches AS matched ON matched.feedback = old.id
      LEFT JOIN feedback_traces AS traced ON traced.feedback = old.id
      LEFT JOIN feedback_waiting AS waiting ON waiting.feedback = old.id`,
    counted: [
      ['feedback', 'feedback_totals'],
      ['feedback_matches', 'feedback_totals'],
    ],
    rowOf: (row) => {
      const from = oldFeedback.columns.length + 2;
      const [feedback, matched] = [
        readOld(oldFeedback, row),
        row[from] === null ? undefined : readOld(oldMatches, row, from),
      ];
      const [trace, waitsUntil] = row.slice(-2).map((value) => value ?? undefined);
      const document = { feedback: feedback.value, match: matched?.value ?? null, trace, waitsUntil };
      const state = stateOfFeedback(document as KeptFeedback);
      const columns = [
        ...row.slice(0, 5),
        state,
        row[from + 1] ?? null,
        row[from + 2] ?? null,
        trace ?? null,
        Number(waitsUntil !== undefined),
      ];
      return rowOfParts(feedbackKind, {
        columns,
        parts: [feedback, ...(matched === undefined ? [] : [matched])],
        document,
      });
    },
  },
  {
    kind: proposalKind,
    from: 'proposals',
    key: ['id'],
    indexes: ['proposals_by_time', 'proposals_by_trace'],
    columns: selectedOf(oldProposals, 'old'),
    counted: [
      ['proposals', 'proposal_totals'],
      ['proposal_decisions', 'proposal_totals'],
      ['proposal_exports', 'proposal_totals'],
    ],
    events: [
      { table: oldDecisions, time: 'decided_at' },
      { table: oldExports, time: 'written_at' },
    ],
    rowOf: (row, [decided = [], written = []]) => {
      const proposal = readOld(oldProposals, row);
      const decisions = decided.map((each) => readOld(oldDecisions, each));
      const exports = written.map((each) => readOld(oldExports, each));
      const document = {
        proposal: proposal.value,
        decisions: decisions.map(({ value }) => value),
        exports: exports.map(({ value }) => value),
      };
      const columns = [...row.slice(0, 5), 'open'];
      return rowOfParts(proposalKind, { columns, parts: [proposal, ...decisions, ...exports], document });
    },
  },
  {
    kind: traceKind,
    from: 'traces',
    key: ['id'],
    indexes: ['traces_by_time', 'traces_by_user', 'traces_by_conversation'],
    columns: [
      'id',
      'conversation',
      'user_key',
      'user_hash',
      'started_at',
      'received_at',
      'open_until',
      'spans',
    ],
    rowOf: fromColumns(
      traceKind,
      ([traceId, conversation, key, hash, startedAt, receivedAt, openUntil, spans]) => ({
        traceId,
        conversation,
        user: hash === null ? null : { key, hash },
        startedAt,
        receivedAt,
        openUntil,
        spans,
      }),
    ),
  },
  {
    kind: erasedTraceKind,
    from: 'erased_traces',
    key: ['id'],
    columns: ['id', 'erased_at'],
    rowOf: fromColumns(erasedTraceKind, ([traceId, erasedAt]) => ({ traceId, erasedAt })),
  },
  {
    kind: userKeyKind,
    from: 'feedback_keys',
    key: ['id'],
    columns: ['id', 'secret'],
    rowOf: fromColumns(userKeyKind, ([id, secret]) => ({ id, secret })),
  },
];
