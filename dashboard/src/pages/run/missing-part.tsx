import type { Run } from '../../../../src/core/schema/run.ts';
import type { TargetSummary } from '../../../../src/core/schema/summary.ts';
import { formatCount, formatPlural } from '../../../../src/look/report/format.ts';
import { CasesLink } from '../../parts/links/cases-link.tsx';
import { MessageText } from '../../parts/message-text.tsx';

/** A part of what is missing; a number of answers leads to them. */
export function MissingPart({ run, target, part }: MissingPartOptions) {
  const text = <MessageText text={part} />;
  const where = answersIn(run, target, part);
  if (where === undefined) return text;
  return (
    <CasesLink run={run.id} where={where} tabIndex={-1}>
      {text}
    </CasesLink>
  );
}

interface MissingPartOptions {
  readonly run: Run;
  readonly target: TargetSummary;
  readonly part: string;
}

/** Returns the filter of the answers that a part counts; undefined where it counts none. */
function answersIn(
  { scorecard }: Run,
  { target, counts: { errors, notMeasured } }: TargetSummary,
  part: string,
): Readonly<Record<string, string | readonly string[]>> | undefined {
  if (errors > 0 && part === formatPlural(errors, 'error')) return { target, result: 'error' };
  const isUnmeasured = scorecard !== null && part.startsWith(`${formatCount(notMeasured)} not measured`);
  return isUnmeasured ? { target, result: 'not-measured', status: ['completed', 'failed'] } : undefined;
}
