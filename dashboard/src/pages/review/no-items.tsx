import { Link } from '@tanstack/react-router';
import { formatCount, formatPlural } from '../../../../src/report/format.ts';
import type { ReviewTaskView } from '../../../../src/schema/api/review/view.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import type { Sitting } from './sitting.ts';

/** The options of {@link NoItems}. */
interface NoItemsOptions {
  readonly view: ReviewTaskView;
  readonly sitting: Sitting;
  readonly role: 'reviewer' | 'adjudicator';
}

/** The page of a person who has no item to label now: why there is none. */
export function NoItems({ view, sitting, role }: NoItemsOptions) {
  if (!sitting.isExhausted) return <Skeleton />;
  const { states, wanted, given } = view.progress;
  if (role === 'adjudicator') {
    return (
      <EmptyState title="No dispute to decide">
        You are offered items on which people differ, and that you have not labelled yourself.
      </EmptyState>
    );
  }
  const isDone = given >= wanted;
  return (
    <EmptyState title={isDone ? 'All labels are given' : 'Nothing left for you'}>
      {!isDone && (
        <p>
          {formatCount(wanted - given)} of {formatPlural(wanted, 'label')} are missing
          {states.reserved > 0 && `; others have ${formatPlural(states.reserved, 'item')} on their screens`}.
          This page looks again by itself; Enter does so at once.
        </p>
      )}
      {states.disputed > 0 && (
        <p>
          {formatPlural(states.disputed, 'item')} {states.disputed === 1 ? 'is' : 'are'} disputed and{' '}
          {states.disputed === 1 ? 'waits' : 'wait'} for an adjudicator.
        </p>
      )}
      {sitting.gone > 0 && (
        <p>{formatPlural(sitting.gone, 'item')} cannot be labelled: the run with the answers was deleted.</p>
      )}
      <p className="mt-2">
        <Link to="/reviews" className="link">
          All review tasks
        </Link>
      </p>
    </EmptyState>
  );
}
