import { Link } from '@tanstack/react-router';
import { formatPlural } from '../../../../src/look/report/format.ts';
import type { ReviewRow } from '../../../../src/core/schema/api/review/list.ts';
import { useReviews } from '../../data/people/use-bar.ts';
import { useRights } from '../../data/use-rights.ts';
import { notesRubricId } from '../../../../src/core/schema/modes/mode.ts';
import { PageHead } from '../../layout/page-head.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Pending } from '../../parts/skeleton.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { Section } from '../../parts/section.tsx';
import { TaskProgress } from './task-progress.tsx';
import { TimeText } from '../../parts/time-text.tsx';

/** The review tasks: how far each is, who labelled how much, and how far people agree. */
export function ReviewsPage() {
  const { data, error, refetch } = useReviews();
  return (
    <>
      <PageHead
        title="Review"
        actions={
          data?.tasks.some(({ rubrics }) => rubrics.includes(notesRubricId)) === true && (
            <Link to="/modes" className="hover:underline">
              Failure modes
            </Link>
          )
        }
      />
      {data === undefined ? (
        <Pending error={error} refetch={refetch} />
      ) : data.tasks.length === 0 ? (
        <EmptyState title="There is nothing to label yet">
          Draw answers of a run for people to label:{' '}
          <code className="font-mono">touchstone review create --rubric NAME</code>.
        </EmptyState>
      ) : (
        data.tasks.map((task) => <Task key={task.id} task={task} />)
      )}
    </>
  );
}

function Task({ task: { id, createdAt, rubrics, run, items, due, status } }: { readonly task: ReviewRow }) {
  const { may } = useRights();
  return (
    <Section
      title={`${rubrics.join(', ')} · ${id}`}
      note={
        <>
          {formatPlural(items, 'item')} of{' '}
          {may('read') ? (
            <Link to="/runs/$run" params={{ run }} className="link">
              <PlainText text={run} />
            </Link>
          ) : (
            <PlainText text={run} />
          )}{' '}
          · <TimeText at={createdAt} />
          {due !== undefined && ` · due ${due}`}
          {status === 'closed' && ' · closed'}
        </>
      }
    >
      <TaskProgress id={id} isOpen={status === 'open'} />
    </Section>
  );
}
