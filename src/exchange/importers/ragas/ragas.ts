import { TouchstoneError } from '../../../core/errors.ts';
import { formatPlural } from '../../../look/report/format.ts';
import { lastAnswer, translateChat } from '../chat-messages.ts';
import { collectTrials, type FoundScore, type FoundTrial } from '../collect-trials.ts';
import type { ImportContent } from '../content/content.ts';
import { readCell, rowsOf } from '../content/rows.ts';
import { expectedCalls } from '../deepeval/translate-golden.ts';
import type { Importer, JsonObject, Translation } from '../importer.ts';
import type { Ledger } from '../ledger.ts';
import { asArray, asObject, asText, type Fields, jsonObject, textOf, filled } from '../values.ts';

const title = 'ragas';

/**
 * Samples and results of ragas: single and multi-turn, in JSON Lines, JSON or CSV. Every metric is a column, and nothing in a
 * file says which columns are metrics: a column that ragas does not know and that has only numbers, or words of yes and no, is a score.
 * @see https://docs.ragas.io/en/stable/concepts/components/eval_dataset/
 */
export const ragas: Importer = {
  name: 'ragas',
  title,
  reads: ['reference_context_ids', 'retrieved_context_ids', 'user_input.content', 'user_input.type'],
  detect(content) {
    const rows = find(content);
    return rows === undefined ? undefined : describe(rows);
  },
  isRecorded(content) {
    const rows = find(content) ?? [];
    const hasAnswers = rows.some(({ response }) => response !== undefined && response !== '');
    return hasAnswers && scoreColumns(rows).some((name) => knownMetrics.test(name));
  },
  async read(content, ledger) {
    const found = findRows(content);
    if (found === undefined) {
      const message = `${content.name}: it contains no samples of ragas, which have a \`user_input\` and, some of them, a \`response\` or a \`reference\`.`;
      throw new TouchstoneError('import-invalid', message);
    }
    const note = 'It has no `user_input`: there is nothing to ask.';
    for (const place of found.others) ledger.leaveOut('row without a question', { note, place });
    return translate(found.rows, ledger);
  },
};

/** Columns of a sample that are not its question, and that few other tools have. */
const ownColumns = [
  'retrieved_contexts',
  'reference_contexts',
  'retrieved_context_ids',
  'reference_context_ids',
  'response',
  'reference',
  'reference_tool_calls',
  'reference_topics',
  'multi_responses',
  'rubrics',
  'persona_name',
  'query_style',
  'query_length',
];

/** The names of columns in ragas 0.1, and what they are called since. */
const oldNames: Readonly<Record<string, string>> = {
  question: 'user_input',
  answer: 'response',
  contexts: 'retrieved_contexts',
  ground_truth: 'reference',
  ground_truths: 'reference',
};

/** The names of the metrics of ragas; a column of another name may be a fact of a question, such as its difficulty. */
const knownMetrics =
  /^(?:faithfulness|answer_(?:relevancy|correctness|similarity|accuracy)|context_(?:precision|recall|relevance|relevancy|entity_recall|utilization)|llm_context_\w+|non_llm_\w+|id_based_\w+|nv_\w+|response_(?:relevancy|groundedness)|semantic_similarity|factual_correctness|exact_match|string_present|bleu_score|rouge_score|chrf_score|noise_sensitivity|tool_call_(?:accuracy|f1)|agent_goal_accuracy|topic_adherence|multi_modal_\w+|summary_score)/;

/** Columns that ragas adds to its samples and that are no scores. */
const describing = new Set([
  'user_input',
  'id',
  'trace_id',
  'synthesizer_name',
  'evolution_type',
  'episode_done',
  'metadata',
  ...ownColumns,
]);

/** The samples of a file, and the places of the rows that are none. */
interface FoundRows {
  readonly rows: Fields[];
  readonly others: readonly string[];
}

