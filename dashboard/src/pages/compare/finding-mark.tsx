import { formatFinding } from '../../../../src/look/report/comparison/rows.ts';
import type { PairComparison, RunDifference } from '../../../../src/core/schema/run-comparison.ts';

const findings: Readonly<Record<RunDifference['finding'], readonly [sign: string, colour: string]>> = {
  better: ['✓', 'text-good'],
  worse: ['✗', 'text-bad'],
  different: ['≠', 'text-accent'],
  'better-on-most': ['?', 'text-unsure'],
  'worse-on-most': ['?', 'text-unsure'],
  'not-visible': ['', 'text-quiet'],
  'too-few': ['–', 'text-quiet'],
  'not-comparable': ['–', 'text-unsure'],
};

/** The finding of a row as a sign with its word; nothing where no difference is visible, as in the terminal. */
export function FindingMark({ row }: { readonly row: Pick<RunDifference, 'finding' | 'judged'> }) {
  const [sign, colour] = findings[row.finding];
  return <Mark sign={sign} colour={colour} word={formatFinding(row)} />;
}

const outcomes: Readonly<
  Record<PairComparison['verdict']['outcome'], readonly [sign: string, colour: string]>
> = {
  better: ['✓', 'text-good'],
  worse: ['✗', 'text-bad'],
  'better-on-most': ['?', 'text-unsure'],
  'worse-on-most': ['?', 'text-unsure'],
  'no-visible-difference': ['?', 'text-unsure'],
  'not-enough-data': ['–', 'text-unsure'],
  'not-comparable': ['–', 'text-unsure'],
};

interface VerdictMarkOptions {
  readonly outcome: PairComparison['verdict']['outcome'];
  /** The outcome in words. */
  readonly word: string;
}

/** The verdict of a comparison as a sign with its words. */
export function VerdictMark({ outcome, word }: VerdictMarkOptions) {
  const [sign, colour] = outcomes[outcome];
  return <Mark sign={sign} colour={colour} word={word} />;
}

const changes = {
  better: ['✓', 'text-good', 'better'],
  worse: ['✗', 'text-bad', 'worse'],
  none: ['', 'text-quiet', ''],
} as const;

/** The flip of a case as a sign with its word; nothing for a case that did not flip. */
export function FlipMark({ flip }: { readonly flip: keyof typeof changes }) {
  const [sign, colour, word] = changes[flip];
  return <Mark sign={sign} colour={colour} word={word} />;
}

function Mark({
  sign,
  colour,
  word,
}: {
  readonly sign: string;
  readonly colour: string;
  readonly word: string;
}) {
  if (word === '') return null;
  return (
    <span className={`whitespace-nowrap ${colour}`}>
      <span aria-hidden className="mr-[0.3em] inline-block min-w-3 text-center font-semibold">
        {sign}
      </span>
      {word}
    </span>
  );
}
