import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { formatCount, formatPlural } from '../../../../src/look/report/format.ts';
import type {
  CaseStability,
  DatasetView,
  StabilityKind,
} from '../../../../src/core/schema/api/dataset-view.ts';
import { useRowKeys } from '../../keys/use-row-keys.ts';
import { Button } from '../../parts/button.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { Section } from '../../parts/section.tsx';

/** The number of cases that are listed at first. */
const mostAtFirst = 15;

interface StabilitySectionOptions {
  /** The name of the dataset. */
  readonly name: string;
  readonly stability: DatasetView['stability'];
}

const words: Readonly<Record<StabilityKind, string>> = {
  'always-failed': 'always failed',
  flaky: 'flaky',
  differs: 'differs by target',
  'always-passed': 'always passed',
  unknown: 'not measured',
};

/** The cases that always failed, and those that sometimes passed: they are what a dataset is improved by. */
export function StabilitySection({ name, stability: { runs, counts, cases } }: StabilitySectionOptions) {
  const kinds = Object.entries(words).filter(([kind]) => counts[kind as StabilityKind] > 0);
  useRowKeys();
  const [isWhole, setWhole] = useState(false);
  const [only, setOnly] = useState<StabilityKind>();
  const listed = only === undefined ? cases : cases.filter(({ kind }) => kind === only);
  const shown = isWhole ? listed : listed.slice(0, mostAtFirst);
  const listable = counts['always-failed'] + counts.flaky + counts.differs;
  const columns: readonly Column<CaseStability>[] = [
    {
      title: 'Question',
      isName: true,
      cell: ({ id }) => (
        <Link to="/datasets/$name/cases/$id" params={{ name, id }} data-row className="link wrap-anywhere">
          <PlainText text={id} />
        </Link>
      ),
    },
    { title: 'Category', isOptional: true, cell: ({ category }) => <PlainText text={category} /> },
    { title: 'Result', cell: ({ kind }) => <Kind kind={kind} /> },
    {
      title: 'Passed',
      align: 'right',
      cell: ({ passed, failed }) => (
        <span className="whitespace-nowrap">
          {formatCount(passed)}
          <span className="text-quiet"> of {formatCount(passed + failed)}</span>
        </span>
      ),
    },
  ];
  if (runs === 0) return null;
  return (
    <Section
      title="Which questions say something?"
      note={`By their results in the last ${formatPlural(runs, 'completed run')}. A question that always passes may be too easy, one that always fails may be wrong; a flaky one passed and failed with the same target.`}
    >
      <dl className="mb-4 flex flex-wrap gap-x-10 gap-y-3">
        {kinds.map(([kind, word]) => (
          <div key={kind} className="flex flex-col-reverse">
            <dt className="text-quiet">{word}</dt>
            <dd className="text-2xl font-semibold">
              {cases.some((each) => each.kind === kind) ? (
                <button
                  type="button"
                  aria-pressed={only === kind}
                  title={only === kind ? 'Show all kinds' : `Show only: ${word}`}
                  onClick={() => setOnly(only === kind ? undefined : (kind as StabilityKind))}
                  className="min-w-[24px] text-left text-accent hover:underline aria-pressed:underline"
                >
                  {formatCount(counts[kind as StabilityKind])}
                </button>
              ) : (
                formatCount(counts[kind as StabilityKind])
              )}
            </dd>
          </div>
        ))}
      </dl>
      {cases.length > 0 && (
        <DataTable
          label="Questions that did not always pass"
          columns={columns}
          rows={shown}
          keyOf={({ id }) => id}
        />
      )}
      {shown.length < listed.length && (
        <div className="mt-3">
          <Button onClick={() => setWhole(true)}>Show {formatCount(listed.length)} questions</Button>
        </div>
      )}
      {isWhole && listable > cases.length && (
        <p className="mt-2 text-quiet">
          The first {formatCount(cases.length)} of {formatCount(listable)}.
        </p>
      )}
    </Section>
  );
}

function Kind({ kind }: Pick<CaseStability, 'kind'>) {
  const colour = kind === 'always-failed' ? 'text-bad' : kind === 'flaky' ? 'text-unsure' : '';
  return <span className={`whitespace-nowrap ${colour}`}>{words[kind]}</span>;
}
