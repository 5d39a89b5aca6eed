import type { Result } from '../../src/core/schema/result.ts';
import type { TrialError } from '../../src/core/schema/trial.ts';
import type { Verdict } from '../../src/core/schema/verdict.ts';

/** The parts of one trial that a test gives; everything else is filled in. */
export interface SampleTrial {
  readonly id?: string;
  readonly target?: string;
  readonly attempt?: number;
  readonly question?: string;
  readonly category?: string;
  readonly answer?: string;
  readonly expectedTools?: readonly string[];
  readonly usedTools?: readonly string[];
  readonly found?: readonly string[];
  readonly missing?: readonly string[];
  /** The error with which the target failed. */
  readonly error?: TrialError;
  /** The kind of error report that the answer is. */
  readonly reportedError?: string;
  /** True when the keyword metric gave no verdict. */
  readonly isUnmeasured?: boolean;
  readonly logs?: string;
  readonly latencyMs?: number;
}

/** The grades of the three-component scorecard. */
export const sampleGrades = [
  { grade: 'A', from: 0.9, meaning: 'excellent' },
  { grade: 'B', from: 0.8, meaning: 'good' },
  { grade: 'C', from: 0.7, meaning: 'acceptable' },
  { grade: 'D', from: 0.6, meaning: 'needs investigation' },
  { grade: 'F', from: 0, meaning: 'poor' },
];

/** Returns the verdicts of the three components on a sample. */
export function sampleVerdicts(sample: SampleTrial): Record<string, Verdict> {
  const { expectedTools = [], usedTools = [], found = [], missing = [], reportedError } = sample;
  if (sample.error !== undefined) {
    const failed: Verdict = { status: 'failed', code: 'trial-failed', reason: 'the target failed' };
    const error = sample.error.code;
    const handling: Verdict = {
      status: 'scored',
      value: 0,
      explanation: sample.error.message,
      evidence: { error },
    };
    return { 'tool-usage': failed, keywords: failed, 'error-handling': handling };
  }
  const missingTools = expectedTools.filter((name) => !usedTools.includes(name));
  const explanation =
    missingTools.length > 0 ? `not used: ${missingTools.join(', ')}` : 'every expected tool was used';
  return {
    'tool-usage': {
      status: 'scored',
      value: missingTools.length === 0 ? 1 : 0,
      explanation,
      evidence: { expected: [...expectedTools], used: [...usedTools], missing: missingTools },
    },
    keywords: sample.isUnmeasured
      ? { status: 'failed', code: 'judge-timeout', reason: 'no reply within 30 s' }
      : {
          status: 'scored',
          value: shareFound(sample),
          explanation: `${found.length} of ${found.length + missing.length} found`,
          evidence: { found: [...found], missing: [...missing] },
        },
    'error-handling': {
      status: 'scored',
      value: reportedError === undefined ? 1 : 0,
      passed: reportedError === undefined,
      ...(reportedError === undefined ? {} : { explanation: 'the answer is an error report' }),
      evidence: { error: reportedError ?? null },
    },
  };
}

/** Returns the result of the three-component scorecard on a sample. */
export function sampleScorecard(sample: SampleTrial): Result['scorecard'] {
  const { expectedTools = [], usedTools = [], reportedError } = sample;
  if (sample.error !== undefined || sample.isUnmeasured) {
    const explanation = 'response quality was not measured';
    return { total: null, lower: 0, upper: 1, grade: null, passed: null, explanation };
  }
  const tools = expectedTools.every((name) => usedTools.includes(name)) ? 0.4 : 0;
  const total = tools + 0.4 * shareFound(sample) + (reportedError === undefined ? 0.2 : 0);
  const grade = sampleGrades.find(({ from }) => total >= from - 1e-9)?.grade ?? 'F';
  const passed = total >= 0.7 - 1e-9 && reportedError === undefined;
  return {
    total,
    lower: total,
    upper: total,
    grade,
    passed,
    explanation: `${(total * 100).toFixed(1)} points`,
  };
}

function shareFound({ found = [], missing = [] }: SampleTrial): number {
  const all = found.length + missing.length;
  return all === 0 ? 1 : found.length / all;
}
