import type { JsonObject } from '../importer.ts';
import type { Ledger } from '../ledger.ts';
import { asArray, asObject, asText, type Fields, jsonObject, objectsIn, textOf } from '../values.ts';
import { type AssertionContext, translateAssertions } from './assertions/translate-assertions.ts';

/** Names under which a question is often kept, best first. */
const questionNames = ['question', 'input', 'query', 'prompt', 'message', 'request', 'text', 'user_input'];

/**
 * Translates a test of promptfoo to a case: the variable that is the question, the others as metadata, its
 * assertions as checks.
 * @param prompts - The prompts as they were written: the only variable in them is the question.
 */
export function translateTest(
  test: Fields,
  { id, prompts, question: given, rendered, ledger, ...context }: TestContext,
): JsonObject {
  const vars = asObject(test.vars) ?? {};
  const metadata = asObject(test.metadata) ?? {};
  const question = given !== undefined && vars[given] !== undefined ? given : questionIn(vars, prompts);
  ledger.take('test', 'case');
  if (question === undefined) {
    ledger.approximate('question of a test', {
      became: 'the whole prompt',
      note: 'No variable is the question by itself: the prompt as it was sent is.',
    });
  }
  const others = Object.entries(vars).filter(([name]) => name !== question);
  if (others.length > 0) ledger.take('variable beside the question', 'metadata');
  const category = asText(metadata.category);
  const { expected, references } = translateAssertions(objectsIn(test.assert), test.threshold, {
    ...context,
    vars,
    ledger,
    place: id,
    ...(!context.isJudged && { transform: asText(asObject(test.options)?.transform) }),
  });
  return jsonObject({
    id,
    input: inputOf(question === undefined ? undefined : textOf(vars[question]), rendered),
    ...(category !== undefined && { category }),
    ...tagsOf(metadata),
    ...(Object.keys(expected).length > 0 && { expected }),
    metadata: {
      ...Object.fromEntries(others),
      ...metadata,
      ...(Object.keys(references).length > 0 && { references }),
    },
  });
}

/** Returns the question. Results contain the name of a file, and the prompt as it was sent what is in it. */
function inputOf(written: string | undefined, rendered: string | undefined): string {
  const text = (written?.startsWith('file://') === true ? rendered : written) ?? rendered ?? '';
  return text === '' ? '(empty)' : text;
}

/** The name of a case, and what its question is made of. */
export interface TestContext extends Pick<AssertionContext, 'findFault' | 'isJudged' | 'readFile' | 'asked'> {
  readonly id: string;
  readonly prompts: readonly string[];
  /** The variable that is the question of all tests, where the prompts tell it. */
  readonly question?: string | undefined;
  /** The prompt as it was sent, where that is known. */
  readonly rendered: string | undefined;
  readonly ledger: Ledger;
}

function tagsOf({ tags }: Fields): { tags?: string[] } {
  const texts = asArray(tags).filter((tag) => typeof tag === 'string');
  return texts.length === 0 ? {} : { tags: texts };
}

/** Returns the name of the variable that is the question: the only one of the prompts, the best known name, or the only one. */
function questionIn(vars: Fields, prompts: readonly string[]): string | undefined {
  const names = Object.keys(vars);
  const used = names.filter((name) => prompts.some((prompt) => usesVariable(prompt, name)));
  if (used.length === 1) return used[0];
  const among = used.length > 1 ? used : names;
  return questionNames.find((name) => among.includes(name)) ?? (among.length === 1 ? among[0] : undefined);
}

function usesVariable(prompt: string, name: string): boolean {
  return prompt.replaceAll(/\s/g, '').includes(`{{${name}}}`);
}

/** Returns names for tests: the description where no other test has it, else the number of the test. */
export function nameTests(tests: readonly Fields[]): string[] {
  const counts = new Map<string, number>();
  for (const { description } of tests) {
    const text = asText(description);
    if (text !== undefined) counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return tests.map(({ description }, index) => {
    const text = asText(description);
    return text !== undefined && counts.get(text) === 1 && text.length <= 100 ? text : `test-${index + 1}`;
  });
}
