import { formatPlace, type Place, TouchstoneError } from '../../errors.ts';
import { describeValue } from '../../lib/describe-value.ts';
import { isRecordedTrace } from '../../schema/recorded-trace.ts';
import { TargetFailure } from '../target.ts';
import type { RecordAliases } from './record-aliases.ts';
import { type ConversationRow, isConversation, readConversationRow } from './shapes/conversation-row.ts';
import { readExchangeRow } from './shapes/exchange-row.ts';
import { conversationOfMessage, isMessageRow } from './shapes/message-rows.ts';
import { readResultRow } from './shapes/result-row.ts';
import { readTraceRow } from './shapes/trace-row.ts';
import { TraceGaps } from './trace-gaps.ts';
import { isFields } from './traces/attribute-values.ts';

/** A row of any file of recorded answers, in the columns that the table of aliases knows. */
export interface RecordedValue extends ConversationRow {
  readonly place: Place;
}

/** How rows are read. */
export interface ReadingOptions {
  readonly aliases: RecordAliases;
  /** Told what of the file is not read, and why. */
  readonly onNotice?: ((text: string) => void) | undefined;
}

type Row = { readonly value: unknown; readonly place: Place; readonly problem?: unknown };

/**
 * Brings the rows of a file into one form: answers, conversations of OpenAI, Anthropic and others, logged calls of models,
 * traces, exported runs, messages one by one. A row with a problem is handed on as it is. Throws `target-invalid` with the
 * place of a row that is none of these.
 */
export async function* readRecordings<Given extends Row>(
  rows: AsyncIterable<Given>,
  { aliases, onNotice = () => {} }: ReadingOptions,
): AsyncGenerator<Given & RecordedValue> {
  const gaps = new TraceGaps();
  const conversations = new Map<string, { readonly row: Given; readonly messages: unknown[] }>();
  for await (const row of rows) {
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
      remedy: 'Mend the message that is named, or take the row out.',
    });
  }
}

/** Undefined for a row that is about no answer. */
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
