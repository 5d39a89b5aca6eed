import { Link } from '@tanstack/react-router';
import { formatCount, formatPlural, formatPoints, missing } from '../../../../src/look/report/format.ts';
import type {
  PersonProgressView,
  ReviewTaskView,
  SamenessView,
} from '../../../../src/core/schema/api/review/view.ts';
import { useReview } from '../../data/people/use-review.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Pending } from '../../parts/skeleton.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { ProgressBar } from '../../parts/live-progress.tsx';

interface TaskProgressOptions {
  readonly id: string;
  readonly isOpen: boolean;
}

/** The progress of a review task, and the ways to work on it. */
export function TaskProgress({ id, isOpen }: TaskProgressOptions) {
  const { data, error, refetch } = useReview(id);
  if (data === undefined) {
    return <Pending error={error} refetch={refetch} />;
  }
  const { progress } = data;
  return (
    <>
      <p>
        {formatCount(progress.given)} of {formatPlural(progress.wanted, 'label')}
        {progress.given < progress.wanted && ` · about ${hoursWords(progress.hoursLeft)} left`}
        {progress.states.disputed > 0 && ` · ${formatCount(progress.states.disputed)} disputed`}
        {progress.states.skipped > 0 &&
          ` · ${formatCount(progress.states.skipped)} skipped by everyone asked`}
      </p>
      <ProgressBar
        done={progress.given}
        planned={progress.wanted}
        label={`Labels of ${id}`}
        className="mt-2 h-2 max-w-3xl"
      />
      {isOpen && <Ways view={data} />}
      <Agreement view={data} />
      {progress.people.length > 0 && (
        <div className="mt-4">
          <DataTable
            label={`People of ${id}`}
            columns={columns}
            rows={progress.people}
            keyOf={({ person }) => person}
          />
        </div>
      )}
    </>
  );
}

function hoursWords(hours: number): string {
  return hours < 1
    ? formatPlural(Math.max(1, Math.round(hours * 60)), 'minute')
    : `${hours.toFixed(1)} hours`;
}

function Ways({ view: { task, progress } }: { readonly view: ReviewTaskView }) {
  const params = { task: task.id };
  return (
    <p className="mt-3 flex flex-wrap gap-4">
      <Link data-row to="/reviews/$task" params={params} className="link">
        Label answers
      </Link>
      {progress.states.disputed > 0 && (
        <Link data-row to="/reviews/$task" params={params} search={{ role: 'adjudicator' }} className="link">
          Decide {formatPlural(progress.states.disputed, 'dispute')}
        </Link>
      )}
    </p>
  );
}

/** The agreement so far, before any decision of a dispute. */
function Agreement({ view: { progress } }: { readonly view: ReviewTaskView }) {
  return (
    <ul className="mt-3">
      {progress.agreement.map(({ rubric, ...sameness }) => (
        <li key={rubric.id} className="wrap-anywhere">
          <PlainText text={rubric.id} />: {samenessWords(sameness)}
        </li>
      ))}
    </ul>
  );
}

function samenessWords({ pairs, same, share }: SamenessView): string {
  if (pairs === 0) return 'agreement is not measured, since no item has labels of two people';
  const { lower, upper } = share;
  const limits = lower === null || upper === null ? '' : ` [${formatPoints(lower)}, ${formatPoints(upper)}]`;
  return `people agree on ${formatPoints(share.estimate)} %${limits}, ${formatCount(same)} of ${formatPlural(pairs, 'pair')}`;
}

const columns: readonly Column<PersonProgressView>[] = [
  {
    title: 'Person',
    isName: true,
    cell: ({ person }) => <PlainText text={person} className="inline-block min-w-24 wrap-anywhere" />,
  },
  { title: 'Labelled', align: 'right', cell: ({ labelled }) => formatCount(labelled) },
  { title: 'Skipped', align: 'right', cell: ({ skipped }) => formatCount(skipped) },
  { title: 'Decided', align: 'right', isOptional: true, cell: ({ decided }) => formatCount(decided) },
  {
    title: 'Median time',
    align: 'right',
    cell: ({ medianSeconds }) => (medianSeconds === null ? missing : `${medianSeconds.toFixed(1)} s`),
  },
  {
    title: 'Same on a second look',
    align: 'right',
    isOptional: true,
    cell: ({ steadiness }) =>
      steadiness.pairs === 0
        ? missing
        : `${formatCount(steadiness.same)} of ${formatCount(steadiness.pairs)}`,
  },
];
