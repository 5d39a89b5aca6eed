import { valueAtPath } from '../../core/lib/objects.ts';
import type { RowProblem } from './dataset.ts';
import { type FieldMapping, normalize } from './field-mapping.ts';
import { type Fields, isFields } from './fields.ts';
import {
  askWithChoices,
  type ChoiceBase,
  findChoiceColumns,
  type FoundChoices,
  isIndexName,
  letterOfChoice,
  placeOfChoice,
  type PlacedChoice,
  readChoices,
} from './forms/choices.ts';
import { parseLiteral } from './read-fields.ts';

/** Fields with expectations in our spelling, or the problem that keeps a row from being read. */
export interface ForeignChecks {
  readonly fields: Fields;
  readonly problem?: Omit<RowProblem, 'place'>;
}

/** The meaning of the names in a row, and what is known of the file that it is from. */
export interface Reading {
  readonly mapping: FieldMapping;
  /** The number from which the file counts the choices of questions. */
  readonly base?: ChoiceBase;
}

/**
 * Reads the forms of other tools: promptfoo's `__expected`, checks named by `validation_type`, the `choices` of a
 * question, the `history` before it, and paths into an object that a config maps.
 */
export function readForeignChecks(row: Fields, reading: Reading): ForeignChecks {
  const { mapping } = reading;
  const fields = withPaths(row, mapping);
  const find = (wanted: string) => {
    const name = Object.keys(fields).find((each) => normalize(each) === wanted);
    return name === undefined || mapping.targetOf(name) !== undefined ? undefined : name;
  };
  const promptfoo = Object.keys(fields).filter((name) => /^__\w/.test(name) && !mapping.isOverridden(name));
  if (promptfoo.length > 0) return readPromptfoo(fields, promptfoo);
  const type = find('validationtype');
  if (type !== undefined) return readValidation(fields, { type, params: find('validationparams') });
  return readQuestion(fields, find('history'), reading);
}

function withPaths(row: Fields, { paths }: FieldMapping): Fields {
  const found = paths.flatMap((path) => {
    const value = Object.hasOwn(row, path) ? undefined : valueAtPath(row, path);
    return value === undefined ? [] : [[path, value] as const];
  });
  return found.length === 0 ? row : { ...row, ...Object.fromEntries(found) };
}

const keepRemedy = (name: string) =>
  `Write it as an expectation of ours (docs/datasets.md), or keep it as metadata on purpose: \`dataset: { fields: { ${name}: null } }\`.`;

/** Columns of promptfoo that only affect how a test is shown. */
const harmless = /^__(?:description|metric|metadata)/;

function readPromptfoo(row: Fields, names: readonly string[]): ForeignChecks {
  const fields = { ...row };
  const lists: Record<'expected_answer' | 'expected_keywords' | 'must_not_include', string[]> = {
    expected_answer: [],
    expected_keywords: [],
    must_not_include: [],
  };
  for (const name of names) {
    if (harmless.test(name)) continue;
    if (!/^__expected\d*$/.test(name)) {
      return {
        fields,
        problem: {
          message: `${name} is a setting of promptfoo that is not supported`,
          remedy: keepRemedy(name),
        },
      };
    }
    const check = row[name];
    delete fields[name];
    if (check === null || check === undefined || check === '') continue;
    const read = readAssertion(String(check));
    if (read === undefined) {
      const said = String(check).slice(0, 60);
      return {
        fields,
        problem: {
          message: `${name}: the check "${said}" of promptfoo is not supported`,
          remedy: keepRemedy(name),
        },
      };
    }
    lists[read.field].push(...read.texts);
  }
  for (const [field, texts] of Object.entries(lists)) if (texts.length > 0) fields[field] = texts;
  return { fields };
}

