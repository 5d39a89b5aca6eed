import {
  type AssertionType,
  boundsOf,
  type CaseParts,
  textsOf,
  type Translated,
  without,
} from './assertion.ts';
import { judgedAssertions } from './judged-assertions.ts';
import { textAssertions } from './text-assertions.ts';
import type { JsonObject } from '../../importer.ts';
import { asArray, asObject, asText } from '../../values.ts';
import { toJson } from '../../../../evaluate/targets/reply/to-json.ts';

const fromTraces =
  'Tool calls are read from the reply or the traces of the target, where promptfoo reads traces only.';

/** There has to be a call, and each has to be of a tool of the providers, with arguments that its schema allows. */
const validCalls: AssertionType = {
  becomes: '`tool-schema` by the tools of the providers, and `check` for a call',
  translate: (_, { tools, refer }) => {
    if (typeof tools === 'string') return tools;
    const schema: JsonObject = { use: 'tool-schema', from: refer(tools, 'tools') };
    return { all: [schema, { use: 'check', calls: '*', which: 'count', atLeast: 1 }] };
  },
};

/** The assertions about tool calls and traces. */
const toolAssertions: Readonly<Record<string, AssertionType>> = {
  'is-valid-openai-tools-call': validCalls,
  'is-valid-openai-function-call': validCalls,
  'is-valid-function-call': validCalls,
  'tool-call-f1': {
    becomes: '`tool-f1` by the names of `expected.tools`',
    note: 'A tool that is called twice counts twice; in promptfoo, names are a set.',
    translate: ({ value, threshold = 1 }, parts) =>
      parts.expect('tools', textsOf(value))
        ? { use: 'tool-f1', threshold }
        : 'another assertion of the question expects other tools',
  },
  'skill-used': {
    becomes: '`check` of the number of calls',
    note: 'A skill counts as a tool call of its name: the target has to report it as one.',
    translate: ({ value, isNegated }) => {
      const only = asObject(value);
      const least = boundsOf(value).max === undefined ? 1 : 0;
      return countEach(only === undefined ? value : { min: least, ...only }, isNegated);
    },
  },
  'trajectory:tool-used': {
    becomes: '`check` of the number of calls',
    note: fromTraces,
    translate: ({ value, isNegated }) => countEach(value, isNegated),
  },
  'trajectory:tool-sequence': {
    becomes: '`tool-calls` with `expected.calls` in a mode of its own',
    note: fromTraces,
    translate: ({ value }, parts) => sequence(value, parts),
  },
  'trajectory:tool-args-match': {
    becomes: '`check` of the arguments of a call',
    note: fromTraces,
    translate: ({ value }) => matchArguments(asObject(value) ?? {}),
  },
  'trajectory:step-count': {
    becomes: '`check` of the number of calls, for steps of the type `tool`',
    note: fromTraces,
    translate: ({ value }) => {
      const { type, pattern, name } = asObject(value) ?? {};
      if (type !== 'tool') return 'only steps of the type `tool` are counted here';
      if (pattern !== undefined && pattern !== '*') return 'patterns of names are not counted here';
      return countCalls({ ...asObject(value), name: asText(name) ?? '*', min: boundsOf(value).min ?? 0 });
    },
  },
  'trace-error-spans': {
    becomes: '`check` that no tool call failed',
    note: 'Failed tool calls count; promptfoo counts failed spans of every kind.',
    translate: ({ value }) => {
      const { max_count: count = value, max_percentage: share, pattern = '*' } = asObject(value) ?? {};
      if (pattern !== '*') return 'patterns of names are not counted here';
      const most = share ?? (asObject(count) === undefined ? (count ?? 0) : 0);
      if (Number(most) !== 0) return 'some failed calls are allowed, which are not counted here';
      const none: JsonObject = { calls: '*', which: 'count', atMost: 0 };
      return { use: 'check', any: [none, { calls: '*', which: 'every', at: 'error', exists: false }] };
    },
  },
  'trace-span-count': without('Spans of traces are not stored with the answer, only the tool calls in them.'),
  'trace-span-duration': without(
    'Spans of traces are not stored with the answer, only the tool calls in them.',
  ),
};

/** Counts the calls of several tools: each has to be called, or, inside `not`, none. */
function countEach(value: unknown, isNegated: boolean): Translated {
  const only = asObject(value);
  if (only !== undefined) return countCalls(only);
  const counted = (Array.isArray(value) ? value : textsOf(value)).map((each: unknown) =>
    countCalls(asObject(each) ?? { name: each }),
  );
  const fault = counted.find((each) => typeof each === 'string');
  if (fault !== undefined || counted.length === 0) return fault ?? 'it names no tool';
  const checks = counted as JsonObject[];
  if (checks.length === 1) return checks[0] as JsonObject;
  return isNegated ? { any: checks } : { all: checks };
}

function countCalls(value: Readonly<Record<string, unknown>>): Translated {
  const name = asText(value.name);
  const isPattern = name === undefined || (name !== '*' && /[*?]/.test(name));
  if (isPattern || value.pattern !== undefined) return 'patterns of names are not counted here';
  const { min = 1, max } = boundsOf(value);
  return {
    use: 'check',
    calls: name,
    which: 'count',
    atLeast: min,
    atMost: max,
  };
}

function sequence(value: unknown, parts: CaseParts): Translated {
  const object = asObject(value);
  const steps = asArray(object?.steps ?? value);
  const names = steps.flatMap((step) => asText(asObject(step)?.name ?? step) ?? []);
  if (names.length !== steps.length || names.length === 0) return 'its steps are no names of tools';
  const mode = object?.mode === 'exact' ? 'strict' : 'in-order';
  return parts.expect('calls', { expect: names, mode })
    ? { use: 'tool-calls' }
    : 'another assertion of the question expects another sequence';
}

function matchArguments({
  name,
  args,
  arguments: also,
  mode,
  ignore,
  defaults,
}: Readonly<Record<string, unknown>>): Translated {
  const tool = asText(name);
  const wanted = asObject(args ?? also);
  if (tool === undefined || wanted === undefined) return 'it names no tool, or no arguments';
  if (defaults !== undefined) return 'defaults of arguments have no equivalent';
  const ignored = textsOf(ignore ?? []);
  if (ignored.some((key) => /[*?]/.test(key))) return 'patterns of ignored arguments have no equivalent';
  if (mode === 'exact' && ignored.length > 0) return 'exact arguments with some ignored have no equivalent';
  const kept = Object.fromEntries(Object.entries(wanted).filter(([key]) => !ignored.includes(key)));
  const compared = toJson(kept);
  return {
    use: 'check',
    calls: tool,
    at: 'arguments',
    ...(mode === 'exact' ? { equals: compared } : { matches: compared }),
  };
}

const notRun = 'Code of an imported file is never run. Port it to the metric `function`.';
const ofSeveral = 'It compares the answers of several targets: see `touchstone prefer`.';

/**
 * Every type of assertion of promptfoo 0.123.1 with what becomes of it; each also exists with `not-`, which becomes `not`.
 * @see https://www.promptfoo.dev/docs/configuration/expected-outputs/
 */
export const assertionTypes: Readonly<Record<string, AssertionType>> = {
  ...textAssertions,
  ...judgedAssertions,
  ...toolAssertions,
  javascript: without(notRun),
  python: without(notRun),
  ruby: without(notRun),
  'select-best': without(ofSeveral),
  'max-score': without(ofSeveral),
  human: without('People label answers with `touchstone review`.'),
};
