// Writes the tables of docs/tool-calls.md and docs/expected-answers.md from the rows that the tests check. `--check` only reports whether they are
// out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { formatCall } from '../src/evaluate/metrics/tools/format-call.ts';
import { comparisonRows } from '../test/support/comparison-rows.ts';
import { argumentModes, argumentRows } from '../test/support/argument-rows.ts';
import { matcherRows } from '../test/support/matcher-rows.ts';
import { type ModeRow, modeRows } from '../test/support/mode-rows.ts';
import { callModeSchema, expectedCallsSchema, type ExpectItem } from '../src/core/schema/expected-calls.ts';
import type { Json } from '../src/core/schema/json.ts';
import { printFindings } from './print-findings.ts';

/** Returns the page with each table rewritten between its comments. */
export function withTables(page: string, written = tables): string {
  return Object.entries(written).reduce((text, [name, write]) => {
    const [before, rest] = splitAt(text, `<!-- ${name} -->\n`);
    const [, after] = splitAt(rest, '<!-- end -->');
    return `${before}<!-- ${name} -->\n\n${write()}\n\n<!-- end -->${after}`;
  }, page);
}

const tables: Readonly<Record<string, () => string>> = {
  modes: writeModes,
  arguments: writeArguments,
  matchers: writeMatchers,
};

/** The tables of docs/expected-answers.md. */
export const comparisonTables: Readonly<Record<string, () => string>> = { comparisons: writeComparisons };

/** Writes a row for each expected answer: the answers that pass, and those that do not. */
function writeComparisons(): string {
  const rows = comparisonRows.flatMap(({ subject, rows: all }) => {
    const expected = [...new Set(all.map((row) => row.expected))];
    const list = (of: string, passes: boolean) =>
      all
        .filter((row) => row.expected === of && row.passes === passes)
        .map(({ answer }) => literal(answer))
        .join(', ');
    return expected.map((each, index) => [
      index === 0 ? `**${subject}**` : '',
      literal(each),
      list(each, true),
      list(each, false),
    ]);
  });
  return toTable(['subject', 'expected', 'passes', 'does not pass'], rows);
}

/** Returns a text as code on one line; line breaks and what cannot be seen are written as escapes. */
function literal(text: string): string {
  if (text === '') return 'nothing';
  const shown = text
    .replaceAll('\n', '\\n')
    .replace(
      /[\u00a0\u00ad\u2011]|\u0301/g,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
  return shown.includes('`')
    ? `\`\`${shown.startsWith('`') ? ' ' : ''}${shown}${shown.endsWith('`') ? ' ' : ''}\`\``
    : `\`${shown}\``;
}

function splitAt(text: string, mark: string): [string, string] {
  const place = text.indexOf(mark);
  if (place === -1) throw new Error(`The page has no ${mark.trim()}.`);
  return [text.slice(0, place), text.slice(place + mark.length)];
}

function writeModes(): string {
  const modes = callModeSchema.options;
  const rows = modeRows.map((row) => [
    row.expect.map(showItem).join(', ') || 'nothing',
    row.made.map(showMade).join(', ') || 'nothing',
    ...modes.map((mode) => sign(row, mode)),
    row.shows,
  ]);
  return toTable(['expected', 'made', ...modes.map((mode) => `\`${mode}\``), 'shows'], rows);
}

function sign({ expect, holds }: ModeRow, mode: ModeRow['holds'][number]): string {
  if (!expectedCallsSchema.safeParse({ mode, expect: [...expect] }).success) return '–';
  return holds.includes(mode) ? '✓' : '✗';
}

function showItem(item: ExpectItem): string {
  if (typeof item === 'string') return item;
  if ('together' in item) return `together {${item.together.map(showItem).join(', ')}}`;
  const call =
    item.arguments === undefined ? String(item.name) : formatCall(String(item.name), item.arguments);
  if (item.times === undefined) return call;
  if (typeof item.times === 'number') return `${call} × ${item.times}`;
  return `${call} × ${item.times.min ?? 0} to ${item.times.max ?? 'any'}`;
}

function showMade(made: ModeRow['made'][number]): string {
  if (Array.isArray(made)) return `{${made.map(showMade).join(', ')}}`;
  const call = made as ModeRow['made'][number] & (string | { name: string; arguments: Json });
  return typeof call === 'string' ? call : formatCall(call.name, call.arguments);
}

function writeArguments(): string {
  const rows = argumentRows.map(({ expected, actual, holds }) => [
    code(expected),
    code(actual),
    ...argumentModes.map((mode) => (holds.includes(mode) ? '✓' : '✗')),
  ]);
  return toTable(['expected', 'actual', ...argumentModes.map((mode) => `\`${mode}\``)], rows);
}

function writeMatchers(): string {
  const list = (values: readonly (Json | undefined)[]) =>
    values.map((value) => (value === undefined ? 'nothing' : code(value))).join(', ');
  return toTable(
    ['matcher', 'meaning', 'fits', 'does not fit'],
    matcherRows.map(({ matcher, meaning, fits, others }) => [
      code(matcher),
      meaning,
      list(fits),
      list(others),
    ]),
  );
}

/** Returns JSON as it is written in YAML, on one line. */
function code(value: Json): string {
  return `\`${show(value)}\``;
}

function show(value: Json): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(show).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const members = Object.entries(value).map(([key, member]) => `${key}: ${show(member)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

function toTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}

if (import.meta.main) {
  const isCheck = process.argv.includes('--check');
  const pages = { 'tool-calls': tables, 'expected-answers': comparisonTables };
  const stale = Object.entries(pages).flatMap(([name, written]) => {
    const file = path.resolve(import.meta.dirname, '..', 'docs', `${name}.md`);
    const page = readFileSync(file, 'utf8');
    const current = withTables(page, written);
    if (!isCheck) writeFileSync(file, current);
    return isCheck && current !== page
      ? [`docs/${name}.md is out of date; run \`node scripts/write-call-tables.ts\``]
      : [];
  });
  printFindings(stale, 'docs/tool-calls.md and docs/expected-answers.md agree with the tests');
}
