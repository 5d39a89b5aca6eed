import { getRouteApi, Link } from '@tanstack/react-router';
import { formatCount, formatDuration, formatMoney, missing } from '../../../../src/look/report/format.ts';
import type { TraceRow } from '../../../../src/core/schema/trace/described-trace.ts';
import { useTraces } from '../../data/use-trace.ts';
import { useRowKeys } from '../../keys/use-row-keys.ts';
import { PageHead } from '../../layout/page-head.tsx';
import { Button } from '../../parts/button.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Pending } from '../../parts/skeleton.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { TimeText } from '../../parts/time-text.tsx';

const route = getRouteApi('/traces');

/** The newest traces of production, with what users said of their answers. */
export function TracesPage() {
  const { text } = route.useSearch();
  const { data, error, refetch } = useTraces(text);
  useRowKeys();
  if (data === undefined) {
    return <Pending error={error} refetch={refetch} />;
  }
  const { traces, count } = data;
  const about =
    traces.length < count
      ? `The newest ${formatCount(traces.length)} of ${formatCount(count)}`
      : 'The newest first';
  return (
    <>
      <PageHead title="Traces" of={text} about={traces.length === 0 ? undefined : about} />
      {count > 0 && <TraceSearch />}
      {count > 0 && traces.length === 0 ? (
        <EmptyState title="No trace has this text">
          Of many traces, the newest 2,000 are looked at.
        </EmptyState>
      ) : traces.length === 0 ? (
        <EmptyState title="There are no traces yet">
          <code className="font-mono">touchstone view --ingest</code> takes them from your bot,{' '}
          <code className="font-mono">touchstone traces import FILE</code> from a file.
        </EmptyState>
      ) : (
        <DataTable label="Traces" columns={columns} rows={traces} keyOf={({ traceId }) => traceId} />
      )}
    </>
  );
}

/** The field that narrows the list to traces with a text. */
function TraceSearch() {
  const { text = '' } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <form
      key={text}
      className="mb-4 flex max-w-xl gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        const typed = String(new FormData(event.currentTarget).get('text') ?? '').trim();
        void navigate({ search: { text: typed === '' ? undefined : typed } });
      }}
    >
      <input
        type="search"
        name="text"
        defaultValue={text}
        aria-label="Text in the question, the answer, the error or a tool"
        placeholder="Text in question, answer, error or tool"
        className="h-8 min-w-0 flex-1 rounded-md border border-line bg-page px-3"
      />
      <Button type="submit">Filter</Button>
    </form>
  );
}

const columns: readonly Column<TraceRow>[] = [
  {
    title: 'Question',
    isName: true,
    cell: ({ traceId, question }) => (
      <Link
        to="/traces/$trace"
        params={{ trace: traceId }}
        data-row
        className="link block max-w-96 min-w-32 truncate"
      >
        {question === null ? 'not recorded' : <PlainText text={question} />}
      </Link>
    ),
  },
  {
    title: 'Answer',
    isOptional: true,
    cell: ({ answer, error }) => (
      <span className="block max-w-80 truncate">
        {error === null ? (
          <span className="text-quiet">{answer === null ? 'not recorded' : <PlainText text={answer} />}</span>
        ) : (
          <span className="text-bad">
            ! error: <PlainText text={error} />
          </span>
        )}
      </span>
    ),
  },
  {
    title: 'Users',
    cell: ({ reactions }) => <PlainText text={reactions.join(', ')} />,
  },
  { title: 'Proposed', align: 'right', cell: ({ proposals }) => formatCount(proposals) },
  {
    title: 'Cost',
    align: 'right',
    isOptional: true,
    cell: ({ cost }) => (cost === null ? missing : formatMoney(cost)),
  },
  {
    title: 'Time',
    align: 'right',
    isOptional: true,
    cell: ({ latencyMs }) => (latencyMs === null ? missing : formatDuration(latencyMs)),
  },
  {
    title: 'Started',
    cell: ({ at }) => (
      <span className="text-quiet">
        <TimeText at={at} />
      </span>
    ),
  },
];
