import { type CellKind, fieldTable } from './field-table.ts';
import { type SuspiciousColumn, suspect } from './suspicious-columns.ts';

/** A place in a case that a field of a file can mean. */
export type FieldName = (typeof fieldTable)[number]['field'];

type FieldSpelling = FieldName | (typeof fieldTable)[number]['names'][number];

/**
 * What a column can hold that is no part of a case: a part of an answer that was recorded, or anything that is to be kept
 * beside it. `touchstone score` reads these.
 */
export const recordedSpellings = [
  'recorded',
  'recorded.answer',
  'recorded.transcript',
  'recorded.attempt',
  'recorded.toolCalls',
  'recorded.documents',
  'recorded.state',
  'recorded.usage',
  'recorded.cost',
  'recorded.latency',
  'recorded.firstTokenMs',
  'recorded.error',
  'recorded.logs',
] as const;
type RecordedSpelling = (typeof recordedSpellings)[number];

/** What a config can say that a name means: a place in a case, or the name that users know best for it. */
export const fieldSpellings: (FieldSpelling | RecordedSpelling)[] = [
  ...new Set([...fieldTable.flatMap(({ field, names }) => [...names, field]), ...recordedSpellings]),
];

/** What a config says about the names in its files: our field, null for "leave it in metadata", false for "leave it out". */
export type FieldOverrides = Readonly<Record<string, FieldSpelling | RecordedSpelling | null | false>>;

/** What one name in a file means. */
export interface FieldTarget {
  readonly field: FieldName;
  readonly cell: CellKind;
  /** The part of `expected` that the field is, if it is one. */
  readonly part: string | undefined;
  /** Of two names for the same field, the one with the lower rank wins. */
  readonly rank: number;
}

/** What the names in a file mean; null or false for one that a config leaves in metadata or out, undefined if unknown. */
export interface FieldMapping {
  targetOf(name: string): FieldTarget | null | false | undefined;
  /** The same for names inside `expected`. */
  partOf(name: string): FieldTarget | undefined;
  /** What is suspicious about a name that means nothing here. */
  suspicionOf(name: string): SuspiciousColumn | undefined;
  /** Whether a config says what exactly this name means. */
  isOverridden(name: string): boolean;
  /** Names with a step into an object, such as `meta.gold`, to which a config gives a meaning. */
  readonly paths: readonly string[];
  /** Names to which a config gives a meaning and that no row has had so far. */
  unused(): readonly string[];
}

/** The name of a field that users know best, for messages about a field that is not there. */
export function usualName(field: string): string {
  return fieldTable.find((rule) => rule.field === field)?.names[0] ?? field;
}

/** Lays a config's own names over the table. */
export function createFieldMapping(overrides: FieldOverrides = {}): FieldMapping {
  const targets = new Map<string, FieldTarget | null | false>();
  const parts = new Map<string, FieldTarget>();
  for (const { field, cell, names } of fieldTable) {
    const part = partOfExpected(field);
    const all = fieldTable
      .filter((rule) => rule.field === field)
      .flatMap((rule): string[] => [...rule.names]);
    for (const name of names) {
      const target = { field, cell, part, rank: all.indexOf(name) };
      targets.set(normalize(name), target);
      const short = normalize(name.replace(/^expected\./, ''));
      if (part !== undefined && !parts.has(short)) parts.set(short, target);
    }
  }
  for (const [name, field] of Object.entries(overrides)) {
    targets.set(normalize(name), typeof field === 'string' ? overridden(field) : field);
  }
  const given = Object.entries(overrides).flatMap(([name, field]) =>
    typeof field === 'string' ? [name] : [],
  );
  const unused = new Set(given.map(normalize));
  const known = fieldTable.flatMap(({ field, names }): string[] =>
    field.startsWith('expected') ? names.filter((name) => !name.includes('.')) : [],
  );
  return {
    targetOf: remember((name) => {
      unused.delete(name);
      return targets.get(name);
    }),
    partOf: remember((name) => parts.get(name)),
    isOverridden: (name) => Object.hasOwn(overrides, name),
    suspicionOf: rememberExact((name) => suspect(name, known)),
    paths: Object.keys(overrides).filter(
      (name) => /[.[]/.test(name) && !fieldSpellings.some((own) => own === name),
    ),
    unused: () => given.filter((name) => unused.has(normalize(name))),
  };
}

/** A name that a config gives a meaning wins over all others of that meaning. */
function overridden(spelling: FieldSpelling | RecordedSpelling): FieldTarget | false {
  if (isRecorded(spelling)) return false;
  const rule = fieldTable.find(
    ({ field, names }) => field === spelling || names.some((name) => name === spelling),
  );
  if (rule === undefined) throw new TypeError(`${spelling} is no field of a case.`);
  return { field: rule.field, cell: rule.cell, part: partOfExpected(rule.field), rank: -1 };
}

/** Whether a spelling means a part of a recorded answer, which is no part of a case. */
export function isRecorded(spelling: string | null | false): spelling is RecordedSpelling {
  return recordedSpellings.some((known) => known === spelling);
}

function partOfExpected(field: string): string | undefined {
  return field.startsWith('expected.') ? field.slice('expected.'.length) : undefined;
}

/** Names repeat from row to row; those of a file that uses data as names do not, and must not fill the memory. */
const mostRemembered = 1000;

function rememberExact<Found>(find: (name: string) => Found): (name: string) => Found {
  const known = new Map<string, Found>();
  return (name) => {
    if (known.has(name)) return known.get(name) as Found;
    const found = find(name);
    if (known.size < mostRemembered) known.set(name, found);
    return found;
  };
}

function remember<Target>(find: (normalized: string) => Target): (name: string) => Target {
  const known = new Map<string, Target>();
  return (name) => {
    if (known.has(name)) return known.get(name) as Target;
    const target = find(normalize(name));
    if (known.size < mostRemembered) known.set(name, target);
    return target;
  };
}

/** A name as it is compared: without letter case, `_`, `-` and spaces. */
export function normalize(name: string): string {
  return name.replace(/[\s_-]/g, '').toLowerCase();
}
