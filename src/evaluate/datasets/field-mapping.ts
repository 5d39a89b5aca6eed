import { type CellKind, type FieldRule, fieldTable } from './field-table.ts';
import { type SuspiciousColumn, describeSuspicion } from './suspicious-columns.ts';

/** A place in a case to which a field of a file can be mapped. */
export type FieldName = (typeof fieldTable)[number]['field'];

type FieldSpelling = FieldName | (typeof fieldTable)[number]['names'][number];

/**
 * Columns that are not part of a case: a part of a recorded answer, or anything to be stored next to it. `touchstone
 * score` reads these.
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
  'recorded.finishReason',
  'recorded.latency',
  'recorded.firstTokenMs',
  'recorded.error',
  'recorded.logs',
  'recorded.startedAt',
] as const;
type RecordedSpelling = (typeof recordedSpellings)[number];

/** The meanings that a config can give a name: a place in a case, or the most usual name for it. */
export const fieldSpellings: (FieldSpelling | RecordedSpelling)[] = [
  ...new Set([...fieldTable.flatMap(({ field, names }) => [...names, field]), ...recordedSpellings]),
];

/**
 * The meanings that a config gives the names in its files: our field, null for "leave it in metadata", false for "leave
 * it out".
 */
export type FieldOverrides = Readonly<Record<string, FieldSpelling | RecordedSpelling | null | false>>;

/** The meaning of one name in a file. */
export interface FieldTarget {
  readonly field: FieldName;
  readonly cell: CellKind;
  /** The part of `expected` that the field is, if any. */
  readonly part: string | undefined;
  /** The rank of the name: of two names for the same field, the one with the lower rank wins. */
  readonly rank: number;
  /** True for a name that has this meaning only in a row without any other expectation. */
  readonly isWeak?: true;
}

/**
 * The meanings of the names in a file; null or false for a name that a config leaves in metadata or out, undefined for
 * an unknown one.
 */
export interface FieldMapping {
  targetOf(name: string): FieldTarget | null | false | undefined;
  /** Returns the place in a case that a name means; undefined when it means none. */
  fieldOf(name: string): FieldName | undefined;
  /** Returns whether a name is one of logs and results: the output next to it is what a bot said, not what it should say. */
  isOfLog(name: string): boolean;
  /** Returns the meaning of a name inside `expected`. */
  partOf(name: string): FieldTarget | undefined;
  /** Returns what is suspicious about an unknown name. */
  suspicionOf(name: string): SuspiciousColumn | undefined;
  /** Returns whether a config sets the meaning of this exact name. */
  isOverridden(name: string): boolean;
  /** Names with a step into an object, such as `meta.gold`, that a config maps. */
  readonly paths: readonly string[];
  /** Returns the names that a config maps and that no row has had so far. */
  unused(): readonly string[];
}

/** Returns the most usual name of a field, for messages about a missing field. */
export function usualName(field: string): string {
  return fieldTable.find((rule) => rule.field === field)?.names[0] ?? field;
}

/** Columns of logs and results. */
const logNames =
  /^(?:latency(?:ms)?|starttime|endtime|startedat|traceid|runtype|runid|sessionid|scores?|observations|usage|cost|totalcost|metrics|success|passed|model|actualoutput|prediction)$/;

/** Combines a config's own names with the table. */
export function createFieldMapping(overrides: FieldOverrides = {}): FieldMapping {
  const targets = new Map<string, FieldTarget | null | false>();
  const parts = new Map<string, FieldTarget>();
  for (const { field, cell, names, isWeak } of fieldTable as readonly FieldRule[]) {
    const part = partOfExpected(field);
    const all = fieldTable
      .filter((rule) => rule.field === field)
      .flatMap((rule): string[] => [...rule.names]);
    for (const name of names) {
      const target = {
        field: field as FieldName,
        cell,
        part,
        rank: all.indexOf(name),
        ...(isWeak && { isWeak }),
      };
      targets.set(normalize(name), target);
      if (name.startsWith('expected_')) targets.set(normalize(name.replace(/^expected/, 'expect')), target);
      const short = normalize(name.replace(/^expected\./, ''));
      if (part !== undefined && !parts.has(short)) parts.set(short, target);
    }
  }
  for (const [name, field] of Object.entries(overrides)) {
    targets.set(normalize(name), typeof field === 'string' ? overridden(field) : field);
  }
  const entries = Object.entries(overrides).flatMap(([name, field]) =>
    typeof field === 'string' ? [name] : [],
  );
  const unused = new Set(entries.map(normalize));
  const known = (fieldTable as readonly FieldRule[]).flatMap(({ field, names, isWeak = false }): string[] =>
    field.startsWith('expected') && field !== 'expected.choices' && !isWeak
      ? names.filter((name) => !name.includes('.') && !names.includes(`${name}s`))
      : [],
  );
  const targetOf = remember((name) => {
    unused.delete(name);
    return targets.get(name);
  });
  return {
    targetOf,
    fieldOf: (name) => {
      const target = targetOf(name);
      return target === null || target === false ? undefined : target?.field;
    },
    isOfLog: remember((name) => logNames.test(name)),
    partOf: remember((name) => parts.get(name)),
    isOverridden: (name) => Object.hasOwn(overrides, name),
    suspicionOf: rememberExact((name) => describeSuspicion(name, known)),
    paths: Object.keys(overrides).filter(
      (name) => /[.[]/.test(name) && !fieldSpellings.some((own) => own === name),
    ),
    unused: () => entries.filter((name) => unused.has(normalize(name))),
  };
}

/** Returns the target of a name that a config maps, which wins over all other names for it. */
function overridden(spelling: FieldSpelling | RecordedSpelling): FieldTarget | false {
  if (isRecorded(spelling)) return false;
  const rule = fieldTable.find(
    ({ field, names }) => field === spelling || names.some((name) => name === spelling),
  );
  if (rule === undefined) throw new TypeError(`${spelling} is not a field of a question.`);
  return { field: rule.field, cell: rule.cell, part: partOfExpected(rule.field), rank: -1 };
}

/** Returns whether a spelling means a part of a recorded answer, which is not part of a case. */
export function isRecorded(spelling: string | null | false): spelling is RecordedSpelling {
  return recordedSpellings.some((known) => known === spelling);
}

function partOfExpected(field: string): string | undefined {
  return field.startsWith('expected.') ? field.slice('expected.'.length) : undefined;
}

/**
 * The most names that are cached. Names repeat from row to row, except in files that use data as names, which must not
 * fill the memory.
 */
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

/** Returns a name in the form in which names are compared: without letter case, `_`, `-` and spaces. */
export function normalize(name: string): string {
  return name.replace(/[\s_-]|[:?*]\s*$/g, '').toLowerCase();
}