/** Finds the rows with a `user_input`. ragas writes no column that a sample does not have, so that it may have nothing besides. */
function findRows(content: ImportContent): FoundRows | undefined {
  const all = rowsOf(content)?.map(rename) ?? [];
  const samples = all.filter((row) => 'user_input' in row);
  const isKnown = samples.some((row) => ownColumns.some((name) => Object.hasOwn(row, name)));
  if (!isKnown || samples.length * 2 < all.length) return undefined;
  const others = all.flatMap((row, index) => ('user_input' in row ? [] : `row ${index + 1}`));
  return { rows: samples.map(readRow), others };
}

function find(content: ImportContent): Fields[] | undefined {
  return findRows(content)?.rows;
}

/** Returns a row of ragas 0.1 under the names of today: a question with contexts. Without an answer they are the reference's. */
function rename(row: Fields): Fields {
  const isOld =
    'question' in row &&
    'contexts' in row &&
    ['answer', 'ground_truth', 'ground_truths'].some((name) => name in row);
  if (!isOld) return row;
  const nameOf = (name: string) =>
    name === 'contexts' && !('answer' in row) ? 'reference_contexts' : (oldNames[name] ?? name);
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [nameOf(name), value]));
}

/** Columns that are texts even where they look like JSON. */
const texts = new Set(['response', 'reference']);

