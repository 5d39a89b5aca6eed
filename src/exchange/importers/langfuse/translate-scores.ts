import type { FoundScore } from '../collect-trials.ts';
import type { Ledger } from '../ledger.ts';
import { nameScores } from '../records/translate-records.ts';
import { numberOf } from '../content/rows.ts';
import { asArray, asText, type Fields, jsonObject, restOf } from '../values.ts';

/** Translates the scores of a trace, also the scores of its observations. */
export function translateScores(
  rows: readonly Fields[],
  observationNames: ReadonlyMap<string, string>,
  ledger: Ledger,
): FoundScore[] {
  const found = rows.flatMap((row) => {
    const observation = asText(row.observationId);
    const part =
      observation === undefined ? undefined : (observationNames.get(observation) ?? 'an observation');
    return isNumberless(row, ledger) ? [] : [translateScore(row, part)];
  });
  return nameScores(found, ledger);
}

/** Texts and corrections are no scores. */
function isNumberless({ dataType, name }: Fields, ledger: Ledger): boolean {
  if (dataType !== 'TEXT' && dataType !== 'CORRECTION') return false;
  ledger.leaveOut(`score ${String(name)} of the type ${dataType}`, {
    note: 'It is a text, which has no number and no pass.',
  });
  return true;
}

function translateScore(row: Fields, part: string | undefined): FoundScore & { isByPerson?: boolean } {
  const { dataType, stringValue, source } = row;
  const name = `${asText(row.name) ?? 'score'}${part === undefined ? '' : ` of ${part}`}`;
  const number = numberOf(row.value);
  const label = asText(stringValue) ?? (number === undefined ? asText(row.value) : undefined);
  const comment = asText(row.comment);
  return {
    name,
    ...(source === 'ANNOTATION' && { isByPerson: true }),
    explanation: comment,
    ...valueOf(String(dataType), number, label),
    evidence: jsonObject({
      id: asText(row.id),
      source: asText(source),
      label,
      author: asText(row.authorUserName) ?? asText(row.authorUserId),
      observation: asText(row.observationId),
      ...restOf(row, ['id', 'source', 'name', 'value', 'stringValue', 'comment', 'traceId', 'observationId']),
    }),
  };
}

function valueOf(
  dataType: string,
  number: number | undefined,
  label: string | undefined,
): Pick<FoundScore, 'value' | 'isQuantity' | 'label'> {
  if (dataType === 'BOOLEAN') {
    const isTrue = number === undefined ? label?.toLowerCase() === 'true' : number === 1;
    return number === undefined && label === undefined ? { value: null } : { value: isTrue };
  }
  if (dataType !== 'CATEGORICAL') return { value: number ?? null };
  return number === undefined ? { value: label } : { value: number, isQuantity: true, label };
}

/** Translates the scores in the columns of a trace: a list for each name, without their sources and comments. */
export function translateColumns(trace: Fields, columns: readonly string[], ledger: Ledger): FoundScore[] {
  const scores = columns.flatMap((name) =>
    asArray(trace[name]).map((value): FoundScore => {
      if (typeof value !== 'string') return { name, value };
      const number = numberOf(value);
      return number === undefined
        ? { name, ...valueOf('CATEGORICAL', undefined, value) }
        : { name, value: number };
    }),
  );
  if (scores.length > 0) {
    ledger.approximate('scores in the columns of a trace', {
      became: 'recorded verdict',
      note: 'This export says neither who gave a score nor why. Export the scores, too, and import the folder.',
    });
  }
  return nameScores(scores, ledger);
}
