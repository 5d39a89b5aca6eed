import type { JsonObject } from '../importer.ts';
import type { Ledger } from '../ledger.ts';
import { asArray, asObject, asText, type Fields, jsonObject, objectsIn, textOf } from '../values.ts';
import { nameCases } from '../collect-trials.ts';
import { restoreOwnParts } from '../own-parts.ts';
import { findQuestion } from '../questions.ts';
import { type AssertionContext, translateAssertions } from './assertions/translate-assertions.ts';

/**
 * Translates a test of promptfoo to a case: the variable that is the question, the others as metadata, its
 * assertions as checks.
 * @param prompts - The prompts as they were written: the only variable in them is the question.
 */
export function translateTest(
  test: Fields,
  { id, prompts, question: named, rendered, ledger, transforms = [], ...context }: TestContext,
): JsonObject {
  const vars = asObject(test.vars) ?? {};
  const metadata = asObject(test.metadata) ?? {};
  const question = named !== undefined && vars[named] !== undefined ? named : findQuestion(vars, prompts);
  ledger.take('test', 'question');
  if (question === undefined) {
    ledger.approximate('question of a test', {
      became: 'the whole prompt',
      note: 'No variable is the question by itself: the prompt as it was sent is.',
    });
  }
  const hasOwnAnswer = asObject(asObject(metadata.touchstone)?.expected)?.answer !== undefined;
  const others = Object.entries(vars).filter(
    ([name]) => name !== question && !(hasOwnAnswer && name === 'expected'),
  );
  if (others.length > 0) ledger.take('variable other than the question', 'metadata');
  const category = categoryOf(metadata);
  const { expected, references } = translateAssertions(objectsIn(test.assert), test.threshold, {
    ...context,
    vars,
    ledger,
    place: id,
    // Results contain answers as they are after the transforms of their tests.
    ...(!context.isJudged && { transforms: [...transforms, ...transformOf(test)] }),
  });
  const testCase = jsonObject({
    id,
    input: inputOf(question === undefined ? undefined : textOf(vars[question]), rendered),
    category,
    ...tagsOf(metadata),
    ...(Object.keys(expected).length > 0 && { expected }),
    metadata: {
      ...Object.fromEntries(others),
      ...metadata,
      ...(Object.keys(references).length > 0 && { references }),
    },
  });
  return restoreOwnParts(testCase);
}

/** Returns the question. Results contain the name of a file, and the prompt as it was sent what is in it. */
function inputOf(written: string | undefined, rendered: string | undefined): string {
  const text = (written?.startsWith('file://') === true ? rendered : written) ?? rendered ?? '';
  return text === '' ? '(empty)' : text;
}

/** The name of a case, and what its question is made of. */
export interface TestContext
  extends Pick<
    AssertionContext,
    'findFault' | 'isJudged' | 'hasStubs' | 'readFile' | 'asked' | 'tools' | 'transforms'
  > {
  readonly id: string;
  readonly prompts: readonly string[];
  /** The variable that is the question of all tests, where the prompts tell it. */
  readonly question?: string;
  /** The prompt as it was sent, where that is known. */
  readonly rendered: string | undefined;
  readonly ledger: Ledger;
}

/** Returns the category of a test; of an attack of a red team what it is after, by which attacks are counted. */
function categoryOf({ category, pluginId }: Fields): string | undefined {
  return asText(category) ?? asText(pluginId);
}

function transformOf({ options }: Fields): string[] {
  const transform = asText(asObject(options)?.transform);
  return transform === undefined ? [] : [transform];
}

function tagsOf({ tags }: Fields): { tags?: string[] } {
  const texts = asArray(tags).filter((tag) => typeof tag === 'string');
  return texts.length === 0 ? {} : { tags: texts };
}

/** Returns names for tests: the description where no other test has it, else the number of the test. */
export function nameTests(tests: readonly Fields[]): string[] {
  return nameCases(
    tests.map(({ description }) => asText(description)),
    'test',
  );
}
