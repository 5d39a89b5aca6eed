import { type Side, sides } from './filter.ts';

/** A field that filters name. */
export interface FilterField {
  readonly name: string;
  /** The type of its values; `any` for metadata, whose values are texts or numbers. */
  readonly type: 'text' | 'number' | 'any';
  /** The only values of the field, where they are few; absent for any value. */
  readonly values?: readonly string[];
  /** True when the field has at most one short value, so that lists can be sorted by it. */
  readonly isSortable: boolean;
}

const text = (name: string, values?: readonly string[]): FilterField => {
  return { name, type: 'text', isSortable: true, ...(values && { values }) };
};
const number = (name: string): FilterField => ({ name, type: 'number', isSortable: true });
const unsortable = (name: string, values?: readonly string[]): FilterField => {
  return { name, type: 'text', isSortable: false, ...(values && { values }) };
};

const caseFields = [text('id'), text('category'), unsortable('tag'), text('cluster'), unsortable('question')];

/** The fields of the traits of trials; see `traitsOf`. */
const traitFields = [
  unsortable('tool'),
  unsortable('expectedTool'),
  unsortable('missingTool'),
  unsortable('failedTool'),
  unsortable('wrongTool'),
  unsortable('arguments', ['right', 'wrong']),
  unsortable('calls'),
  unsortable('toolsUnknown', ['true']),
  { ...number('turns'), isSortable: false },
  unsortable('ending'),
  unsortable('invalid'),
  unsortable('handling'),
  unsortable('errorReport', ['true']),
  unsortable('contradiction'),
];

const resultFields = [
  text('target'),
  number('attempt'),
  text('status', ['completed', 'failed', 'cancelled']),
  text('result', ['passed', 'failed', 'error', 'not-measured', 'unscored']),
  text('passed', ['true', 'false']),
  number('total'),
  text('grade'),
  text('outcome'),
  text('error'),
  unsortable('answer'),
  unsortable('missing'),
  number('cost'),
  number('latencyMs'),
  number('steps'),
  number('toolCalls'),
  number('retries'),
  number('inputTokens'),
  number('outputTokens'),
  ...traitFields,
];

const pairFields = [number('change'), text('flip', ['better', 'worse', 'none'])];

const matrixFields = [
  {
    ...unsortable('cells'),
    values: ['differ', 'all-pass', 'all-fail', ...sides.map((side) => `only-${side}-fails`)],
  },
  number('spread'),
  number('mean'),
];

const runFields = [
  text('id'),
  text('name'),
  text('note'),
  unsortable('tag'),
  text('status', ['planning', 'running', 'interrupted', 'completed']),
  text('dataset'),
  unsortable('target'),
  text('branch'),
  text('commit'),
  text('decision', ['pass', 'fail', 'inconclusive', 'not-measured']),
  text('description'),
];

/**
 * The things that are filtered: the cases of a dataset, the trials of a run with their results, the pairs of trials of two
 * runs, the rows of a matrix, or runs.
 */
export type FilterSubject = 'case' | 'trial' | 'pair' | 'matrix' | 'run';

/** The fields that a filter can name. */
export interface Vocabulary {
  readonly subject: FilterSubject;
  /** The fields with a fixed name; for pairs, those that both runs share. */
  readonly fields: readonly FilterField[];
  /** The fields that have a value for each run of a pair, named `a.NAME` and `b.NAME`, or for each column of a matrix. */
  readonly sided: readonly FilterField[];
  /** The runs of a pair, or the columns of a matrix; empty for other subjects. */
  readonly sides: readonly Side[];
  readonly hasMetadata: boolean;
  /** The names of the metrics, each of which is a field. */
  readonly metrics: readonly string[];
}

/**
 * Returns the fields of a subject. The metrics come from the run, or from all runs of a pair or a matrix.
 * @param columns - The number of columns of a matrix.
 */
export function vocabularyOf(
  subject: FilterSubject,
  metrics: readonly string[] = [],
  columns = 2,
): Vocabulary {
  const known = { subject, sided: [], sides: [], hasMetadata: subject !== 'run', metrics };
  if (subject === 'case') return { ...known, fields: caseFields, metrics: [] };
  if (subject === 'trial') return { ...known, fields: [...caseFields, ...resultFields] };
  if (subject === 'run') return { ...known, fields: runFields, metrics: [] };
  const own = subject === 'pair' ? pairFields : matrixFields;
  return { ...known, fields: [...caseFields, ...own], sided: resultFields, sides: sides.slice(0, columns) };
}

