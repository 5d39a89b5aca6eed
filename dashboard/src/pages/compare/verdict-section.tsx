import { describeMethods, describeVerdict } from '../../../../src/look/report/comparison/phrases.ts';
import { formatLimits, formatSigned } from '../../../../src/look/report/comparison/rows.ts';
import type { PairComparison, RunComparison } from '../../../../src/core/schema/run-comparison.ts';
import { PhraseText } from '../../parts/phrase-text.tsx';
import { Section } from '../../parts/section.tsx';
import { VerdictMark } from './finding-mark.tsx';

interface VerdictSectionOptions {
  readonly pair: PairComparison;
  readonly comparison: RunComparison;
}

/** The verdict in words, the difference with its interval in large digits, and the sentences of the terminal. */
export function VerdictSection({ pair, comparison }: VerdictSectionOptions) {
  const { outcome, sentences } = describeVerdict(pair);
  const [row] = pair.differences;
  const isKnown = row !== undefined && row.difference.value !== null;
  return (
    <Section title="Is B better than A?">
      <p className="text-2xl font-semibold tracking-tight">
        <VerdictMark outcome={pair.verdict.outcome} word={outcome} />
      </p>
      {isKnown && (
        <p className="mt-2 flex flex-wrap items-baseline gap-x-3">
          <span className="text-4xl font-semibold tracking-tight">
            {formatSigned(row.difference.value, row.unit)}
          </span>
          <span className="text-lg text-quiet">
            {row.unit === undefined && 'points '}
            {formatLimits(row.difference, row.unit)}
          </span>
        </p>
      )}
      <ul className="mt-3 max-w-prose space-y-1">
        {sentences.map((sentence, index) => (
          <li key={index}>
            <PhraseText phrase={sentence} />
          </li>
        ))}
      </ul>
      <details className="mt-3 max-w-prose">
        <summary className="cursor-pointer text-quiet">How these numbers were made</summary>
        {describeMethods(pair, comparison).map((sentence, index) => (
          <p key={index} className="mt-1 text-quiet">
            <PhraseText phrase={sentence} />
          </p>
        ))}
      </details>
    </Section>
  );
}
