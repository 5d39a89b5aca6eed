import type { Ledger } from '../importers/ledger.ts';
import { unmeasuredCodes } from '../../core/schema/trial.ts';
import type { Result } from '../../core/schema/result.ts';
import type { Run } from '../../core/schema/run.ts';

/** Returns whether the target was asked and gave an answer or an error. Otherwise the trial says nothing about it. */
export function wasAsked({ trial }: Result): boolean {
  return trial.status !== 'cancelled' && !unmeasuredCodes.includes(trial.error?.code ?? '');
}

/** Counts a picture, a PDF or a sound that is not written for another tool. */
export function noteFile(ledger: Ledger): void {
  ledger.leaveOut('pictures, PDFs and sounds', {
    note: 'The texts are written without them; `touchstone export RUN` has everything.',
  });
}

/** Counts the parts of a run that no other tool has a place for. */
export function noteOwnParts(run: Run, ledger: Ledger): void {
  if (run.summary !== undefined) {
    ledger.leaveOut('summary with its intervals', {
      note: 'Other tools compute their own means, without intervals: `touchstone show` has them.',
    });
  }
  if (Object.keys(run.gate).length > 0) {
    ledger.leaveOut('gate', { note: 'Its rules and its decision: `touchstone gate`.' });
  }
  if (run.metrics.some(({ judge }) => judge !== undefined)) {
    ledger.leaveOut('prompts and replies of judges', {
      note: 'The verdicts have their explanations; the rest is in `touchstone export` without `--to`.',
    });
  }
}

/** Counts an attempt that was not made; other tools know only what was asked. */
export function noteUnasked(ledger: Ledger, { trial }: Result): void {
  ledger.leaveOut('attempt that was not made', {
    note: 'It was cancelled, or a recording does not contain it: it was not measured.',
    place: `${trial.caseId}, attempt ${trial.attempt}`,
  });
}
