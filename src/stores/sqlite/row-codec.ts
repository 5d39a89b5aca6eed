import { isDeepStrictEqual } from 'node:util';
import type { Case } from '../../schema/case.ts';
import type { Message, ToolCall } from '../../schema/message.ts';
import { exchange, inputMessages, type Trial } from '../../schema/trial.ts';

/** A case in two parts: what is shared by all runs that ask it, and how this run names and sorts it. */
export function encodeCase(testCase: Case): { content: string; labels: string | null } {
  const { id: _id, category: _category, tags, cluster, ...content } = testCase;
  const hasLabels = tags.length > 0 || cluster !== undefined;
  return { content: JSON.stringify(content), labels: hasLabels ? JSON.stringify({ tags, cluster }) : null };
}

export interface CaseRow {
  readonly id: string;
  readonly category: string | null;
  readonly labels: string | null;
  readonly content: string;
}

/** The opposite of `encodeCase`. */
export function decodeCase(row: CaseRow): Case {
  const { tags, cluster } = row.labels === null ? { tags: [] } : JSON.parse(row.labels);
  const testCase: Case = { id: row.id, tags, ...JSON.parse(row.content) };
  if (row.category !== null) testCase.category = row.category;
  if (cluster !== undefined) testCase.cluster = cluster;
  return testCase;
}

/** What follows from a trial's place in the plan of its run. */
export type PlacedTrial = Pick<Trial, 'ordinal' | 'caseId' | 'target' | 'attempt'>;

/** What a call took. */
export type SpentOnTrial = Pick<Trial, 'retries' | 'cost' | 'usage' | 'latency'>;

/** A trial without what its row, its place or its case already says. */
type TrialRecord = Omit<
  Trial,
  keyof PlacedTrial | keyof SpentOnTrial | 'key' | 'caseHash' | 'status' | 'transcript'
> & {
  transcript?: Message[];
  toolCalls?: ToolCall[];
};

/** The JSON of what a call took. */
export function encodeSpent({ retries, cost, usage, latency }: Trial): string {
  return JSON.stringify({ retries: retries === 0 ? undefined : retries, cost, usage, latency });
}

/** The opposite of `encodeSpent`. */
export function decodeSpent(spent: string): SpentOnTrial {
  return { retries: 0, ...(JSON.parse(spent) as Partial<SpentOnTrial>) };
}

/**
 * The JSON that is kept of a trial. A transcript that is just the question and one answer is not written out: only the
 * tools that were used are.
 */
export function encodeTrial(trial: Trial, input: Case['input']): string {
  const { seed, answer, documents, state, error, logs, startedAt } = trial;
  const record: TrialRecord = { seed, answer, documents, state, error, logs, startedAt };
  return JSON.stringify(Object.assign(record, encodeTranscript(trial, input)));
}

function encodeTranscript(
  { transcript, status, answer }: Trial,
  input: Case['input'],
): Pick<TrialRecord, 'transcript' | 'toolCalls'> {
  const toolCalls = status === 'completed' ? transcript.at(-1)?.toolCalls : undefined;
  const plain = plainTranscript(input, status, answer, toolCalls);
  return isDeepStrictEqual(plain, transcript) ? { toolCalls } : { transcript };
}

function plainTranscript(
  input: Case['input'],
  status: Trial['status'],
  answer: string | null,
  toolCalls: ToolCall[] = [],
): Message[] {
  return status === 'completed' ? exchange(input, answer, toolCalls) : inputMessages(input);
}

export interface TrialRow {
  readonly key: string;
  readonly status: string;
  readonly spent: string;
  readonly record: string;
}

/** The opposite of `encodeTrial`. */
export function decodeTrial(row: TrialRow, place: PlacedTrial, { input }: Case, caseHash: string): Trial {
  const { transcript, toolCalls, ...rest } = JSON.parse(row.record) as TrialRecord;
  const status = row.status as Trial['status'];
  return {
    key: row.key,
    ...place,
    caseHash,
    status,
    ...decodeSpent(row.spent),
    ...rest,
    transcript: transcript ?? plainTranscript(input, status, rest.answer, toolCalls),
  };
}

/** The hexadecimal digits of a hash as SQLite keeps it. */
export function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}
