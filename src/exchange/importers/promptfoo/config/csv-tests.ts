import { asNumber, type Fields } from '../../values.ts';
import { textsOf } from '../assertions/assertion.ts';
import { assertionTypes } from '../assertions/assertion-types.ts';

/** The threshold in CSV where none is written, which differs from the default elsewhere. */
const usualThreshold = 0.75;
/** The types that have a threshold in CSV. */
const withThreshold: readonly string[] = [
  'answer-relevance',
  'classifier',
  'context-faithfulness',
  'context-recall',
  'context-relevance',
  'cost',
  'latency',
  'levenshtein',
  'perplexity',
  'perplexity-score',
  'rouge-n',
  'similar',
  'starts-with',
];

/**
 * Translates a row of a CSV file of tests to a test, as promptfoo does: columns that begin with `__` are assertions and
 * settings, the others variables.
 */
export function testOfRow(header: readonly string[], cells: readonly string[]): Fields {
  const vars: Record<string, string> = {};
  const asserts: Record<string, unknown>[] = [];
  const options: Record<string, string> = {};
  const metadata: Record<string, unknown> = {};
  const settings: [number, number][] = [];
  let own: Record<string, unknown> = {};
  for (const [index, column] of header.entries()) {
    const [key, value] = [column.trim(), cells[index] ?? ''];
    const text = value.trim();
    if (key.startsWith('__expected')) {
      if (text !== '') asserts.push(assertionOf(text));
    } else if (key === '__prefix' || key === '__suffix') options[key.slice(2)] = value;
    else if (key.startsWith('__metadata:')) Object.assign(metadata, metadataOf(key.slice(11), value));
    else if (key.startsWith('__config:')) settings.push(...settingOf(key.slice(9), text));
    else if (key.startsWith('__')) own = { ...own, [key.slice(2)]: value };
    else if (key !== '') vars[key] = value;
  }
  for (const [index, threshold] of settings) Object.assign(asserts[index] ?? {}, { threshold });
  return { vars, options, metadata, ...withOwn(asserts, own) };
}

/** Returns the assertions of a row with what is set for all of them, and the settings of its test. */
function withOwn(
  asserts: readonly Fields[],
  { metric, threshold, description, providerOutput, ...others }: Fields,
): Fields {
  const number =
    typeof threshold === 'string' && threshold.trim() !== '' ? asNumber(Number(threshold)) : undefined;
  return {
    assert: asserts.map((each) => (metric === undefined || metric === '' ? each : { ...each, metric })),
    ...(description !== '' && { description }),
    ...(providerOutput !== '' && { providerOutput }),
    threshold: number,
    // Columns that promptfoo does not know are named by what reads the test.
    ...Object.fromEntries(Object.entries(others).map(([name, value]) => [`__${name}`, value])),
  };
}

function metadataOf(key: string, value: string): Record<string, unknown> {
  if (value.trim() === '') return {};
  if (!key.endsWith('[]')) return { [key]: value };
  const items = value.split(/(?<!\\),/).map((item) => item.trim().replaceAll(String.raw`\,`, ','));
  return { [key.slice(0, -2)]: items };
}

/** Returns the place of an assertion and its threshold: `__expected2:threshold` is the second. */
function settingOf(key: string, text: string): [number, number][] {
  const match = /^__expected(\d*):threshold$/.exec(key);
  const threshold = text === '' ? undefined : asNumber(Number(text));
  if (match === null || threshold === undefined) return [];
  return [[Math.max(1, Number(match[1] === '' ? 1 : match[1])) - 1, threshold]];
}

/** Reads an assertion in one text: `type(threshold): value`, code after `javascript:` and the like, else `equals`. */
function assertionOf(text: string): Record<string, unknown> {
  return codeIn(text) ?? checkIn(text);
}

function codeIn(text: string): Record<string, unknown> | undefined {
  const code = /^(?:javascript|fn|eval):/.exec(text);
  if (code !== null) return { type: 'javascript', value: text.slice(code[0].length).trim() };
  if (/^file:\/\/.*\.[cm]?[jt]s(?::\w+)?$/.test(text)) return { type: 'javascript', value: text };
  if (text.startsWith('python:')) return { type: 'python', value: text.slice(7).trim() };
  return /^file:\/\/.*\.py(?::\w+)?$/.test(text) ? { type: 'python', value: text } : undefined;
}

function checkIn(text: string): Record<string, unknown> {
  if (text.startsWith('grade:')) return { type: 'llm-rubric', value: text.slice(6).trim() };
  const match = /^(not-)?([a-z][a-z0-9:-]*?)(?:\((\d+(?:\.\d+)?)\))?(?::([\s\S]*))?$/.exec(text);
  const [, not = '', type = '', threshold, value] = match ?? [];
  if (!Object.hasOwn(assertionTypes, type)) return { type: 'equals', value: text };
  const filled = value?.trim();
  const number = withThreshold.includes(type) ? Number(threshold ?? usualThreshold) : undefined;
  return {
    type: `${not}${type}`,
    ...(filled !== undefined && { value: /contains-(?:all|any)$/.test(type) ? textsOf(filled) : filled }),
    threshold: number,
  };
}
