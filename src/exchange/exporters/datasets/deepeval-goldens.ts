import type { Ledger } from '../../importers/ledger.ts';
import type { Case } from '../../../core/schema/case.ts';
import { streamItems } from '../stream-json.ts';
import { type DatasetExporter, metadataOf } from './dataset-exporter.ts';

/**
 * Goldens of DeepEval, and conversational goldens for cases with a simulated user, each in a file (JSON) if there are any, for
 * `add_goldens_from_json_file`.
 * @see https://deepeval.com/docs/evaluation-datasets
 */
export const deepevalGoldens: DatasetExporter = {
  name: 'deepeval',
  title: 'DeepEval',
  write(cases, ledger) {
    const conversations: object[] = [];
    // The second file is read after the first, when all conversations are known.
    return [
      {
        name: 'goldens.json',
        pieces: streamItems(goldensOf(cases, conversations, ledger)),
        isOptional: true,
      },
      {
        name: 'conversational-goldens.json',
        pieces: streamItems(toStream(conversations)),
        isOptional: true,
      },
    ];
  },
};

async function* goldensOf(
  cases: AsyncIterable<Case>,
  conversations: object[],
  ledger: Ledger,
): AsyncGenerator<object> {
  for await (const testCase of cases) {
    if (testCase.user?.goal === undefined) yield goldenOf(testCase, ledger);
    else conversations.push(conversationOf(testCase, testCase.user.goal, ledger));
  }
}

async function* toStream(items: readonly object[]): AsyncGenerator<object> {
  for (const item of items) yield await Promise.resolve(item);
}

function goldenOf(testCase: Case, ledger: Ledger): object {
  const { id, input, expected, context } = testCase;
  ledger.take('question', 'golden');
  const placed = new Set(['id', 'context', ...(typeof input === 'string' ? ['input'] : [])]);
  const answer = typeof expected.answer === 'string' ? expected.answer : undefined;
  if (answer !== undefined) {
    placed.add('expected.answer');
    ledger.take('expected.answer', 'expected_output');
  }
  if (context !== undefined) ledger.take('context', 'context');
  const tools = toolsOf(expected);
  if (tools !== undefined) {
    placed.add('expected.tools');
    ledger.take('expected.tools', 'expected_tools');
  }
  return {
    input: typeof input === 'string' ? input : lastQuestion(testCase, ledger),
    expected_output: answer ?? null,
    context: context === undefined ? null : [context].flat(),
    expected_tools: tools ?? null,
    name: id,
    additional_metadata: metadataOf(testCase, placed, ledger),
  };
}

/** Returns the expected tools when they are names only; rules for calls say more than DeepEval knows. */
function toolsOf({ tools }: Case['expected']): { name: string }[] | undefined {
  const names = tools?.filter((tool) => typeof tool === 'string');
  return tools === undefined || names?.length !== tools.length ? undefined : names.map((name) => ({ name }));
}

function lastQuestion({ id, input }: Case, ledger: Ledger): string {
  ledger.approximate('input of several messages', {
    became: 'input',
    note: 'A golden has one text: it is the last message of the user. All messages are in the metadata.',
    place: id,
  });
  const messages = typeof input === 'string' ? [] : input;
  return messages.findLast(({ role }) => role === 'user')?.content ?? '';
}

function conversationOf(testCase: Case, goal: string, ledger: Ledger): object {
  const { id, user, context } = testCase;
  ledger.take('question with a simulated user', 'conversational golden');
  const placed = new Set(['id', 'context']);
  return {
    scenario: goal,
    expected_outcome: null,
    user_description: user?.persona ?? null,
    context: context === undefined ? null : [context].flat(),
    name: id,
    additional_metadata: metadataOf(testCase, placed, ledger),
  };
}
