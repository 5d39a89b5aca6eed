import type { GateOutcome } from '../../../src/core/schema/decision.ts';
import { outcomeSigns } from '../../../src/look/report/format.ts';
import type { TrialOutcome } from '../../../src/core/schema/result.ts';

/** The sign, the word and the colour of each outcome: the signs and words of the terminal report. */
const outcomes = {
  pass: ['✓', 'pass', 'text-good'],
  passed: [outcomeSigns.passed, 'passed', 'text-good'],
  fail: ['✗', 'fail', 'text-bad'],
  failed: [outcomeSigns.failed, 'failed', 'text-bad'],
  error: [outcomeSigns.error, 'error', 'text-bad'],
  inconclusive: ['?', 'inconclusive', 'text-unsure'],
  'not-measured': [outcomeSigns['not-measured'], 'not measured', 'text-unsure'],
  unscored: [outcomeSigns.unscored, 'not scored', 'text-quiet'],
} as const satisfies Record<GateOutcome | TrialOutcome, readonly [string, string, string]>;

/** An outcome as a sign with its word: never a colour alone. */
export function OutcomeMark({ outcome }: { readonly outcome: GateOutcome | TrialOutcome }) {
  const [sign, word, colour] = outcomes[outcome];
  return (
    <span className={`whitespace-nowrap ${colour}`}>
      <span aria-hidden className="mr-[0.3em] inline-block min-w-[0.85em] text-center font-semibold">
        {sign}
      </span>
      {word}
    </span>
  );
}

/** An outcome as a sign alone, in a column of them; its word is for a pointer and for a screen reader. */
export function OutcomeSign({ outcome }: { readonly outcome: TrialOutcome }) {
  const [sign, word, colour] = outcomes[outcome];
  return (
    <span title={word} className={`font-semibold ${colour}`}>
      <span aria-hidden>{sign}</span>
      <span className="sr-only">{word}</span>
    </span>
  );
}

/** The outcomes of several attempts in a strip, `✓✓✗?`; null for one that was not made. */
export function AttemptMarks({ outcomes: all }: { readonly outcomes: readonly (TrialOutcome | null)[] }) {
  const words = all.map((outcome) => (outcome === null ? 'not made' : outcomes[outcome][1]));
  return (
    <span
      role="img"
      aria-label={`attempts: ${words.join(', ')}`}
      title={words.join(', ')}
      className="font-semibold"
    >
      {all.map((outcome, index) => {
        const [sign, , colour] = outcome === null ? (['·', '', 'text-quiet'] as const) : outcomes[outcome];
        return (
          <span key={index} className={`inline-block w-3 text-center ${colour}`}>
            {sign}
          </span>
        );
      })}
    </span>
  );
}