/** A field with the side of a pair, or the column of a matrix, that a filter names. */
export interface NamedField {
  readonly side?: Side;
  readonly field: FilterField;
}

/**
 * Finds the field that a name stands for; undefined when there is none. Upper and lower case are the same. `metric.NAME`
 * names a metric whose plain name is the name of another field, `gap.NAME` the reason why a metric has no value, `label.NAME` the
 * label that it gave.
 */
export function findField(name: string, vocabulary: Vocabulary): NamedField | undefined {
  if (vocabulary.sided.length === 0) return wrap(findAmong(name, vocabulary.fields, vocabulary));
  const [, letter, rest] = /^([a-h])\.(.+)$/is.exec(name) ?? [];
  const side = vocabulary.sides.find((each) => each === letter?.toLowerCase());
  if (side === undefined || rest === undefined) {
    return wrap(findAmong(name, vocabulary.fields, { ...vocabulary, metrics: [] }));
  }
  const field = findAmong(rest, vocabulary.sided, { ...vocabulary, hasMetadata: false });
  return field && { side, field };
}

function wrap(field: FilterField | undefined): NamedField | undefined {
  return field && { field };
}

function findAmong(
  name: string,
  fields: readonly FilterField[],
  { hasMetadata, metrics }: Pick<Vocabulary, 'hasMetadata' | 'metrics'>,
): FilterField | undefined {
  const fixed = fields.find((field) => isSameName(field.name, name));
  if (fixed !== undefined) return fixed;
  const [, path] = /^metadata\.(.+)$/is.exec(name) ?? [];
  if (path !== undefined && hasMetadata) return { name: `metadata.${path}`, type: 'any', isSortable: false };
  const [, kind, ofMetric] = /^(metric|gap|label)\.(.+)$/is.exec(name) ?? [];
  const plain = ofMetric ?? name;
  const metric = metrics.find((each) => each === plain) ?? metrics.find((each) => isSameName(each, plain));
  const of = kind?.toLowerCase() ?? 'metric';
  if (metric !== undefined)
    return of === 'metric' ? number(`metric.${metric}`) : unsortable(`${of}.${metric}`);
  const usual = otherNames[name.toLowerCase()];
  return usual === undefined ? undefined : fields.find((field) => field.name === usual);
}

/** Other usual names of fields, which stand for them where no metric has the name. */
const otherNames: Readonly<Record<string, string>> = { score: 'total', latency: 'latencyMs', tags: 'tag' };

function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** Returns the names by which a filter can refer to fields, for messages. */
export function fieldNames({ fields, sided, sides: named, hasMetadata, metrics }: Vocabulary): string[] {
  const of = (side: string) =>
    [...sided.map(({ name }) => name), ...metrics].map((name) => `${side}.${name}`);
  const others = Object.keys(otherNames).filter(
    (other) => !metrics.includes(other) && fields.some(({ name }) => name === otherNames[other]),
  );
  return [
    ...fields.map(({ name }) => name),
    ...others,
    ...(hasMetadata ? ['metadata.NAME'] : []),
    ...(metrics.length > 0 ? ['metric.NAME', 'gap.NAME', 'label.NAME'] : []),
    ...(sided.length === 0 ? metrics : named.flatMap(of)),
  ];
}

/** Returns the name of the metric that a field is the value of; undefined for another field. */
export function metricOf(field: string): string | undefined {
  return field.startsWith('metric.') ? field.slice('metric.'.length) : undefined;
}

/** Returns whether a field is one of the traits, of which stores keep tables. */
export function isTraitField(field: string): boolean {
  return /^(?:gap|label)\./.test(field) || traitFields.some(({ name }) => name === field);
}

/** Returns whether a name belongs to a field of results whose name is fixed. */
export function isResultField(name: string): boolean {
  return resultFields.some((field) => isSameName(field.name, name));
}

/** Returns the field of trials with a fixed name. */
export function findFixedField(name: string): FilterField | undefined {
  return [...caseFields, ...resultFields].find((field) => field.name === name);
}

const fixedNames = [
  'ordinal',
  ...[...caseFields, ...resultFields, ...pairFields, ...matrixFields, ...runFields].map(({ name }) => name),
];

/** Returns whether a name belongs to a field whose name is fixed, so that a metric of this name needs `metric.` before it. */
export function isFixedName(name: string): boolean {
  return (
    fixedNames.some((each) => isSameName(each, name)) || /^(?:metadata|metric|gap|label|[a-h])\./i.test(name)
  );
}
