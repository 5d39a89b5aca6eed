import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { FeedbackGroupView } from '../../../../src/core/schema/api/feedback-view.ts';
import type { SaidChoice } from '../../../../src/core/schema/api/record-counts.ts';

interface SaidLinkOptions {
  readonly group: Pick<FeedbackGroupView, 'period' | 'category' | 'target'>;
  readonly said: SaidChoice;
  /** The length of the period; by default the period of the page. */
  readonly by?: 'week';
  readonly children: ReactNode;
}

/** A number that leads to the answers behind it, in the list at the end of the page. */
export function SaidLink({ group: { period, category, target }, said, by, children }: SaidLinkOptions) {
  return (
    <Link
      from="/feedback"
      to="/feedback"
      search={(before) => ({
        ...before,
        said,
        by: by ?? before.by,
        period: period ?? undefined,
        category: category ?? undefined,
        target: target ?? before.target,
      })}
      hash="answers"
      className="link"
    >
      {children}
    </Link>
  );
}
