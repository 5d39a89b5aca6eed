import { getRouteApi, Link } from '@tanstack/react-router';
import { formatPercent } from '../../../../src/look/report/format.ts';
import { diffSides } from '../../../../src/look/report/comparison/word-difference.ts';
import type { CaseHistory } from '../../../../src/core/schema/api/dataset-view.ts';
import { type Case, questionOf } from '../../../../src/core/schema/case.ts';
import { useCaseHistory } from '../../data/use-datasets.ts';
import { useRowKeys } from '../../keys/use-row-keys.ts';
import { PageHead } from '../../layout/page-head.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Pending } from '../../parts/skeleton.tsx';
import { OutcomeMark } from '../../parts/outcome-mark.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import { Section } from '../../parts/section.tsx';
import { WordDiff } from '../../parts/word-diff.tsx';

const route = getRouteApi('/datasets/$name/cases/$id');

/** One case of a dataset: how its content changed, and its results in every run. */
export function CaseHistoryPage() {
  const { name, id } = route.useParams();
  const { data, error, refetch } = useCaseHistory(name, id);
  useRowKeys();
  return (
    <>
      <PageHead
        crumbs={[
          { label: 'Datasets', link: { to: '/datasets' } },
          { label: name, link: { to: '/datasets/$name', params: { name } } },
        ]}
        title={id}
        about={<PlainText text={data?.contents[0]?.place ?? ''} />}
      />
      {data !== undefined ? (
        <>
          <Contents contents={data.contents} />
          <Results runs={data.runs} hasVersions={data.contents.length > 1} />
        </>
      ) : (
        <Pending error={error} refetch={refetch} />
      )}
    </>
  );
}

function Contents({ contents }: Pick<CaseHistory, 'contents'>) {
  return (
    <Section title={contents.length > 1 ? 'How has it changed?' : 'What is asked?'}>
      <ol className="space-y-4">
        {contents.map((content, index) => {
          const before = contents[index + 1];
          return (
            <li key={content.hash} className="max-w-3xl rounded-lg border border-line p-4">
              <p className="mb-2 text-xs text-quiet">
                <TimeText at={content.firstSeen} /> to <TimeText at={content.lastSeen} /> ·{' '}
                <span className="font-mono">{content.hash.slice(0, 12)}</span>
              </p>
              <Content current={content.case} before={before?.case} />
            </li>
          );
        })}
      </ol>
    </Section>
  );
}

/** Returns what a case asks, and then each thing that it expects. */
function linesOf(testCase: Case): readonly [name: string, text: string][] {
  const expected = Object.entries(testCase.expected).map(([name, value]): [string, string] => [
    `expected ${name}`,
    [value].flat().map(textOf).join(', '),
  ]);
  return [['question', questionOf(testCase)], ...expected];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A case; the words that an earlier content of it does not have are marked. */
function Content({ current, before }: { readonly current: Case; readonly before: Case | undefined }) {
  const earlier = before && new Map(linesOf(before));
  const later = new Map(linesOf(current));
  const names = [...new Set([...later.keys(), ...(earlier?.keys() ?? [])])];
  return (
    <dl className="space-y-2">
      {names.map((name) => (
        <div key={name}>
          <dt className="text-xs text-quiet">{name}</dt>
          <dd className="wrap-anywhere whitespace-pre-wrap">
            {earlier === undefined ? (
              <PlainText text={later.get(name) ?? ''} />
            ) : (
              <WordDiff pieces={diffSides(earlier.get(name) ?? '', later.get(name) ?? '').second} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

type RunOfCase = CaseHistory['runs'][number];
type Line = { readonly run: RunOfCase; readonly target: string; readonly trials: RunOfCase['trials'] };

function Results({
  runs,
  hasVersions,
}: {
  readonly runs: readonly RunOfCase[];
  readonly hasVersions: boolean;
}) {
  const lines = runs.flatMap((run) =>
    Array.from(
      Map.groupBy(run.trials, ({ target }) => target),
      ([target, trials]): Line => {
        return { run, target, trials };
      },
    ),
  );
  if (lines.length === 0) return null;
  return (
    <Section title="What were its results?">
      <DataTable
        label="Results"
        columns={columns.filter(({ title }) => hasVersions || title !== 'Content')}
        rows={lines}
        keyOf={({ run, target }) => `${run.run} ${target}`}
      />
    </Section>
  );
}

const columns: readonly Column<Line>[] = [
  {
    title: 'Run',
    isName: true,
    cell: ({ run: { run, description } }) => (
      <Link to="/runs/$run" params={{ run }} data-row className="link whitespace-nowrap">
        <PlainText text={description ?? run} />
      </Link>
    ),
  },
  {
    title: 'Started',
    cell: ({ run: { createdAt } }) => (
      <span className="whitespace-nowrap text-quiet">
        <TimeText at={createdAt} />
      </span>
    ),
  },
  { title: 'Target', cell: ({ target }) => <PlainText text={target} /> },
  {
    title: 'Content',
    isOptional: true,
    cell: ({ run: { hash } }) => <span className="font-mono text-xs">{hash.slice(0, 12)}</span>,
  },
  {
    title: 'Attempts',
    cell: ({ run: { run }, trials }) => (
      <span className="flex flex-wrap gap-x-4">
        {trials.map(({ ordinal, result, total }) => (
          <Link
            key={ordinal}
            to="/runs/$run/cases/$ordinal"
            params={{ run, ordinal: String(ordinal) }}
            className="whitespace-nowrap hover:underline"
          >
            <OutcomeMark outcome={result} />
            {total !== null && <span className="text-quiet"> {formatPercent(total)}</span>}
          </Link>
        ))}
      </span>
    ),
  },
];
