import { filled } from '../../importers/values.ts';
import { stringify } from 'yaml';
import type { Ledger } from '../../importers/ledger.ts';
import type { Case } from '../../../core/schema/case.ts';
import type { Json } from '../../../core/schema/json.ts';
import { streamLines } from '../stream-json.ts';
import { type DatasetExporter, mapCases, metadataOf } from './dataset-exporter.ts';
import { writeMessages } from './write-messages.ts';

/**
 * Tests of promptfoo: a configuration that asks the question as it is, and the tests in JSON Lines. Its provider is to be
 * replaced by the bot.
 * @see https://www.promptfoo.dev/docs/configuration/test-cases/
 */
export const promptfooTests: DatasetExporter = {
  name: 'promptfoo',
  title: 'promptfoo',
  write: (cases, ledger) => [
    { name: 'tests.jsonl', pieces: streamLines(mapCases(cases, (testCase) => testOf(testCase, ledger))) },
    { name: 'promptfooconfig.yaml', pieces: configuration() },
  ],
};

async function* configuration(): AsyncGenerator<string> {
  const config = stringify({
    description: 'Questions of Touchstone',
    prompts: ['{{question}}'],
    providers: ['echo'],
    tests: 'file://tests.jsonl',
  });
  yield await Promise.resolve(`# Replace the provider \`echo\` by your bot.\n${config}`);
}

function testOf(testCase: Case, ledger: Ledger): object {
  const { id, input, expected } = testCase;
  ledger.take('question', 'test');
  const { assert, placed } = assertionsOf(testCase, ledger);
  if (expected.answer !== undefined) {
    ledger.approximate('expected.answer', {
      became: 'variable `expected`',
      note: 'No assertion compares with it: choose one, such as `similar` or `factuality`, with the value {{expected}}.',
    });
  }
  const hasMark = expected.passMark !== undefined && assert.length > 0;
  if (hasMark) {
    placed.add('expected.passMark');
    ledger.take('expected.passMark', 'threshold');
  }
  return {
    description: id,
    vars: {
      question: typeof input === 'string' ? input : JSON.stringify(writeMessages(input)),
      ...(expected.answer !== undefined && { expected: [expected.answer].flat()[0] }),
    },
    assert: filled(assert),
    ...(hasMark && { threshold: expected.passMark }),
    metadata: metadataOf(
      testCase,
      new Set(['id', ...(typeof input === 'string' ? ['input'] : []), ...placed]),
      ledger,
    ),
  };
}

type Assertion = { readonly type: string; readonly [name: string]: unknown };
type Check = { readonly [name: string]: Json };

/** Returns the assertions that the expectations of a case become, and the parts that they are. */
function assertionsOf(
  { id, expected }: Case,
  ledger: Ledger,
): { readonly assert: Assertion[]; readonly placed: Set<string> } {
  const placed = new Set<string>();
  const assert: Assertion[] = [];
  const add = (
    part: keyof Case['expected'],
    became: string,
    { assertions, note }: { readonly assertions: readonly Assertion[]; readonly note?: string },
  ) => {
    placed.add(`expected.${part}`);
    if (note === undefined || assertions.length === 0) ledger.take(`expected.${part}`, became);
    else ledger.approximate(`expected.${part}`, { became, note });
    assert.push(...assertions);
  };
  const { keywords, forbidden, refusal, checks } = expected;
  if (keywords !== undefined)
    add('keywords', 'icontains', {
      assertions: keywords.map((value) => ({ type: 'icontains', value })),
      note: 'promptfoo finds substrings: “49” in “$149” and “legal” in “illegal”, and not “1299” in “$1,299”; each keyword is a test of its own, where here their share counts.',
    });
  if (forbidden !== undefined)
    add('forbidden', 'not-icontains', {
      assertions: forbidden.map((value) => ({ type: 'not-icontains', value })),
      note: 'promptfoo looks for the letters as they are written: typography, invisible characters or another notation of a number hide a text from it, and a forbidden 5 is found in 15.',
    });
  if (refusal !== undefined)
    add('refusal', refusal ? 'is-refusal' : 'not-is-refusal', {
      assertions: [{ type: refusal ? 'is-refusal' : 'not-is-refusal' }],
    });
  const translated = (checks ?? []).map((check) => assertionOf(check as Check));
  if (checks !== undefined && !translated.includes(undefined))
    add('checks', 'assertions', { assertions: translated as Assertion[] });
  else if (checks !== undefined) {
    ledger.leaveOut('check without an assertion', {
      note: 'promptfoo has no assertion that measures the same; no check of this question is written as one.',
      place: id,
    });
  }
  return { assert, placed };
}

/** Returns the assertion that a check becomes, undefined when there is none of the same meaning. */
function assertionOf({ name, weight, not, all, threshold, ...check }: Check): Assertion | undefined {
  const common = {
    metric: name,
    weight,
  };
  if (Array.isArray(all)) {
    const parts = all.map((each) => assertionOf(each as Check));
    if (parts.includes(undefined)) return undefined;
    return { type: 'assert-set', assert: parts, threshold, ...common };
  }
  if (not !== undefined) {
    const inner = assertionOf(not as Check);
    return inner === undefined || inner.type === 'assert-set'
      ? undefined
      : { ...inner, type: `not-${inner.type}`, ...common };
  }
  const found = plainAssertion({ ...check, ...(threshold !== undefined && { threshold }) });
  return found === undefined ? undefined : { ...found, ...common };
}

function plainAssertion({ use, ...options }: Check): Assertion | undefined {
  const translate = typeof use === 'string' ? assertions[use] : undefined;
  return translate?.(options);
}

/** The assertions that measure what our metrics do. */
const assertions: Readonly<Record<string, ((options: Check) => Assertion | undefined) | undefined>> = {
  contains: ({ value, ignoreCase = true, mode = 'all', ...others }) => {
    if (value === undefined || Object.keys(others).length > 0) return undefined;
    const type = `${ignoreCase === true ? 'i' : ''}contains`;
    return Array.isArray(value) ? { type: `${type}-${String(mode)}`, value } : { type, value };
  },
  regex: ({ pattern, flags, ...others }) =>
    Object.keys(others).length > 0 || (flags !== undefined && flags !== '')
      ? undefined
      : { type: 'regex', value: pattern },
  'json-valid': (options) => (Object.keys(options).length > 0 ? undefined : { type: 'is-json' }),
  'json-schema': ({ schema, ...others }) =>
    schema === undefined || Object.keys(others).length > 0 ? undefined : { type: 'is-json', value: schema },
  'word-count': ({ exact, words, ...bounds }) => {
    if (words === 'unicode') return undefined;
    const isPlain = Object.keys(bounds).every((name) => name === 'min' || name === 'max');
    return isPlain ? { type: 'word-count', value: exact ?? bounds } : undefined;
  },
  'html-valid': ({ anywhere }) => ({ type: anywhere === true ? 'contains-html' : 'is-html' }),
  'xml-valid': ({ anywhere, requiredElements }) => ({
    type: anywhere === true ? 'contains-xml' : 'is-xml',
    ...(requiredElements !== undefined && { value: { requiredElements } }),
  }),
  rubric: ({ text, reads: _, shape: __, threshold, ...others }) =>
    text === undefined || Object.keys(others).length > 0
      ? undefined
      : { type: 'llm-rubric', value: text, threshold },
};
