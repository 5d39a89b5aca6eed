import { Link } from '@tanstack/react-router';
import { formatCount, formatDay, formatMoney, missing } from '../../../../src/look/report/format.ts';
import type { JudgeRow } from '../../../../src/core/schema/api/judge-view.ts';
import { useJudges } from '../../data/use-judges.ts';
import { useRowKeys } from '../../keys/use-row-keys.ts';
import { PageHead } from '../../layout/page-head.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Pending } from '../../parts/skeleton.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { TimeText } from '../../parts/time-text.tsx';

/** The judges of all runs: what each decides, and how often it failed. */
export function JudgesPage() {
  const { data, error, refetch } = useJudges();
  useRowKeys();
  return (
    <>
      <PageHead title="Judges" />
      {data === undefined ? (
        <Pending error={error} refetch={refetch} />
      ) : data.judges.length === 0 ? (
        <EmptyState title="No run has a judge yet">
          Name a model under <code className="font-mono">judge</code> in the config, and a metric that asks
          it, such as <code className="font-mono">correctness</code>.
        </EmptyState>
      ) : (
        <DataTable
          label="Judges"
          columns={columns}
          rows={data.judges}
          keyOf={({ fingerprint }) => fingerprint}
        />
      )}
    </>
  );
}

/** The state of the certificate of each metric in the newest run; an ended one is grey. */
function Certificates({ certificates }: Pick<JudgeRow, 'certificates'>) {
  if (certificates.every(({ status, refusedAt }) => status === 'none' && refusedAt === null))
    return <span className="text-quiet">none</span>;
  return (
    <ul className="min-w-32">
      {certificates.map(({ metric, status, validUntil, refusedAt }) => (
        <li key={metric} className={status === 'valid' ? 'text-good' : 'text-quiet'}>
          <span className="whitespace-nowrap">
            {status === 'valid'
              ? `✓ until ${formatDay(validUntil ?? '')}`
              : status === 'ended'
                ? '○ ended'
                : refusedAt === null
                  ? '– none'
                  : `✗ refused ${formatDay(refusedAt)}`}
          </span>
          {certificates.length > 1 && (
            <span className="text-quiet wrap-anywhere">
              {' '}
              <PlainText text={metric} />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

/** A number that leads to the page of the judge, which names the runs, the questions and the failures that it counts. */
function Counted({ of, count }: { readonly of: string; readonly count: number }) {
  if (count === 0) return <span className="text-quiet">0</span>;
  return (
    <Link to="/judges/$judge" params={{ judge: of }} className="link">
      {formatCount(count)}
    </Link>
  );
}

const columns: readonly Column<JudgeRow>[] = [
  {
    title: 'Judge',
    isName: true,
    cell: ({ name, fingerprint }) => (
      <Link to="/judges/$judge" params={{ judge: fingerprint }} data-row className="link">
        <PlainText text={name} className="inline-block min-w-32 wrap-anywhere" />
      </Link>
    ),
  },
  {
    title: 'Fingerprint',
    isOptional: true,
    cell: ({ fingerprint }) => <span className="font-mono text-quiet">{fingerprint.slice(0, 8)}</span>,
  },
  {
    title: 'Metrics',
    cell: ({ metrics }) => (
      <PlainText text={metrics.join(', ')} className="inline-block min-w-32 wrap-anywhere" />
    ),
  },
  // On a narrow screen, this is what is seen without scrolling.
  { title: 'Certificate', cell: ({ certificates }) => <Certificates certificates={certificates} /> },
  {
    title: 'Runs',
    align: 'right',
    cell: ({ fingerprint, runs }) => <Counted of={fingerprint} count={runs} />,
  },
  {
    title: 'Verdicts',
    align: 'right',
    cell: ({ fingerprint, verdicts }) => <Counted of={fingerprint} count={verdicts} />,
  },
  {
    title: 'Judge failed',
    align: 'right',
    cell: ({ fingerprint, failed }) => <Counted of={fingerprint} count={failed} />,
  },
  {
    title: 'Cost',
    align: 'right',
    isOptional: true,
    cell: ({ cost, isCostShared }) => (
      <span className="whitespace-nowrap">
        {cost === null ? missing : formatMoney(cost)}
        {isCostShared && (
          <span className="text-quiet" title="Runs with several judges are not shown.">
            {' '}
            in part
          </span>
        )}
      </span>
    ),
  },
  {
    title: 'Last used',
    isOptional: true,
    cell: ({ lastRun }) => (
      <span className="text-quiet">
        <TimeText at={lastRun.createdAt} />
      </span>
    ),
  },
];
