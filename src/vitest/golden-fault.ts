import { toTerminalText } from '../lib/terminal-text.ts';
import { passCount } from '../report/rows/merge-marks.ts';
import type { Mark } from '../schema/mark.ts';
import type { Decision } from '../schema/summary.ts';
import type { CaseOutcome } from './read-outcomes.ts';

const faultNames = {
  failed: 'Failed',
  error: 'TargetError',
  'not-measured': 'NotMeasured',
} as const satisfies Partial<Record<Mark, string>>;

/** Why a case did not pass, with its pass count: a wrong answer, a broken target and a missing verdict have other names. */
export function explainCase({
  mark,
  marks,
  planned,
  rule,
  explanation,
  exemption,
}: CaseOutcome): Error | undefined {
  if (mark === 'passed' || mark === 'unscored') return undefined;
  return goldenFault(
    faultNames[mark],
    [exemption, passCount(marks, planned, rule), explanation].filter(Boolean).join('; '),
  );
}

const decisionNames = {
  fail: 'GateFailed',
  inconclusive: 'GateInconclusive',
  'not-measured': 'GateNotMeasured',
} as const satisfies Partial<Record<Decision['outcome'], string>>;

/** Why the gate did not pass; undefined when it did. */
export function explainDecision({ outcome, reasons }: Decision): Error | undefined {
  return outcome === 'pass' ? undefined : goldenFault(decisionNames[outcome], reasons.join('; '));
}

/** An error that is safe to print, and without a stack: what is at fault stands in no line of code. */
function goldenFault(name: string, text: string): Error {
  const message = toTerminalText(text);
  const fault = new Error(message);
  fault.name = name;
  fault.stack = `${name}: ${message}`;
  return fault;
}
