import type { ComparedRun } from '../../../decide/analysis/compare/compared-run.ts';
import { asClause, type JudgeErrors } from '../../../decide/certificates/judge-errors.ts';

/** A judge with a certificate that says nothing of one of two targets. */
export interface UnknownJudge {
  readonly metric: string;
  readonly target: string;
  readonly errors: Extract<JudgeErrors, { status: 'unknown' }>;
}

/** The worth of a comparison by such a judge. */
interface UnknownDecision {
  /**
   * `refused`: the judge may have fallen for the style of one of them, so that nothing is compared by it; `alike`: both are the
   * same version, on which it errs alike, so that only the direction is known; `let`: the gate lets its judges decide.
   */
  readonly decision: 'refused' | 'alike' | 'let';
  /** The notice, after the name of the metric. */
  readonly message: string;
  /** The reason next to the row and the check for a regression. */
  readonly reason: string;
}

/** Decides what a comparison is worth by a judge with a certificate whose error rates on one of the targets are not known. */
export function decideUnknown(
  { target, errors }: UnknownJudge,
  a: ComparedRun,
  b: ComparedRun,
): UnknownDecision {
  const why = asClause(errors.why);
  const advice = `label about 200 answers of ${target}: \`${errors.remedy}\``;
  const reason = `the error rates of the judge are not known for ${target}`;
  const [before, now] = [a, b].map(
    ({ run, target: own }) => run.targets.find(({ name }) => name === own)?.fingerprint,
  );
  if (before !== undefined && before === now) {
    const message = `is as its judge says (${why}). Both are the same version of the target, so that the direction of a difference is right; its size is not known. To know it, ${advice}`;
    return { decision: 'alike', message, reason };
  }
  if (b.run.gate.judge?.certified === 'advise') {
    const message = `is as its judge says (${why}), since the gate lets it decide (\`certified: advise\`); to correct it, ${advice}`;
    return { decision: 'let', message, reason };
  }
  const message = `is not comparable by this judge, nor is what rests on it: ${why}; ${advice}`;
  return { decision: 'refused', message, reason };
}
