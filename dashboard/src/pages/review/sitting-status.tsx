import { Link } from '@tanstack/react-router';
import { messageOf } from '../../../../src/core/errors.ts';
import { formatCount, formatDuration, formatPlural } from '../../../../src/look/report/format.ts';
import type { ReviewTaskView } from '../../../../src/core/schema/api/review/view.ts';
import { FailedRequest } from '../../data/data-source.ts';
import { Button } from '../../parts/button.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { minutesOfLong, type SendFailure, type Sitting } from './sitting.ts';
import type { ReviewChoices } from './use-settings.ts';
import type { SittingHandle } from './use-sitting.ts';

interface SittingProgressOptions {
  readonly view: ReviewTaskView;
  readonly sitting: Sitting;
  readonly person: string;
  /** Forgets the name of the reviewer; undefined where people are signed in. */
  readonly onLeave: (() => void) | undefined;
}

/** The progress of the task and of the sitting, and the name of the reviewer. */
export function SittingProgress({ view: { progress }, sitting, person, onLeave }: SittingProgressOptions) {
  return (
    <p className="flex flex-wrap items-baseline gap-x-3">
      <span>
        {formatCount(progress.given)} of {formatPlural(progress.wanted, 'label')}
      </span>
      <span role="status">{formatCount(sitting.labelled)} in this sitting</span>
      <span className="wrap-anywhere">
        by <PlainText text={person} />{' '}
        {onLeave !== undefined && (
          <button type="button" className="link" onClick={onLeave}>
            not you?
          </button>
        )}
      </span>
    </p>
  );
}

interface ReviewChoicesFieldsOptions {
  readonly choices: ReviewChoices;
  readonly onChange: (change: Partial<ReviewChoices>) => void;
}

/** The settings of the reviewer for all tasks. */
export function ReviewChoicesFields({
  choices: { isRevealed, isQuick },
  onChange,
}: ReviewChoicesFieldsOptions) {
  return (
    <fieldset className="flex flex-wrap gap-x-4 text-xs text-quiet">
      <legend className="sr-only">Settings</legend>
      <label className="flex items-center gap-2">
        <input
          type="checkbox"
          checked={isRevealed}
          onChange={() => onChange({ isRevealed: !isRevealed })}
          className="size-3.5 accent-accent"
        />
        Show the judge after each label
      </label>
      <label className="flex items-center gap-2">
        <input
          type="checkbox"
          checked={isQuick}
          onChange={() => onChange({ isQuick: !isQuick })}
          className="size-3.5 accent-accent"
        />
        Go on without Enter
      </label>
    </fieldset>
  );
}

/** The warnings for a reviewer: a label that is not stored yet, and a sitting that is too long. */
export function ReviewNotices({ sitting }: { readonly sitting: Sitting }) {
  const { phase } = sitting;
  const minutes = minutesOfLong(sitting);
  return (
    <>
      {phase.type === 'sending' && phase.failure !== undefined && <Unsent failure={phase.failure} />}
      {minutes !== undefined && (
        <p role="status" className="mb-4 rounded-lg border border-line bg-surface px-4 py-2 text-unsure">
          You have labelled for {minutes} minutes. After a pause, labels are more alike.
        </p>
      )}
    </>
  );
}

function Unsent({ failure: { error, isFinal } }: { readonly failure: SendFailure }) {
  const remedy = error instanceof FailedRequest ? error.remedy : '';
  return (
    <div role="alert" className="mb-4 rounded-lg border border-bad bg-surface px-4 py-3">
      <p className="font-medium text-bad">
        <span aria-hidden>✗ </span>
        {isFinal ? 'This label was not stored.' : 'This label is not stored yet; it is sent again and again.'}
      </p>
      <p className="mt-1 wrap-anywhere">
        <PlainText text={messageOf(error)} /> {!isFinal && <PlainText text={remedy} />}
      </p>
      {isFinal && <p className="mt-1">Enter goes on to the next item.</p>}
    </div>
  );
}

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
        You are offered items that people disagree on and that you have not labelled yourself.
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

/** The end of a sitting. */
export function Ended({ handle }: { readonly handle: SittingHandle }) {
  const { labelled, startedAt, lastAt } = handle.sitting;
  return (
    <EmptyState title="The sitting has ended">
      <p>
        {formatPlural(labelled, 'item')} labelled in {formatDuration(Math.max(0, lastAt - startedAt))}. Every
        label is stored.
      </p>
      <div className="mt-3">
        <Button onClick={() => handle.dispatch({ type: 'entered', phase: { type: 'labelling' } })}>
          Go on (Enter)
        </Button>
      </div>
    </EmptyState>
  );
}
