import { formatPlace, type Place, TouchstoneError } from '../../../core/errors.ts';
import { describeValue } from '../../../core/lib/text/describe-value.ts';
import { isRecordedTrace } from '../../../core/schema/message.ts';
import { type Fields, isFields } from '../reply/part.ts';
import { TargetFailure } from '../target.ts';
import {
  type ConversationRow,
  isConversation,
  isMessage,
  readConversationRow,
  readExchangeRow,
} from './conversation-row.ts';
import { createColumnNamer, type RecordAliases } from './record-aliases.ts';
import { createRowSpool } from './row-spool.ts';
import { readTraceRow, unknownQuestion } from './trace-row.ts';

/** A row of any file of recorded answers, with its columns named as in the table of aliases. */
export interface RecordedValue extends ConversationRow {
  readonly place: Place;
}

/** Options for reading a file. */
export interface ReadingOptions {
  readonly aliases: RecordAliases;
  /** Called with a sentence about each kind of trace that is incomplete or skipped, and why. */
  readonly onNotice?: (text: string) => void;
}

type Row = { readonly value: unknown; readonly place: Place; readonly problem?: unknown };

/**
 * Converts the rows of a file to one form: answers, conversations of OpenAI, Anthropic and others, logged calls of
 * model APIs, traces, exported runs, single messages. A row with a problem is passed on as it is. Throws
 * `target-invalid` with the place of a row that is none of these.
 */
export async function* readRecordings<Given extends Row>(
  rows: AsyncIterable<Given>,
  { aliases, onNotice = () => {} }: ReadingOptions,
): AsyncGenerator<Given & RecordedValue> {
  const gaps = new TraceGaps();
  const conversations = new Map<string, { readonly row: Given; readonly messages: unknown[] }>();
  const withUsualNames = createColumnNamer(aliases);
  using files = createExportedFiles();
  for await (const given of rows) {
    if (files.take(given.value)) continue;
    const exported = files.putInto(given.value);
    const row = { ...given, value: isFields(exported) ? withUsualNames(exported) : exported };
    if (row.problem !== undefined) {
      yield { ...row, value: {}, isQuestionDerived: false };
      continue;
    }
    if (isMessageRow(row.value)) {
      const name = conversationOfMessage(row.value);
      const found = conversations.get(name) ?? { row, messages: [] };
      found.messages.push(row.value);
      conversations.set(name, found);
      continue;
    }
    const read = tryRead(row, aliases);
    gaps.add(row, read);
    if (read !== undefined) yield { ...row, ...read };
  }
  for (const [id, { row, messages }] of conversations) {
    const read = tryRead({ ...row, value: { ...(id !== '' && { id }), messages } }, aliases);
    if (read !== undefined) yield { ...row, ...read };
  }
  gaps.report(onNotice);
}

function tryRead(row: Row, aliases: RecordAliases): ConversationRow | undefined {
  try {
    return readRow(row, aliases);
  } catch (error) {
    if (!(error instanceof TargetFailure)) throw error;
    throw new TouchstoneError('target-invalid', `${formatPlace(row.place)}: ${error.message}`, {
      remedy: 'Correct the message that is named, or remove the row.',
    });
  }
}

/** Reads a row. Undefined for one that contains no answer. */
function readRow({ value, place }: Row, aliases: RecordAliases): ConversationRow | undefined {
  const row: unknown = isConversation(value) ? { messages: value } : value;
  if (!isFields(row)) {
    const found = `${formatPlace(place)}: the row is ${describeValue(value)}, not an object.`;
    throw new TouchstoneError('target-invalid', found);
  }
  if (isRecordedTrace(row)) {
    const trace = readTraceRow(row);
    return trace === undefined ? undefined : { value: trace, isQuestionDerived: true };
  }
  const result = readResultRow(row);
  if (result !== undefined) return result === null ? undefined : { value: result, isQuestionDerived: false };
  const exchange = readExchangeRow(row) ?? row;
  const conversation = readConversationRow(exchange, {
    transcripts: aliases.transcript,
    answers: aliases.answer,
    questions: aliases.question.filter((name) => name !== 'messages'),
  });
  return conversation ?? { value: exchange, isQuestionDerived: false };
}

/** The pictures and other files of an exported run, whose lines come before those that name them. */
interface ExportedFiles extends Disposable {
  /** Takes a line that is a file. Returns false for any other row. */
  take(row: unknown): boolean;
  /** Returns a row with the bytes of the files that its messages name. */
  putInto(row: unknown): unknown;
}