const assertion = /^(not-)?([a-z]+(?:-[a-z]+)*)(?:\([^)]*\))?:\s*([\s\S]*)$/;
const containing = new Set(['contains', 'icontains', 'contains-all', 'icontains-all']);
/** The other assertions of promptfoo: a text that begins with one of them is not an expected answer. */
const otherAssertions =
  /^(?:not-)?(?:javascript|fn|eval|python|file|llm-rubric|grade|similar|model-graded-\w+|factuality|answer-relevance|context-\w+|contains-\w+|icontains-\w+|is-\w+(?:-\w+)*|regex|starts-with|levenshtein|rouge-n|bleu|gleu|meteor|webhook|cost|latency|perplexity(?:-score)?|classifier|moderation|select-best|pi|g-eval|finish-reason|trajectory\S*|assert-set|max-score|guardrails|ruby|word-count|search-rubric|conversation-relevance)(?:$|[(:])/;

function readAssertion(
  text: string,
): { field: 'expected_answer' | 'expected_keywords' | 'must_not_include'; texts: string[] } | undefined {
  const [, not, type = '', value = ''] = assertion.exec(text) ?? [];
  if (containing.has(type)) {
    const texts = type.endsWith('-all') ? value.split(',').map((each) => each.trim()) : [value];
    return { field: not === undefined ? 'expected_keywords' : 'must_not_include', texts };
  }
  if (type === 'equals' && not === undefined) return { field: 'expected_answer', texts: [value] };
  if (otherAssertions.test(text) || type === 'equals') return undefined;
  return { field: 'expected_answer', texts: [text] };
}

const kinds: Readonly<Record<string, 'number' | 'range'>> = {
  numeric: 'number',
  number: 'number',
  numerictolerance: 'number',
  numericaltolerance: 'number',
  tolerance: 'number',
  exactnumber: 'number',
  amount: 'number',
  currency: 'number',
  value: 'number',
  count: 'number',
  exactcount: 'number',
  range: 'range',
  numericrange: 'range',
  countrange: 'range',
  mincount: 'range',
  minimum: 'range',
  maximum: 'range',
};

/** Reads a check that is named by its type, with its parameters in a second column. */
function readValidation(
  row: Fields,
  { type: typeName, params: paramsName }: { readonly type: string; readonly params: string | undefined },
): ForeignChecks {
  const { [typeName]: type, ...fields } = row;
  const rawParams = paramsName === undefined ? {} : parse(fields[paramsName]);
  if (paramsName !== undefined) delete fields[paramsName];
  if (type === null || type === undefined || type === '' || type === 'none') return { fields };
  const params = isFields(rawParams) ? rawParams : { value: rawParams };
  const kind = kinds[normalize(String(type))];
  const number = kind === undefined ? undefined : toNumber(params);
  if (number === undefined) {
    const known = 'numbers within a tolerance, counts and ranges';
    const message = `${typeName}: the check "${String(type).slice(0, 60)}" is not supported; supported are ${known}`;
    return { fields, problem: { message, remedy: keepRemedy(typeName) } };
  }
  return { fields: { ...fields, expected_numbers: [number] } };
}

/** Parameters that do not affect the number itself. */
const idle = /^(?:unit|currency|field|description)$/;
/** The rule of ours for each parameter of a check, and the divisor of its value. */
const parameters: readonly (readonly [RegExp, string, number])[] = [
  [/^(?:value|expected|expectedvalue|expectednumber|expectedcount|count|target|amount)$/, 'value', 1],
  [/^(?:abs(?:olute)?)?tolerance$/, 'tolerance', 1],
  [/^(?:relative|rel)tolerance$/, 'relativeTolerance', 1],
  [/^tolerance(?:percent|pct|percentage)$/, 'relativeTolerance', 100],
  [/^min(?:imum)?(?:value|count)?$/, 'min', 1],
  [/^max(?:imum)?(?:value|count)?$/, 'max', 1],
];

/** Reads a number with its tolerance, or a range; undefined when a parameter is unknown, so that none is ignored. */
function toNumber(params: Fields): Fields | undefined {
  const rule: Fields = {};
  for (const [name, raw] of Object.entries(params)) {
    const plain = normalize(name);
    if (idle.test(plain)) continue;
    const value = typeof raw === 'string' ? Number(raw.replace(/[$,\s]/g, '')) : raw;
    const [, part, divisor = 1] = parameters.find(([pattern]) => pattern.test(plain)) ?? [];
    if (part === undefined || typeof value !== 'number' || !Number.isFinite(value)) return undefined;
    rule[part] = value / divisor;
  }
  return Object.keys(rule).length === 0 ? undefined : rule;
}

/** Reads a question: its choices are added to it, and its history is put before it. */
function readQuestion(row: Fields, history: string | undefined, reading: Reading): ForeignChecks {
  const { mapping } = reading;
  const input = Object.keys(row).find((name) => mapping.fieldOf(name) === 'input');
  const question = input === undefined ? undefined : row[input];
  if (input === undefined || typeof question !== 'string') return { fields: row };
  const { fields, problem } = readMultipleChoice(row, input, reading);
  if (problem !== undefined) return { fields, problem };
  const before = history === undefined ? undefined : parse(row[history]);
  if (history === undefined || !isMessages(before)) return { fields };
  const { [history]: _history, ...rest } = fields;
  return { fields: { ...rest, [input]: [...before, { role: 'user', content: fields[input] }] } };
}

/** Finds the choices of a question, in one column or in `A`, `B`, `C` …. */
function findChoices(row: Fields, mapping: FieldMapping): FoundChoices | undefined {
  const column = Object.keys(row).find((name) => mapping.fieldOf(name) === 'expected.choices');
  const inColumn = column === undefined ? undefined : readChoices(parse(row[column]));
  return column === undefined || inColumn === undefined
    ? findChoiceColumns(row)
    : { ...inColumn, columns: [column] };
}

/** Returns the right choice of a row that states it by its place; undefined for any other row. */
export function findPlacedChoice(row: Fields, mapping: FieldMapping): PlacedChoice | undefined {
  const found = findChoices(row, mapping);
  if (found === undefined) return undefined;
  const name = Object.keys(row).find(
    (each) =>
      !found.columns.includes(each) && (mapping.fieldOf(each) === 'expected.answer' || isIndexName(each)),
  );
  return name === undefined ? undefined : placeOfChoice(name, row[name], found);
}

/** Adds the choices of a question to it, and reads the expected answer as one of them. */
function readMultipleChoice(row: Fields, input: string, { mapping, base }: Reading): ForeignChecks {
  const found = findChoices(row, mapping);
  if (found === undefined) return { fields: row };
  const fields = {
    ...Object.fromEntries(Object.entries(row).filter(([name]) => !found.columns.includes(name))),
    [input]: askWithChoices(row[input] as string, found.choices),
    'expected.choices': found.choices,
  };
  const placed = findPlacedChoice(row, mapping);
  if (placed === undefined) return { fields };
  const letter = letterOfChoice(placed, base);
  if ('problem' in letter) return { fields, problem: letter.problem };
  const { [placed.column]: given, ...rest } = fields as Fields;
  return { fields: { ...rest, expected_answer: letter.label, [`metadata.${placed.column}`]: given } };
}

function isMessages(value: unknown): value is Fields[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every(
      (item) => isFields(item) && typeof item['role'] === 'string' && typeof item['content'] === 'string',
    )
  );
}

/** Parses a cell of a table, in which lists and objects are JSON. */
function parse(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  return parseLiteral(value) ?? value;
}
