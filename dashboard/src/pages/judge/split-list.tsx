import type { JudgeFlips } from '../../../../src/core/schema/api/judge-view.ts';
import { PlainText } from '../../parts/plain-text.tsx';
import { TrialLink } from '../../parts/filtered-cases.tsx';

interface SplitListOptions {
  /** The title of the list, `6 differ`. */
  readonly title: string;
  readonly splits: JudgeFlips['splits'];
}

/** The first cases on which verdicts differ; each leads to its judgements, with the whole replies. */
export function SplitList({ title, splits }: SplitListOptions) {
  if (splits.length === 0) return null;
  return (
    <details>
      <summary className="link w-fit">{title}</summary>
      <ul className="mt-1 flex flex-wrap gap-x-4 gap-y-1">
        {splits.map(({ run, ordinal, caseId, verdict }) => (
          <li key={ordinal} className="wrap-anywhere">
            <TrialLink run={run} ordinal={ordinal}>
              <PlainText text={caseId} />
            </TrialLink>
            <span className="text-quiet"> {verdict ? 'yes' : 'no'}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