function readRow(row: Fields): Fields {
  return Object.fromEntries(
    Object.entries(row).map(([name, cell]) => {
      if (typeof cell !== 'string') return [name, cell];
      if (texts.has(name) || (name === 'user_input' && !/^\s*\[/.test(cell))) return [name, cell];
      return [name, readCell(cell)];
    }),
  );
}

const isConversation = ({ user_input: input }: Fields) => Array.isArray(input);

function describe(rows: readonly Fields[]): string {
  const scores = scoreColumns(rows);
  const kind = rows.every(isConversation) ? 'multi-turn sample' : 'sample';
  const scored = scores.length === 0 ? '' : `, with ${formatPlural(scores.length, 'metric')}`;
  return `${formatPlural(rows.length, kind)} of ragas${scored}`;
}

const words = /^(?:pass(?:ed)?|fail(?:ed)?|yes|no|true|false)$/i;

/** Returns the names of the columns that are metrics. */
function scoreColumns(rows: readonly Fields[]): string[] {
  const names = new Set(rows.flatMap((row) => Object.keys(row)));
  return [...names].filter((name) => {
    if (describing.has(name)) return false;
    const values = rows.map((row) => row[name]).filter((value) => value !== undefined && value !== null);
    const isScore = (value: unknown) =>
      typeof value === 'number' ||
      typeof value === 'boolean' ||
      value === 'NaN' ||
      (typeof value === 'string' && words.test(value));
    return values.length > 0 && values.every(isScore);
  });
}

function translate(rows: readonly Fields[], ledger: Ledger): Translation {
  const names = scoreColumns(rows);
  for (const name of names) {
    ledger.approximate(`column ${name}`, {
      became: `recorded verdict ${name}`,
      note: 'It has only numbers or words of yes and no, and is taken for a metric.',
    });
  }
  const trials = rows.map((row) => translateSample(row, names, ledger));
  const { cases, answers } = collectTrials(trials, { title, ledger });
  const isExpecting = (name: string) =>
    cases.some(({ expected }) => asObject(expected)?.[name] !== undefined);
  return {
    found: describe(rows),
    description: `ragas: ${describe(rows)}`,
    cases,
    answers,
    config: jsonObject({
      // The metrics of ragas read the expectations; their verdicts are stored.
      ...(names.length > 0 && { unread: ['answer', 'calls', 'documents'].filter(isExpecting) }),
    }),
  };
}

function translateSample(row: Fields, names: readonly string[], ledger: Ledger): FoundTrial {
  const transcript = isConversation(row) ? translateChat(asArray(row.user_input)) : undefined;
  const testCase = caseOf(row, { names, transcript, ledger });
  const answer = transcript === undefined ? answerOf(row) : lastAnswer(transcript);
  const documents = answer === undefined ? [] : documentsOf(row, ledger);
  return {
    caseKey: JSON.stringify(testCase),
    testCase,
    name: asText(row.id),
    ...(answer !== undefined && {
      row: {
        answer,
        transcript,
        documents: filled(documents),
      },
      scores: names.map((name) => scoreOf(name, row[name])),
    }),
  };
}

/** Returns the answer of a sample. One that is empty in JSON is an answer; an empty cell of a table says that there is none. */
function answerOf({ response }: Fields): string | undefined {
  return ['string', 'number', 'boolean'].includes(typeof response) ? String(response) : undefined;
}

/** A metric that failed has no number in ragas: it is in no mean, here or there. */
function scoreOf(name: string, value: unknown): FoundScore {
  return { name, value };
}

interface SampleParts {
  readonly names: readonly string[];
  readonly transcript: ReturnType<typeof translateChat> | undefined;
  readonly ledger: Ledger;
}

function caseOf(row: Fields, { names, transcript, ledger }: SampleParts): JsonObject {
  const answer = expectedIn(row.reference);
  const documents = listOf(row.reference_context_ids).map(textOf);
  const context = listOf(row.reference_contexts).map(textOf);
  if (answer !== undefined) ledger.take('reference', 'expected.answer');
  if (documents.length > 0) ledger.take('reference_context_ids', 'expected.documents');
  if (context.length > 0) ledger.take('reference_contexts', 'context');
  const others = Object.entries(row).filter(
    ([name, value]) => value !== null && value !== undefined && value !== '' && !isPlaced(name, names),
  );
  for (const [name, value] of others) ledger.keep(name, value);
  return jsonObject({
    ...(transcript === undefined ? { input: questionOf(row) } : conversationOf(transcript)),
    expected: {
      answer,
      documents: filled(documents),
      ...expectedCalls(row.reference_tool_calls, ledger),
    },
    ...(context.length > 0 && { context }),
    metadata: Object.fromEntries(others),
  });
}

/** Returns the expected answer; several, as ragas 0.1 had them at first, are a list, which a table has as a text. */
function expectedIn(reference: unknown): string | string[] | undefined {
  const read =
    typeof reference === 'string' && /^\s*\[['"]/.test(reference) ? readCell(reference) : reference;
  const list = asArray(read).flatMap((each) => asText(each) ?? []);
  return list.length > 1 ? list : (list[0] ?? asText(reference));
}

const placed = new Set([
  'user_input',
  'response',
  'reference',
  'reference_contexts',
  'reference_context_ids',
  'reference_tool_calls',
  'retrieved_contexts',
  'retrieved_context_ids',
]);

function isPlaced(name: string, names: readonly string[]): boolean {
  return placed.has(name) || names.includes(name);
}

function questionOf({ user_input: input }: Fields): string {
  const text = textOf(input ?? '');
  return text.trim() === '' ? '(empty)' : text;
}

/**
 * Returns the parts of a case that is a conversation. A user who speaks several times has a script, since calls in any of the
 * turns are the target's; otherwise what follows the message of the user is the answer.
 */
function conversationOf(transcript: ReturnType<typeof translateChat>): Fields {
  const said = transcript.flatMap(({ role, content }) => (role === 'user' ? [content ?? ''] : []));
  const [first = '', ...others] = said;
  const isScript =
    others.length > 0 && transcript[0]?.role === 'user' && said.every((text) => text.trim() !== '');
  if (isScript) return { input: first, user: { script: said.map((say) => ({ say })) } };
  const last = transcript.findLastIndex(({ role }) => role === 'user');
  const before = transcript.slice(0, last + 1);
  return { input: before.length === 1 ? (before[0]?.content ?? '') : before };
}

/** Returns the documents that the answer is based on: with their ids where there are some, else by their texts. */
function documentsOf(row: Fields, ledger: Ledger): unknown[] {
  const found = listOf(row.retrieved_contexts).map(textOf);
  const ids = listOf(row.retrieved_context_ids).map(textOf);
  if (found.length + ids.length > 0) ledger.take('retrieved contexts', 'documents');
  if (ids.length === 0) return found;
  return ids.map((id, index) => ({ id, text: found[index] }));
}

/** Returns a list, and one value that is none as a list. */
function listOf(value: unknown): readonly unknown[] {
  return value === null || value === undefined || value === '' ? [] : [value].flat();
}
