import { sumRewritings } from '../../schema/rewriting.ts';
import type { Trial } from '../../schema/trial.ts';
import type { TrialSpec } from '../../schema/trial-spec.ts';
import type { TargetFailure } from '../../targets/target.ts';
import type { Asked } from './ask-target.ts';

/** What a trial is known by before it is made. */
export function plannedParts({
  key,
  ordinal,
  case: { id: caseId },
  caseHash,
  target,
  attempt,
  seed,
}: TrialSpec): Pick<Trial, 'key' | 'ordinal' | 'caseId' | 'caseHash' | 'target' | 'attempt' | 'seed'> {
  return { key, ordinal, caseId, caseHash, target, attempt, seed };
}

/** What a failure makes of a trial. */
export function failureParts({ code, message }: TargetFailure): Pick<Trial, 'status' | 'error'> {
  return { status: code === 'cancelled' ? 'cancelled' : 'failed', error: { code, message } };
}

/** Of a trial under a condition: whether that came to bear in none of its turns, and what it took. */
export function conditionParts(asked: readonly Asked[]): Pick<Trial, 'untouched' | 'rewriting'> {
  const isUntouched = asked.every(({ reply, failure }) => (reply ?? failure.partial)?.untouched === true);
  const rewriting = sumRewritings(asked.map(({ reply, failure }) => (reply ?? failure.partial)?.rewriting));
  return {
    ...(isUntouched && asked.length > 0 && { untouched: true }),
    ...(rewriting !== undefined && { rewriting }),
  };
}

/** What was written beside several answers, as one text; undefined when nothing was. */
export function joinLogs(logs: readonly (string | undefined)[]): string | undefined {
  const written = logs.filter((text) => text !== undefined && text !== '');
  return written.length === 0 ? undefined : written.join('\n');
}
