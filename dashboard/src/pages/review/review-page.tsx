import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { ReviewTaskView } from '../../../../src/core/schema/api/review/view.ts';
import { useReview } from '../../data/people/use-review.ts';
import { usePerson } from '../../data/use-person.ts';
import { PageHead } from '../../layout/page-head.tsx';
import { ErrorPanel } from '../../parts/error-panel.tsx';
import { NameForm } from '../../parts/name-form.tsx';
import { Pending } from '../../parts/skeleton.tsx';
import { ItemView, markableAnswer } from './item-view.tsx';
import { SidePanel } from './side-panel.tsx';
import { Ended, NoItems, ReviewChoicesFields, ReviewNotices, SittingProgress } from './sitting-status.tsx';
import type { Sitting } from './sitting.ts';
import { useReviewKeys } from './use-review-keys.ts';
import { useReviewChoices } from './use-settings.ts';
import { useSitting } from './use-sitting.ts';

const route = getRouteApi('/reviews/$task');

/** The page on which a person labels the answers of a review task, one at a time. */
export function ReviewPage() {
  const { task } = route.useParams();
  const { role = 'reviewer' } = route.useSearch();
  const { data, error, refetch } = useReview(task);
  const [person, setPerson] = usePerson(data);
  if (data === undefined || data.task.id !== task) {
    return (
      <>
        <PageHead crumbs={crumbs} title={task} />
        <Pending error={error} refetch={refetch} />
      </>
    );
  }
  if (person === undefined) {
    return (
      <>
        <PageHead crumbs={crumbs} title={titleOf(data)} />
        <NameForm offered={data.person} onName={(name) => setPerson?.(name)} />
      </>
    );
  }
  return (
    <SittingView
      key={`${task} ${person} ${role}`}
      view={data}
      person={person}
      role={role}
      onLeave={setPerson && (() => setPerson(undefined))}
      onChanged={() => void refetch()}
    />
  );
}

/** The way to the page. */
const crumbs = [{ label: 'Review', link: { to: '/reviews' } }] as const;

/** Returns the title of a task: the names of its rubrics. */
function titleOf({ rubrics }: ReviewTaskView): string {
  return rubrics.map(({ id }) => id).join(', ');
}

interface SittingViewOptions {
  readonly view: ReviewTaskView;
  readonly person: string;
  readonly role: 'reviewer' | 'adjudicator';
  /** Forgets the name of the reviewer; undefined where people are signed in. */
  readonly onLeave: (() => void) | undefined;
  /** Called when the progress of the task has changed for certain. */
  readonly onChanged: () => void;
}

/** A sitting: the item on the screen with its questions, or why there is none. */
function SittingView({ view, person, role, onLeave, onChanged }: SittingViewOptions) {
  const { rubrics, task } = view;
  const [choices, setChoices] = useReviewChoices();
  const note = useRef<HTMLTextAreaElement>(null);
  const ofSitting = useSitting({ task: task.id, rubrics, person, role, isRevealed: choices.isRevealed });
  const refill = (): void => {
    ofSitting.refill();
    onChanged();
  };
  const handle = { ...ofSitting, refill };
  const { sitting, error } = handle;
  const [card] = sitting.queue;
  const focusNote = (): void => note.current?.focus();
  const answer = card && markableAnswer(card);
  useReviewKeys({ handle, rubrics, isQuick: choices.isQuick, answer, focusNote });
  useTopOfItem(card && `${card.item} ${card.purpose}`);
  useUnsentWarning(sitting);
  useAtEnd(sitting, onChanged);
  return (
    <>
      <PageHead
        crumbs={crumbs}
        title={role === 'adjudicator' ? `${titleOf(view)}: disputes` : titleOf(view)}
        about={<SittingProgress view={view} sitting={sitting} person={person} onLeave={onLeave} />}
        actions={<ReviewChoicesFields choices={choices} onChange={setChoices} />}
      />
      <ReviewNotices sitting={sitting} />
      {error !== undefined && (
        <div className="mb-4">
          <ErrorPanel error={error} onRetry={handle.refill} />
        </div>
      )}
      {sitting.phase.type === 'ended' ? (
        <Ended handle={handle} />
      ) : card === undefined ? (
        error === undefined && <NoItems view={view} sitting={sitting} role={role} />
      ) : (
        <div className="grid gap-x-8 gap-y-6 lg:grid-cols-[minmax(0,1fr)_24rem]">
          <div key={`${card.item} ${card.purpose}`} className="min-w-0">
            <ItemView
              task={task.id}
              card={card}
              spans={sitting.drafts[sitting.active]?.spans ?? []}
              choice={sitting.phase.type === 'marking' ? sitting.phase.choice : undefined}
            />
          </div>
          <SidePanel view={view} handle={handle} isQuick={choices.isQuick} noteRef={note} />
        </div>
      )}
    </>
  );
}

/** Calls back when there are no more items, since the page then says why. */
function useAtEnd({ queue, isExhausted }: Sitting, onEnd: () => void): void {
  const isAtEnd = isExhausted && queue.length === 0;
  const call = useEffectEvent(onEnd);
  useEffect(() => {
    if (isAtEnd) call();
  }, [isAtEnd]);
}

/** Begins each item at its top. */
function useTopOfItem(key: string | undefined): void {
  useEffect(() => {
    if (key !== undefined) window.scrollTo(0, 0);
  }, [key]);
}

/** Lets the browser ask before the page is left while a label is not stored. */
function useUnsentWarning({ phase }: Sitting): void {
  const isSending = phase.type === 'sending';
  useEffect(() => {
    if (!isSending) return;
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isSending]);
}
