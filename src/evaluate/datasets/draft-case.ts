import { valueAtPath } from '../../core/lib/objects.ts';
import { toTerminalText } from '../../core/lib/text/terminal-text.ts';
import type { CaseDraft, DatasetRow, RowProblem } from './dataset.ts';
import { type FieldMapping, normalize, usualName } from './field-mapping.ts';
import { readPublicSet } from './forms/public-sets.ts';
import { type Reading, readForeignChecks } from './foreign-checks.ts';
import { placeAttachments } from './attachments/place-attachments.ts';
import { mapFields } from './map-fields.ts';
import { type Fields, isFields } from './fields.ts';
import type { Origin } from './trace-origins.ts';

const none: readonly string[] = [];

/** Options of {@link draftCase}. */
export interface DraftOptions extends Reading {
  /** True when the format of the row has only text cells. */
  readonly hasTextCells: boolean;
}

/** Maps the fields of a row to a case. */
export function draftCase(row: DatasetRow, options: DraftOptions): CaseDraft {
  const drafted = draftFields(row, options);
  if (drafted.problem !== undefined || !isFields(drafted.value)) return drafted;
  const { placed, other } = placeAttachments(drafted.value);
  const draft = placed.length === 0 ? drafted : { ...drafted, named: placed };
  if (other === undefined) return draft;
  // A column of this name that lists no files is metadata, as every other unknown one.
  const metadata = draft.value['metadata'] ?? {};
  const kept = isFields(metadata) ? { ...metadata, attachments: other } : metadata;
  const value = { ...draft.value, metadata: kept };
  return { ...draft, value, unknownFields: [...draft.unknownFields, 'attachments'] };
}

function draftFields(row: DatasetRow, { mapping, hasTextCells, base }: DraftOptions): CaseDraft {
  const { place, value: content, problem } = row;
  if (problem !== undefined || !isFields(content)) {
    // A value that is not an object is passed on unchanged: the schema of cases describes the error.
    const value = (problem === undefined ? content : {}) as Fields;
    const draft = { value, place, unknownFields: none, locate: () => ({ place, field: '' }) };
    const refusal = problem ?? (Array.isArray(content) ? withoutNames(content, place) : undefined);
    return refusal === undefined ? draft : { ...draft, problem: refusal };
  }
  const { fields, problem: foreign } = readForeignChecks(readPublicSet(content), {
    mapping,
    base,
  });
  if (foreign !== undefined) {
    const refusal = { place, ...foreign };
    return { value: {}, place, problem: refusal, unknownFields: none, locate: () => ({ place, field: '' }) };
  }
  const { value, unknownFields, unread } = mapFields(fields, { mapping, hasTextCells });
  const suspicious = unknownFields.flatMap((name) => {
    if (unread.includes(name)) return { name, isNearMiss: false, nearest: undefined };
    return isKnown(name, mapping) || isEmptyIn(fields, name) ? [] : (mapping.suspicionOf(name) ?? []);
  });
  const { metadata } = value;
  if (isFields(metadata) && Object.hasOwn(metadata, '__proto__')) {
    const refusal = { place, message: 'a field cannot be named "__proto__"', remedy: 'Rename the field.' };
    return { value, place, problem: refusal, unknownFields: none, locate: () => ({ place, field: '' }) };
  }
  return {
    value,
    place,
    unknownFields,
    ...(suspicious.length > 0 && { suspicious }),
    locate: (path) => locate(row, path, mapFields(fields, { mapping, hasTextCells, isTraced: true }).origins),
  };
}

/** Refuses a row whose columns have no names, as pandas writes it with `orient='values'`. */
function withoutNames({ length }: readonly unknown[], place: RowProblem['place']): RowProblem {
  return {
    place,
    message: `expected an object with the fields of a question, found a list of ${length}`,
    remedy: "Name the columns; pandas does with `df.to_json(path, orient='records')`.",
  };
}

/** Returns whether a column has nothing to check in a row: an empty text, list or object. */
function isEmptyIn(fields: Fields, name: string): boolean {
  const value = Object.hasOwn(fields, name) ? fields[name] : valueAtPath(fields, name);
  if (typeof value === 'string') return value.trim() === '';
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/**
 * Returns whether a name is known: a synonym of another field of its row also goes to metadata, but needs no warning.
 */
function isKnown(name: string, mapping: FieldMapping): boolean {
  if (mapping.targetOf(name) !== undefined) return true;
  const [first = '', part] = name.split('.');
  return part !== undefined && normalize(first) === 'expected' && mapping.partOf(part) !== undefined;
}

function locate(row: DatasetRow, path: readonly PropertyKey[], origins: readonly Origin[]) {
  const origin = origins
    .filter(({ to }) => to.every((key, index) => key === path[index]))
    .reduce<Origin | undefined>(
      (best, next) => (best && best.to.length >= next.to.length ? best : next),
      undefined,
    );
  if (origin === undefined) return { place: row.place, field: usualName(path.join('.')) };
  const source = [...origin.from, ...path.slice(origin.to.length)];
  return { place: row.locate(source), field: formatPath(source) };
}

function formatPath(path: readonly PropertyKey[]): string {
  const text = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  return toTerminalText(text.replace(/^\./, ''));
}
