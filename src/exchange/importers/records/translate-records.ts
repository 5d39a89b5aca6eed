import { metricsBeside } from '../autoevals.ts';
import type { Message } from '../../../core/schema/message.ts';
import { collectTrials, type FoundScore, type FoundTrial } from '../collect-trials.ts';
import type { JsonObject, Translation } from '../importer.ts';
import type { Ledger } from '../ledger.ts';
import {
  asObject,
  asText,
  asTime,
  type Fields,
  jsonObject,
  withoutTerminalCodes,
  filled,
} from '../values.ts';
import { isEmpty, readAnswer, readExpectedAnswer, readQuestion } from './payload.ts';

/** The texts of a question and of an answer that are not in the file. */
const unknownQuestion = '(the question was not recorded)';
const unknownAnswer = '(the answer was not recorded)';

/** A question of another tool, with what was expected. */
export interface FoundCase {
  readonly input: unknown;
  readonly expected?: unknown;
  readonly metadata?: unknown;
  readonly tags?: unknown;
  readonly cluster?: string;
  /** Facts by which the tool knows the case; they are stored in its metadata. */
  readonly origin?: Fields;
}

/** Translates a question to a case without its id. */
export function translateCase(
  { input, expected, metadata, tags, cluster, origin = {} }: FoundCase,
  ledger: Ledger,
): JsonObject {
  const question = readQuestion(input);
  const answer = readExpectedAnswer(expected);
  noteShape(question, answer, ledger);
  const own = asObject(metadata) ?? (isEmpty(metadata) ? {} : { metadata });
  for (const [name, value] of Object.entries({ ...question.rest, ...own }))
    ledger.keep(`metadata ${name}`, value ?? undefined);
  for (const [name, value] of Object.entries(answer.rest)) ledger.keep(`expected output ${name}`, value);
  const texts = [tags].flat().filter((tag): tag is string => typeof tag === 'string' && tag !== '');
  return jsonObject({
    input: endWithQuestion(question.value ?? unknownQuestion),
    ...(answer.value !== undefined && answer.value.length > 0 && { expected: { answer: answer.value } }),
    category: asText(own.category),
    tags: filled(texts),
    cluster,
    metadata: {
      ...question.rest,
      ...own,
      ...(Object.keys(answer.rest).length > 0 && { expectedOutput: answer.rest }),
      ...origin,
    },
  });
}

function noteShape(
  question: ReturnType<typeof readQuestion>,
  answer: ReturnType<typeof readExpectedAnswer>,
  ledger: Ledger,
): void {
  if (question.value === undefined) {
    ledger.approximate('record without a question', {
      became: 'question',
      note: `Its question is not in the file; in its place it says "${unknownQuestion}".`,
    });
  }
  if (question.isWrittenOut === true) {
    ledger.approximate('input without a known question', {
      became: 'input',
      note: 'No member of it is known as a question: it is asked as JSON. Put the question into `input`.',
    });
  }
  if (answer.value !== undefined) ledger.take('expected output', 'expected.answer');
  if (answer.isWrittenOut === true) {
    ledger.approximate('expected output of several members', {
      became: 'expected.answer',
      note: 'None of its members is known as the answer: it is compared as JSON.',
    });
  }
}

/** Returns the question of a case. What follows the last message of the user is the answer. */
function endWithQuestion(input: string | Message[]): string | Message[] {
  if (typeof input === 'string') return input.trim() === '' ? unknownQuestion : input;
  const last = input.findLastIndex(({ role }) => role === 'user');
  return last === -1 ? input : input.slice(0, last + 1);
}

/** An answer as another tool recorded it. */
export interface FoundAnswer {
  readonly output: unknown;
  /** True when the answer is not in the file: it is known by its scores only. */
  readonly isUnseen?: boolean;
  /** The error of the target, if it failed: then nothing else was answered. */
  readonly error?: string;
  readonly toolCalls?: Message['toolCalls'];
  /** The texts of retrieved documents. */
  readonly documents?: readonly Fields[];
  readonly usage?: Fields;
  readonly cost?: number;
  readonly latencyMs?: number;
  /** The time at which it was asked for, as the file has it. */
  readonly startedAt?: unknown;
  /** Facts by which the tool knows the answer. */
  readonly source: Fields;
}

/** Translates an answer to what is recorded of it. */
export function translateAnswer(found: FoundAnswer, testCase: JsonObject, ledger: Ledger): JsonObject {
  const { error, usage, cost, latencyMs, source } = found;
  const startedAt = asTime(found.startedAt);
  const { input } = testCase;
  const asked: readonly unknown[] = Array.isArray(input) ? input : [{ role: 'user', content: input }];
  if (error !== undefined) {
    ledger.take('error', 'error');
    const [message, whole] = [messageOf(error), withoutTerminalCodes(error).trim()];
    const facts = whole === message || whole === '' ? source : { ...source, error: whole };
    const failed = { error: message, transcript: asked, usage, cost, latencyMs, startedAt, source: facts };
    return jsonObject(failed);
  }
  ledger.take('answer', 'answer');
  const { answer, toolCalls, documents, rest } = readParts(found, ledger);
  const said = { role: 'assistant', content: answer, toolCalls: filled(toolCalls) };
  return jsonObject({
    answer,
    transcript: [...asked, said],
    documents: filled(documents),
    usage,
    cost,
    latencyMs,
    startedAt,
    source: { ...source, ...(Object.keys(rest).length > 0 && { output: rest }) },
  });
}

