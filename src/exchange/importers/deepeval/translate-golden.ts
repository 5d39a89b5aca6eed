import { lastAnswer, translateChat, translateToolCall } from '../chat-messages.ts';
import type { FoundTrial } from '../collect-trials.ts';
import { readCell } from '../content/rows.ts';
import type { JsonObject } from '../importer.ts';
import type { Ledger } from '../ledger.ts';
import {
  asArray,
  asNumber,
  asObject,
  asText,
  type Fields,
  jsonObject,
  objectsIn,
  textOf,
  filled,
} from '../values.ts';

/** Columns whose cells are lists of texts, which DeepEval joins with `|` in CSV and JSON Lines. */
const joinedLists = ['context', 'retrieval_context'];

/** Columns whose cells are JSON. */
const structured = [
  'tools_called',
  'expected_tools',
  'turns',
  'additional_metadata',
  'custom_column_key_values',
  'expectations',
  'persona',
  'token_cost',
  'input_token_count',
  'output_token_count',
];

/** Returns goldens with their cells read: lists that were joined are split again. */
export function readGoldens(rows: readonly Fields[], ledger: Ledger): Fields[] {
  return rows.map((row) => {
    const entries = Object.entries(row).map(([name, cell]) => [name, readColumn(name, cell, ledger)]);
    return Object.fromEntries(entries) as Fields;
  });
}

function readColumn(name: string, cell: unknown, ledger: Ledger): unknown {
  if (typeof cell !== 'string') return cell ?? undefined;
  if (cell === '') return undefined;
  if (structured.includes(name)) return readCell(cell) ?? undefined;
  if (!joinedLists.includes(name)) return cell;
  if (cell.includes('|')) {
    ledger.approximate(`list in the column ${name}`, {
      became: 'a list, split at `|`',
      note: 'DeepEval joins lists with `|` in CSV and JSON Lines: a text with one comes back as two. Its JSON is exact.',
    });
  }
  return cell.split('|');
}

/** Translates a golden to a case, and its answer or its turns, where it has some, to a recorded answer. */
export function translateGolden(golden: Fields, ledger: Ledger): FoundTrial {
  const testCase = 'scenario' in golden ? conversationOf(golden, ledger) : caseOf(golden, ledger);
  return {
    caseKey: JSON.stringify([golden.name ?? null, testCase]),
    name: asText(golden.name),
    testCase,
    row: 'scenario' in golden ? rowOfTurns(golden) : rowOfAnswer(golden),
  };
}

/** Columns of a golden that have a place of their own in a case or an answer. */
const placed = new Set([
  'input',
  'expected_output',
  'actual_output',
  'context',
  'name',
  'tools_called',
  'expected_tools',
  'token_cost',
  'input_token_count',
  'output_token_count',
  'additional_metadata',
  'scenario',
  'turns',
  'user_description',
  'expected_outcome',
]);

function caseOf(golden: Fields, ledger: Ledger): JsonObject {
  const answer = asText(golden.expected_output);
  if (answer !== undefined) ledger.take('expected_output', 'expected.answer');
  return caseWith(golden, ledger, {
    input: asText(golden.input) ?? '(empty)',
    expected: { answer, ...expectedCalls(golden.expected_tools, ledger) },
  });
}

/** A conversational golden: the scenario is the goal of a simulated user, and the outcome is judged. */
function conversationOf(golden: Fields, ledger: Ledger): JsonObject {
  const { scenario, user_description: persona, expected_outcome: outcome, turns } = golden;
  const first = objectsIn(turns).find(({ role }) => role === 'user');
  const goal = asText(scenario) ?? '(empty)';
  ledger.take('scenario', 'goal of the user');
  if (asText(persona) !== undefined) ledger.take('user_description', 'persona of the user');
  return caseWith(golden, ledger, {
    input: asText(first?.content) ?? goal,
    user: {
      goal,
      ...(asText(persona) !== undefined && { persona }),
      ...(first === undefined && { opens: true }),
    },
    expected: outcomeCheck(asText(outcome), ledger),
  });
}

/** Returns the expectation that a conversation ends in some way, which a judge decides. */
function outcomeCheck(outcome: string | undefined, ledger: Ledger): JsonObject {
  if (outcome === undefined) return {};
  ledger.approximate('expected_outcome', {
    became: '`rubric` that reads the conversation',
    note: 'The judge is asked in our words.',
  });
  const text = `The conversation ended with this outcome: ${outcome}`;
  const reads = ['conversation', 'tool results', 'answer'];
  return { checks: [{ use: 'rubric', text, shape: 'verdict', reads, name: 'expected_outcome' }] };
}

function caseWith(golden: Fields, ledger: Ledger, parts: Fields): JsonObject {
  const metadata = asObject(golden.additional_metadata) ?? {};
  const others = Object.entries(golden).filter(
    ([name, value]) =>
      value !== undefined && value !== null && !placed.has(name) && !isOfAnswer(name, golden),
  );
  for (const [name, value] of others) ledger.keep(name, value);
  if (Object.keys(metadata).length > 0) ledger.take('additional_metadata', 'metadata');
  const context = asArray(golden.context).map(textOf);
  if (context.length > 0) ledger.take('context', 'context');
  return jsonObject({
    ...parts,
    category: asText(metadata.category),
    ...(context.length > 0 && { context }),
    metadata: { ...metadata, ...Object.fromEntries(others) },
  });
}

/** The documents that were found belong to the answer, when there is one. */
function isOfAnswer(name: string, { actual_output: output }: Fields): boolean {
  return name === 'retrieval_context' && asText(output) !== undefined;
}

/** Returns the calls that are expected of an answer: each at least once, with its arguments where they are given. */
export function expectedCalls(tools: unknown, ledger: Ledger): JsonObject {
  const must = objectsIn(tools).flatMap((tool) => {
    const { name, arguments: args } = translateToolCall(tool);
    const isNamed = asText(tool.name) !== undefined;
    const hasArguments = Object.keys(asObject(args) ?? {}).length > 0;
    return isNamed ? [{ name, ...(hasArguments && { arguments: args ?? {} }) }] : [];
  });
  if (must.length === 0) return {};
  for (const _ of must) ledger.take('expected tool', 'expected.calls.must');
  return { calls: { must } };
}

function rowOfAnswer(golden: Fields): Fields | undefined {
  const answer = asText(golden.actual_output);
  if (answer === undefined) return undefined;
  return { answer, ...answerParts(golden), usage: usageOf(golden), cost: asNumber(golden.token_cost) };
}

function usageOf({ input_token_count: input, output_token_count: output }: Fields): Fields | undefined {
  const usage = { inputTokens: asNumber(input), outputTokens: asNumber(output) };
  return usage.inputTokens === undefined && usage.outputTokens === undefined ? undefined : usage;
}

/** Returns the tool calls and the documents of an answer. */
export function answerParts({ tools_called: tools, retrieval_context: documents }: Fields): Fields {
  const calls = objectsIn(tools);
  const texts = asArray(documents).map(textOf);
  return {
    ...(Array.isArray(tools) && { toolCalls: calls.map(translateToolCall) }),
    documents: filled(texts),
  };
}

/** Returns turns as a recorded conversation; undefined when nothing was answered yet. */
export function rowOfTurns({ turns }: Fields): Fields | undefined {
  const given = objectsIn(turns);
  const transcript = translateChat(given);
  const answer = lastAnswer(transcript);
  if (answer === undefined) return undefined;
  const documents = given.flatMap(({ retrieval_context: found }) => asArray(found).map(textOf));
  return { answer, transcript, ...(documents.length > 0 && { documents: [...new Set(documents)] }) };
}
