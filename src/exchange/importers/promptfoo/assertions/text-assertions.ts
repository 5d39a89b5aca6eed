import { parse } from 'yaml';
import { anyAliases, boundedYaml } from '../../../../core/lib/yaml/bounded-yaml.ts';
import type { JsonObject } from '../../importer.ts';
import { asNumber, asObject, textOf, filled } from '../../values.ts';
import { toJson } from '../../../../evaluate/targets/reply/to-json.ts';
import {
  type Assertion,
  type AssertionType,
  boundsOf,
  escapePattern,
  textsOf,
  type Translated,
} from './assertion.ts';

const needsText = 'its value is empty';

/** The assertions that compare texts and formats, without a model. */
export const textAssertions: Readonly<Record<string, AssertionType>> = {
  equals: {
    becomes: '`check` of the answer; of an object `json-schema` with `const`',
    translate: ({ value }): JsonObject =>
      typeof value === 'object' && value !== null
        ? { use: 'json-schema', schema: { const: toJson(value) } }
        : { use: 'check', path: 'answer', equals: textOf(value ?? '') },
  },
  contains: search({ ignoreCase: false, isList: false, mode: 'all' }),
  'contains-all': search({ ignoreCase: false, isList: true, mode: 'all' }),
  'contains-any': search({ ignoreCase: false, isList: true, mode: 'any' }),
  icontains: search({ ignoreCase: true, isList: false, mode: 'all' }),
  'icontains-all': search({ ignoreCase: true, isList: true, mode: 'all' }),
  'icontains-any': search({ ignoreCase: true, isList: true, mode: 'any' }),
  'starts-with': {
    becomes: '`regex`',
    translate: ({ value }) => ({
      use: 'regex',
      pattern: `^${escapePattern(textOf(value ?? ''))}`,
      flags: '',
    }),
  },
  regex: {
    becomes: '`regex`',
    translate: ({ value }) => ({ use: 'regex', pattern: textOf(value ?? ''), flags: '' }),
  },
  'is-json': {
    becomes: '`json-valid`, `json-schema`',
    translate: ({ value }) => withSchema(value, 'json-schema') ?? { use: 'json-valid' },
  },
  'contains-json': {
    becomes: '`contains-json`',
    translate: ({ value }) => withSchema(value, 'contains-json') ?? { use: 'contains-json' },
  },
  'is-html': { becomes: '`html-valid`', translate: () => ({ use: 'html-valid' }) },
  'contains-html': {
    becomes: '`html-valid` with `anywhere`',
    note: 'An element of HTML has to be there; promptfoo counts signs, such as tags of any name and entities.',
    translate: () => ({ use: 'html-valid', anywhere: true }),
  },
  'is-xml': { becomes: '`xml-valid`', translate: ({ value }) => xml(value) },
  'contains-xml': {
    becomes: '`xml-valid` with `anywhere`',
    note: 'An element has to be well-formed; promptfoo forgives some that are not.',
    translate: ({ value }) => ({ ...xml(value), anywhere: true }),
  },
  'is-sql': {
    becomes: '`sql-valid`',
    note: 'An empty answer does not pass.',
    translate: ({ value }) => sql(value),
  },
  'contains-sql': {
    becomes: '`sql-valid` of the first code fence',
    note: 'An empty answer does not pass.',
    translate: ({ value }) => {
      const check = sql(value);
      return typeof check === 'string' ? check : { ...check, fenced: true };
    },
  },
  'word-count': {
    becomes: '`word-count`',
    translate: ({ value }) => {
      const exact = asNumber(typeof value === 'string' ? Number(value) : value);
      return { use: 'word-count', words: 'spaced', ...(exact === undefined ? boundsOf(value) : { exact }) };
    },
  },
  levenshtein: {
    becomes: '`edit-similarity` with `maxDistance`',
    note: 'Its verdict is the same; its value is the similarity, where promptfoo gives 1 or 0.',
    translate: ({ value, threshold = 5 }, parts) => ({
      use: 'edit-similarity',
      from: parts.refer(textOf(value ?? '')),
      maxDistance: Math.floor(threshold),
    }),
  },
  'rouge-n': overlap(
    { use: 'rouge', type: 'rouge-1' },
    0.75,
    'The words are split as in the package rouge_score, and letter case does not matter; promptfoo counts punctuation marks as words, and letter case.',
  ),
  bleu: overlap(
    { use: 'bleu', tokenizer: 'none', ignoreCase: true, smoothing: 'floor', smoothingValue: 1e-7 },
    0.5,
    'Words are split as in promptfoo. An answer that shares no run of four words with the expected one has a value near 0 in both, but not the same value.',
  ),
  gleu: overlap({ use: 'gleu' }, 0.5),
  meteor: overlap(
    { use: 'meteor' },
    0.5,
    'Words with the same stem match; the synonyms of WordNet are not known.',
  ),
  'finish-reason': {
    becomes: '`finish-reason`',
    translate: ({ value }) => {
      const reasons = textsOf(value);
      return reasons.length === 0 ? 'it names no reason' : { use: 'finish-reason', value: reasons };
    },
  },
  cost: {
    becomes: '`cost`',
    translate: ({ threshold }) =>
      threshold === undefined ? 'it has no threshold' : { use: 'cost', max: threshold },
  },
  latency: {
    becomes: '`latency`',
    translate: ({ threshold }) =>
      threshold === undefined ? 'it has no threshold' : { use: 'latency', maxMs: threshold },
  },
  'is-refusal': {
    becomes: '`refusal`',
    note: 'The phrases of a refusal are listed in each tool, and differ.',
    isOwnOpposite: true,
    translate: ({ isNegated }, parts) =>
      parts.expect('refusal', !isNegated)
        ? { use: 'refusal' }
        : `the question expects ${isNegated ? 'a' : 'no'} refusal`,
  },
};

