import { type Fields, isFields } from '../traces/attribute-values.ts';

/**
 * A line of an exported run, or a result of a JSON report, in the columns of recorded answers: the case with its
 * expectations, and what the target gave. Null for a line that holds neither, undefined for what is of neither file.
 */
export function readResultRow(row: Fields): Fields | null | undefined {
  const result = row['type'] === 'result' ? row['result'] : row;
  if (isFields(result) && isFields(result['case']) && isFields(result['trial'])) {
    return toRow(result['case'], result['trial']);
  }
  const isArchive = typeof row['hash'] === 'string' && /^(run|case|judgement|end)$/.test(String(row['type']));
  if (!isArchive) return undefined;
  const planned = row['type'] === 'case' ? row['case'] : undefined;
  return isFields(planned) && isFields(planned['case']) ? { ...planned['case'] } : null;
}

const kept = ['attempt', 'transcript', 'answer', 'documents', 'state', 'usage', 'cost', 'logs'];

function toRow(testCase: Fields, trial: Fields): Fields {
  const given = Object.fromEntries(
    kept.flatMap((name) => (trial[name] === undefined ? [] : [[name, trial[name]]])),
  );
  const { latency, error, recorded, target, status } = trial;
  const isCancelled = status === 'cancelled';
  return {
    ...testCase,
    ...(isFields(recorded) && recorded),
    ...(isCancelled ? { attempt: trial['attempt'] } : given),
    ...(latency !== undefined && { latency }),
    ...(error !== undefined && !isCancelled && { error }),
    recordedTarget: target,
  };
}
