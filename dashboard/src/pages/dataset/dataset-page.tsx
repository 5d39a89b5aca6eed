import { getRouteApi, Link } from '@tanstack/react-router';
import { formatCount, formatPlural, formatPoints, missing } from '../../../../src/look/report/format.ts';
import type { DatasetVersion, DatasetView } from '../../../../src/core/schema/api/dataset-view.ts';
import { useDataset } from '../../data/use-datasets.ts';
import { PageHead } from '../../layout/page-head.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Pending } from '../../parts/skeleton.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { Section } from '../../parts/section.tsx';
import { LintSection } from './lint-section.tsx';
import { StabilitySection } from './stability-section.tsx';
import { TimeText } from '../../parts/time-text.tsx';

const route = getRouteApi('/datasets/$name');

/** A dataset: whether it is sound, and the results of its cases. */
export function DatasetPage() {
  const { name } = route.useParams();
  const { data, error, refetch } = useDataset(name);
  return (
    <>
      <PageHead
        crumbs={[{ label: 'Datasets', link: { to: '/datasets' } }]}
        title={name}
        about={data !== undefined && summaryOf(data)}
      />
      {data !== undefined ? (
        <>
          <StabilitySection name={name} stability={data.stability} />
          <LintSection name={name} />
          <CategorySection categories={data.categories} />
          <VersionSection versions={data.versions} />
        </>
      ) : (
        <Pending error={error} refetch={refetch} />
      )}
    </>
  );
}

function summaryOf({ versions }: DatasetView): string {
  const runs = versions.reduce((sum, version) => sum + version.runs, 0);
  const parts = [
    formatPlural(versions[0]?.cases ?? 0, 'question'),
    formatPlural(versions.length, 'version'),
    formatPlural(runs, 'run'),
  ];
  return parts.join(' · ');
}

function CategorySection({ categories }: Pick<DatasetView, 'categories'>) {
  if (categories.length === 0) return null;
  return (
    <Section
      title="How much does each category say?"
      note="± is half the width of the widest 95 % interval of a target's score in the newest completed run. Four times as many questions halve it."
    >
      <DataTable
        label="Categories"
        columns={categoryColumns}
        rows={categories}
        keyOf={({ category }) => category}
      />
    </Section>
  );
}

const categoryColumns: readonly Column<DatasetView['categories'][number]>[] = [
  { title: 'Category', isName: true, cell: ({ category }) => <PlainText text={category} /> },
  { title: 'Questions', align: 'right', cell: ({ cases }) => formatCount(cases) },
  {
    title: '± points',
    align: 'right',
    cell: ({ halfWidth }) => (halfWidth === null ? missing : `± ${formatPoints(halfWidth)}`),
  },
];

function VersionSection({ versions }: Pick<DatasetView, 'versions'>) {
  return (
    <Section
      title="How has it changed?"
      note="A run over a part of the questions counts as a version of its own. Questions are compared by their ids and their contents."
    >
      <DataTable label="Versions" columns={versionColumns} rows={versions} keyOf={({ hash }) => hash} />
    </Section>
  );
}

const versionColumns: readonly Column<DatasetVersion>[] = [
  {
    title: 'Version',
    isName: true,
    cell: ({ hash }) => <span className="font-mono text-xs">{hash.slice(0, 12)}</span>,
  },
  {
    title: 'First seen',
    cell: ({ firstSeen }) => <TimeText at={firstSeen} />,
  },
  { title: 'Questions', align: 'right', cell: ({ cases }) => formatCount(cases) },
  { title: 'Against the one before', cell: ({ changes }) => <Changes changes={changes} /> },
  {
    title: 'Runs',
    align: 'right',
    cell: ({ runs, latestRun }) => (
      <Link to="/runs/$run" params={{ run: latestRun }} className="link relative whitespace-nowrap">
        {formatCount(runs)}
        <span className="sr-only"> runs; open the newest</span>
      </Link>
    ),
  },
];

function Changes({ changes }: Pick<DatasetVersion, 'changes'>) {
  if (changes === null) return <span className="text-quiet">{missing}</span>;
  const { added, removed, changed } = changes;
  const parts = [
    ...(added > 0 ? [`+${formatCount(added)}`] : []),
    ...(removed > 0 ? [`−${formatCount(removed)}`] : []),
    ...(changed > 0 ? [`${formatCount(changed)} changed`] : []),
  ];
  return (
    <span className="whitespace-nowrap">
      {parts.length === 0 ? 'labels or order only' : parts.join(', ')}
    </span>
  );
}