function createExportedFiles(): ExportedFiles {
  const spool = createRowSpool();
  const handles = new Map<unknown, number>();
  const withBytes = (file: unknown): unknown => {
    const handle = isFields(file) ? handles.get(file['hash']) : undefined;
    return isFields(file) && handle !== undefined ? { ...file, ...spool.get(handle) } : file;
  };
  const inMessages = (messages: unknown): unknown => {
    if (!Array.isArray(messages)) return messages;
    return messages.map((message: unknown) => {
      const listed = isFields(message) ? message['attachments'] : undefined;
      if (!isFields(message) || !Array.isArray(listed)) return message;
      return { ...message, attachments: listed.map(withBytes) };
    });
  };
  return {
    take: (row) => {
      const blob = isFields(row) && row['type'] === 'blob' ? row['blob'] : undefined;
      if (!isFields(blob) || typeof blob['base64'] !== 'string') return false;
      handles.set(blob['hash'], spool.put({ base64: blob['base64'] }));
      return true;
    },
    putInto: (row) => {
      if (handles.size === 0 || !isFields(row)) return row;
      const type = row['type'] === 'case' ? 'case' : 'result';
      const record = row[type];
      if (!isFields(record)) return row;
      const { case: asked, trial } = record;
      const filled = {
        ...record,
        ...(isFields(asked) && { case: { ...asked, input: inMessages(asked['input']) } }),
        ...(isFields(trial) && { trial: { ...trial, transcript: inMessages(trial['transcript']) } }),
      };
      return { ...row, [type]: filled };
    },
    [Symbol.dispose]: () => spool.close(),
  };
}

/** Columns with the conversation of a message, in files with one message a row. */
const conversations = [
  'conversation_id',
  'conversationId',
  'session_id',
  'sessionId',
  'thread_id',
  'threadId',
  'chat_id',
];

/** Returns whether a row is a message, and not an answer with its question or an item of a list of cases. */
function isMessageRow(value: unknown): value is Fields {
  return (
    isFields(value) &&
    isMessage(value) &&
    !('question' in value) &&
    !('answer' in value) &&
    !('messages' in value)
  );
}

/** Returns the conversation that a message belongs to; the empty text in a file that is one conversation. */
function conversationOfMessage(value: Fields): string {
  const id = conversations.map((name) => value[name]).find((name) => name !== undefined && name !== null);
  return id === undefined ? '' : String(id);
}

/**
 * Reads a line of an exported run, or a result of a JSON report, with the columns of recorded answers: the case with
 * its expectations, and the target's reply. Null for a line of such a file that contains neither, undefined for a row
 * of another file.
 */
function readResultRow(row: Fields): Fields | null | undefined {
  const result = row['type'] === 'result' ? row['result'] : row;
  if (isFields(result) && isFields(result['case']) && isFields(result['trial'])) {
    return toRow(result['case'], result['trial']);
  }
  const isArchive =
    typeof row['hash'] === 'string' && /^(run|blob|case|judgement|end)$/.test(String(row['type']));
  if (!isArchive) return undefined;
  const planned = row['type'] === 'case' ? row['case'] : undefined;
  return isFields(planned) && isFields(planned['case']) ? { ...planned['case'] } : null;
}

const kept = ['attempt', 'transcript', 'answer', 'documents', 'state', 'usage', 'cost', 'logs'];

function toRow(testCase: Fields, trial: Fields): Fields {
  const given = Object.fromEntries(
    kept.flatMap((name) => (trial[name] === undefined ? [] : [[name, trial[name]]])),
  );
  const { latency, error, recorded, target, status } = trial;
  const isCancelled = status === 'cancelled';
  return {
    ...testCase,
    ...(isFields(recorded) && recorded),
    ...(isCancelled ? { attempt: trial['attempt'] } : given),
    ...(latency !== undefined && { latency }),
    ...(error !== undefined && !isCancelled && { error }),
    recordedTarget: target,
  };
}

const mostNamed = 3;

/** Traces with missing parts: those without an answer, and those that do not contain their question. */
class TraceGaps {
  readonly #withoutAnswer: string[] = [];
  readonly #withoutQuestion: string[] = [];
  #withoutAnswerCount = 0;
  #withoutQuestionCount = 0;

  /** Adds a row, with what was read from it. */
  add(
    { value, place }: { readonly value: unknown; readonly place: Place },
    read: ConversationRow | undefined,
  ): void {
    if (!isFields(value) || !isRecordedTrace(value)) return;
    const name = `${value.conversationId ?? value.spans[0]?.traceId} (${formatPlace(place)})`;
    if (read === undefined) {
      this.#withoutAnswerCount += 1;
      if (this.#withoutAnswer.length < mostNamed) this.#withoutAnswer.push(name);
    } else if (read.value['question'] === unknownQuestion) {
      this.#withoutQuestionCount += 1;
      if (this.#withoutQuestion.length < mostNamed) this.#withoutQuestion.push(name);
    }
  }

  /** Reports each kind in one sentence, and nothing when there are none. */
  report(onNotice: (text: string) => void): void {
    const [left, withoutQuestion] = [this.#withoutAnswerCount, this.#withoutQuestionCount];
    if (left > 0) {
      const are = left === 1 ? '1 trace is' : `${left} traces are`;
      const contain = left === 1 ? 'it contains' : 'they contain';
      const why = `skipped, because ${contain} no model, agent or tool`;
      onNotice(`${are} ${why}: ${listed(this.#withoutAnswer, left)}`);
    }
    if (withoutQuestion > 0) {
      const gap =
        withoutQuestion === 1
          ? '1 trace does not contain its question'
          : `${withoutQuestion} traces do not contain their questions`;
      onNotice(`${gap}: ${listed(this.#withoutQuestion, withoutQuestion)}`);
    }
  }
}

function listed(names: readonly string[], count: number): string {
  const more = count - names.length;
  return more === 0 ? names.join(', ') : `${names.join(', ')} and ${more} more`;
}
