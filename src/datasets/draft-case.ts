import { toTerminalText } from '../lib/terminal-text.ts';
import type { CaseDraft, DatasetRow } from './dataset.ts';
import { type FieldMapping, usualName } from './field-mapping.ts';
import { mapFields } from './map-fields.ts';
import { type Fields, isFields } from './put-into.ts';
import type { Origin } from './trace-origins.ts';

const none: readonly string[] = [];

/** Gives the fields of a row their meaning. `hasTextCells` says that the row's format knows texts only. */
export function draftCase(row: DatasetRow, mapping: FieldMapping, hasTextCells: boolean): CaseDraft {
  const { place, value: fields, problem } = row;
  if (problem !== undefined || !isFields(fields)) {
    // What is no object is handed on as it is: the check of the case says what is wrong with it.
    const value = (problem === undefined ? fields : {}) as Fields;
    const draft = { value, place, unknownFields: none, locate: () => ({ place, field: '' }) };
    return problem === undefined ? draft : { ...draft, problem };
  }
  const { value, unknownFields } = mapFields(fields, { mapping, hasTextCells });
  const { metadata } = value;
  if (isFields(metadata) && Object.hasOwn(metadata, '__proto__')) {
    const refusal = { place, message: 'a field cannot be named "__proto__"', remedy: 'Rename the field.' };
    return { value, place, problem: refusal, unknownFields: none, locate: () => ({ place, field: '' }) };
  }
  return {
    value,
    place,
    unknownFields,
    locate: (path) => locate(row, path, mapFields(fields, { mapping, hasTextCells, isTraced: true }).origins),
  };
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
