import type { GateOutcome } from '../../../src/schema/decision.ts';
import type { TrialOutcome } from '../../../src/schema/result.ts';

/** The sign, the word and the colour of each outcome; the words are those of the terminal report. */
const outcomes = {
  pass: ['✓', 'pass', 'text-good'],
  passed: ['✓', 'passed', 'text-good'],
  fail: ['✗', 'fail', 'text-bad'],
  failed: ['✗', 'failed', 'text-bad'],
  error: ['✗', 'error', 'text-bad'],
  inconclusive: ['?', 'inconclusive', 'text-unsure'],
  'not-measured': ['–', 'not measured', 'text-unsure'],
  unscored: ['–', 'not scored', 'text-quiet'],
} as const satisfies Record<GateOutcome | TrialOutcome, readonly [string, string, string]>;

/** An outcome as a sign with its word: never a colour alone. */
export function OutcomeMark({ outcome }: { readonly outcome: GateOutcome | TrialOutcome }) {
  const [sign, word, colour] = outcomes[outcome];
  return (
    <span className={`whitespace-nowrap ${colour}`}>
      <span aria-hidden className="mr-1 inline-block w-3 text-center font-semibold">
        {sign}
      </span>
      {word}
    </span>
  );
}
