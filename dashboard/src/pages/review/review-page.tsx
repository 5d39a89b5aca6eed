import { getRouteApi } from '@tanstack/react-router';
import { useReview } from '../../data/people/use-review.ts';
import { PageHead } from '../../layout/page-head.tsx';
import { ErrorPanel } from '../../parts/error-panel.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { NameForm } from '../../parts/name-form.tsx';
import { crumbs, SittingView, titleOf } from './sitting-view.tsx';
import { usePerson } from '../../data/use-person.ts';

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
        {error === null ? <Skeleton /> : <ErrorPanel error={error} onRetry={() => void refetch()} />}
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
