import { createFieldMapping } from '../../evaluate/datasets/field-mapping.ts';
import { isContainer } from '../../core/lib/json/is-container.ts';
import { parseJson } from '../../core/lib/json/parse-json.ts';
import { escapeJson } from '../../core/lib/objects.ts';
import type { Case } from '../../core/schema/case.ts';
import { linesOf } from './unified-diff.ts';

/** The names of fields in a dataset: by our name, such as `input` or `expected.tools`, the name in its lines. */
export type LineNames = Readonly<Record<string, string>>;

/**
 * Returns a case as an object of a line: without what is empty, and with the names that the dataset uses. A name with a dot,
 * such as `expected.tools`, is a member of an object.
 */
function toLineObject(testCase: Case, names: LineNames): Record<string, unknown> {
  const { id, input, category, tags, context, cluster, gate, weight, user, expected, metadata } = testCase;
  const parts = Object.entries(expected).map(([part, value]) => [`expected.${part}`, value] as const);
  const fields: readonly (readonly [field: string, value: unknown])[] = [
    ['id', id],
    ['input', input],
    ['category', category],
    ['tags', tags.length === 0 ? undefined : tags],
    ['user', user],
    ...parts,
    ['context', context],
    ['cluster', cluster],
    ['gate', gate],
    ['weight', weight],
    ['metadata', Object.keys(metadata).length === 0 ? undefined : metadata],
  ];
  const line: Record<string, unknown> = {};
  for (const [field, value] of fields) {
    if (value === undefined) continue;
    const name = nameFor(field, value, names);
    const [, part] = /^expected\.(.+)$/s.exec(name) ?? [];
    if (part === undefined) line[name] = value;
    else line['expected'] = { ...(line['expected'] as object | undefined), [part]: value };
  }
  return line;
}

/** Returns the name of a field in a line. Messages and a text are not written under the name of each other. */
function nameFor(field: string, value: unknown, names: LineNames): string {
  if (field === 'input' && Array.isArray(value)) return 'messages';
  return names[field] ?? usualNames[field] ?? field.replace('.', '_');
}

const usualNames: LineNames = { input: 'question' };

/** Returns a case as a line of JSON Lines, without its line break, spaced as lines that people write. */
export function toLine(testCase: Case, names: LineNames = {}): string {
  return escapeJson(spaced(toLineObject(testCase, names)));
}

/** Returns JSON on one line with a space after each comma and colon. */
function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  if (!isContainer(value)) return JSON.stringify(value);
  const members = Object.entries(value).flatMap(([key, member]) =>
    member === undefined ? [] : [`${JSON.stringify(key)}: ${spaced(member)}`],
  );
  return `{${members.join(', ')}}`;
}

/** The lines of a file that are looked at, from its end. */
const looked = 200;

/**
 * Finds the names that the lines of a dataset use for the fields of cases, so that a new line looks like its neighbours: of
 * several names for a field, the most frequent one.
 */
export function findLineNames(text: string | null): LineNames {
  const mapping = createFieldMapping();
  const counts = new Map<string, Map<string, number>>();
  const count = (field: string, name: string) => {
    const names = counts.get(field) ?? new Map<string, number>();
    counts.set(field, names.set(name, (names.get(name) ?? 0) + 1));
  };
  for (const [name, value] of linesOf(text ?? '')
    .slice(-looked)
    .flatMap(entriesOf)) {
    const target = mapping.targetOf(name);
    // Messages are written under a name of their own.
    if (target && (target.field !== 'input' || typeof value === 'string')) count(target.field, name);
    for (const part of name === 'expected' && isObject(value) ? Object.keys(value) : []) {
      const inner = mapping.partOf(part);
      if (inner !== undefined) count(inner.field, `expected.${part}`);
    }
  }
  return Object.fromEntries(
    Array.from(counts, ([field, names]) => [field, [...names].sort((a, b) => b[1] - a[1])[0]?.[0] ?? field]),
  );
}

function entriesOf(line: string): [string, unknown][] {
  try {
    const value: unknown = parseJson(line);
    return isObject(value) ? Object.entries(value) : [];
  } catch {
    return [];
  }
}

function isObject(value: unknown): value is object {
  return isContainer(value) && !Array.isArray(value);
}
