import { Link } from '@tanstack/react-router';
import { formatCount } from '../../../../src/look/report/format.ts';
import type { DatasetRow } from '../../../../src/core/schema/api/dataset-view.ts';
import { useDatasets } from '../../data/use-datasets.ts';
import { useRowKeys } from '../../keys/use-row-keys.ts';
import { PageHead } from '../../layout/page-head.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Pending } from '../../parts/skeleton.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { TimeText } from '../../parts/time-text.tsx';

/** The list of datasets that the runs of the store name. */
export function DatasetsPage() {
  const { data, error, refetch } = useDatasets();
  useRowKeys();
  return (
    <>
      <PageHead title="Datasets" />
      {data === undefined ? (
        <Pending error={error} refetch={refetch} />
      ) : data.datasets.length === 0 ? (
        <EmptyState title="There are no datasets yet">
          A dataset appears here with the first run over it: <code className="font-mono">touchstone run</code>
          .
        </EmptyState>
      ) : (
        <DataTable label="Datasets" columns={columns} rows={data.datasets} keyOf={({ name }) => name} />
      )}
    </>
  );
}

const columns: readonly Column<DatasetRow>[] = [
  {
    title: 'Dataset',
    isName: true,
    cell: ({ name }) => (
      <Link to="/datasets/$name" params={{ name }} data-row className="link wrap-anywhere">
        <PlainText text={name} />
      </Link>
    ),
  },
  {
    title: 'Questions',
    align: 'right',
    cell: ({ cases, latest: { id } }) => (
      <Link to="/runs/$run/cases" params={{ run: id }} className="link">
        {formatCount(cases)}
      </Link>
    ),
  },
  {
    title: 'Versions',
    align: 'right',
    cell: ({ name, versions }) => (
      <Link to="/datasets/$name" params={{ name }} className="link">
        {formatCount(versions)}
      </Link>
    ),
  },
  {
    title: 'Runs',
    align: 'right',
    cell: ({ name, runs }) => (
      <Link to="/" search={{ dataset: name }} className="link">
        {formatCount(runs)}
      </Link>
    ),
  },
  {
    title: 'Last run',
    isOptional: true,
    cell: ({ latest: { id, createdAt } }) => (
      <Link to="/runs/$run" params={{ run: id }} className="link whitespace-nowrap">
        <TimeText at={createdAt} />
      </Link>
    ),
  },
];