/** Returns an error without terminal codes and without the trace of a Python program, which names files of its machine. */
function messageOf(error: string): string {
  const message =
    withoutTerminalCodes(error)
      .split(/\n\s*Traceback \(most/)[0]
      ?.trim() ?? '';
  return message === '' ? 'an error without a message' : message;
}

function readParts({ output, isUnseen = false, documents = [], ...found }: FoundAnswer, ledger: Ledger) {
  const read: ReturnType<typeof readAnswer> = isUnseen
    ? { value: unknownAnswer, rest: {} }
    : readAnswer(output);
  if (read.isWrittenOut === true) {
    ledger.approximate('output of several members', {
      became: 'answer',
      note: 'None of its members is known as the answer: it is written out as JSON.',
    });
  }
  for (const [name, value] of Object.entries(read.rest)) ledger.keep(`output ${name}`, value);
  const toolCalls = found.toolCalls ?? read.toolCalls ?? [];
  for (const _ of toolCalls) ledger.take('tool call', 'tool call');
  for (const _ of documents) ledger.take('retrieved document', 'document');
  return { answer: read.value ?? '', toolCalls, documents, rest: read.rest };
}

/**
 * Returns the scores of an answer, one for each name. A person's score has a name of its own, so that it is never averaged
 * with a program's. With several scores of a name, the mean counts, and all are stored.
 */
export function nameScores(
  scores: readonly (FoundScore & { readonly isByPerson?: boolean })[],
  ledger: Ledger,
): FoundScore[] {
  const named = scores.map(({ isByPerson = false, ...score }) => {
    if (!isByPerson) return score;
    ledger.approximate(`score ${score.name} by a person`, {
      became: `recorded verdict ${score.name} (person)`,
      note: 'It is listed with the verdicts of programs. It is not a label: the question that the person saw is not in the file.',
    });
    return { ...score, name: `${score.name} (person)`, evidence: { ...score.evidence, by: 'person' } };
  });
  return [...Map.groupBy(named, ({ name }) => name).values()].map((group) => combine(group, ledger));
}

function combine(group: readonly FoundScore[], ledger: Ledger): FoundScore {
  const [first] = group as [FoundScore, ...FoundScore[]];
  if (group.length === 1) return first;
  const values = group.map(({ value }) => (typeof value === 'boolean' ? Number(value) : value));
  ledger.approximate(`several scores ${first.name} of one answer`, {
    became: `recorded verdict ${first.name}`,
    note: 'Their mean is the value, and different labels are listed; all of them are in its evidence.',
  });
  const isNumbers = values.every((value) => typeof value === 'number');
  const isSame = values.every((value) => value === values[0]);
  const joined = isNumbers
    ? values.reduce((sum, value) => sum + value, 0) / values.length
    : values.every((value) => typeof value === 'string')
      ? [...new Set(values)].join(', ')
      : undefined;
  const reasons = group.flatMap(({ explanation }) => explanation ?? []);
  const failed = group.find(({ failure }) => failure !== undefined)?.failure;
  return {
    name: first.name,
    value: isSame ? first.value : joined,
    failure: failed,
    ...(reasons.length > 0 && { explanation: reasons.join('; ') }),
    isQuantity: group.some(({ isQuantity }) => isQuantity === true),
    evidence: { values: group.map(({ value }) => value), parts: group.map(({ evidence }) => evidence ?? {}) },
  };
}

/** The facts about the whole file. */
interface FileFacts {
  readonly title: string;
  readonly found: string;
  readonly version?: string;
  readonly ledger: Ledger;
}

/** Makes the parts of a project of trials. Expected answers are compared by the recorded verdicts, if by anything. */
export function translateRecords(
  trials: readonly FoundTrial[],
  { title, found, version, ledger }: FileFacts,
): Translation {
  const { cases, answers } = collectTrials(trials, { title, ledger });
  const isExpecting = cases.some(({ expected }) => asObject(expected)?.answer !== undefined);
  const metrics = metricsBeside(answers?.verdicts ?? [], { isExpecting, ledger });
  const isRead = metrics.some(({ use }) => use !== 'json-valid');
  return {
    found,
    description: `${title}: ${found}`,
    version,
    cases,
    answers,
    config: jsonObject({
      metrics,
      ...(answers !== undefined && isExpecting && !isRead && { unread: ['answer'] }),
    }),
  };
}