function xml(value: unknown): JsonObject {
  const required = textsOf(asObject(value)?.requiredElements ?? (asObject(value) ? [] : (value ?? [])));
  return { use: 'xml-valid', requiredElements: filled(required) };
}

function sql(value: unknown): Translated {
  const { databaseType, allowedTables, allowedColumns } = asObject(value) ?? {};
  return {
    use: 'sql-valid',
    ...(databaseType !== undefined && { dialect: textOf(databaseType).toLowerCase() }),
    ...(allowedTables !== undefined && { allowedTables: textsOf(allowedTables) }),
    ...(allowedColumns !== undefined && { allowedColumns: textsOf(allowedColumns) }),
  };
}

interface Search {
  readonly ignoreCase: boolean;
  readonly isList: boolean;
  readonly mode: 'all' | 'any';
}

function search({ ignoreCase, isList, mode }: Search): AssertionType {
  return {
    becomes: '`contains`',
    translate: ({ value }) => {
      const texts = isList ? textsOf(value) : [textOf(value ?? '')];
      if (texts.length === 0 || texts.includes('')) return needsText;
      const [only] = texts;
      return {
        use: 'contains',
        value: texts.length === 1 && only !== undefined ? only : texts,
        ignoreCase,
        ...(mode === 'any' && texts.length > 1 && { mode }),
      };
    },
  };
}

function overlap(use: JsonObject, usual: number, note?: string): AssertionType {
  return {
    becomes: `\`${String(use['use'])}\``,
    note,
    translate: ({ value, threshold = usual }: Assertion, parts): Translated => ({
      ...use,
      from: parts.refer(Array.isArray(value) ? value.map(textOf) : textOf(value ?? '')),
      threshold,
    }),
  };
}

/** Returns the check by a JSON Schema that is an object or a text in YAML; undefined without one. */
function withSchema(value: unknown, use: string): Translated | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const schema = typeof value === 'string' ? readYaml(value) : value;
  return asObject(schema) === undefined ? 'its JSON Schema cannot be read' : { use, schema: toJson(schema) };
}

function readYaml(text: string): unknown {
  try {
    return boundedYaml(parse(text, anyAliases) as unknown);
  } catch {
    return undefined;
  }
}
