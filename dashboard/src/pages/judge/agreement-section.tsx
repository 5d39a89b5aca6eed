import { Link } from '@tanstack/react-router';
import { formatCount } from '../../../../src/look/report/format.ts';
import type { JudgeAgreement } from '../../../../src/core/schema/api/judge-view.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { ScoreText } from '../../parts/score-text.tsx';
import { Section } from '../../parts/section.tsx';
import { SplitList } from './split-list.tsx';

/** The agreement with other judges that judged the same answers. */
export function AgreementSection({ agreements }: { readonly agreements: readonly JudgeAgreement[] }) {
  return (
    <Section
      title="Does another judge agree?"
      note={
        agreements.length === 0
          ? undefined
          : 'Answers on which both said yes or no. Agreement by chance is included: two judges that nearly always say yes agree often. Next to a differing answer is the verdict of this judge.'
      }
    >
      {agreements.length === 0 ? (
        <p className="max-w-3xl text-quiet">
          No other judge gave verdicts on the same answers. Name another model under{' '}
          <code className="font-mono">judge</code> in the config, and score the answers again with{' '}
          <code className="font-mono whitespace-nowrap">touchstone rescore RUN</code>.
        </p>
      ) : (
        <DataTable
          label="Agreement with other judges"
          columns={columns}
          rows={agreements}
          keyOf={({ own, other }) => [own.run, own.metric, other.run, other.metric].join(' ')}
        />
      )}
    </Section>
  );
}

const columns: readonly Column<JudgeAgreement>[] = [
  {
    title: 'Other judge',
    isName: true,
    cell: ({ other: { judge } }) => (
      <Link to="/judges/$judge" params={{ judge: judge.fingerprint }} className="link">
        <PlainText text={judge.name} className="inline-block min-w-28 wrap-anywhere" />
      </Link>
    ),
  },
  {
    title: 'Metric',
    cell: ({ own, other }) => (
      <PlainText text={own.metric === other.metric ? own.metric : `${own.metric}, ${other.metric}`} />
    ),
  },
  {
    title: 'Runs',
    isOptional: true,
    cell: ({ own, other }) => (
      <PlainText text={own.run === other.run ? own.run : `${own.run}, ${other.run}`} className="text-quiet" />
    ),
  },
  { title: 'Agreement', cell: ({ share }) => <ScoreText estimate={share} /> },
  {
    title: 'Pairs',
    align: 'right',
    cell: ({ pairs, graded }) => (
      <span className="whitespace-nowrap">
        {formatCount(pairs)}
        {graded > 0 && <span className="text-quiet">{`, ${formatCount(graded)} graded not counted`}</span>}
      </span>
    ),
  },
  {
    title: 'Differing answers',
    cell: ({ pairs, alike, splits }) => (
      <SplitList title={`${formatCount(pairs - alike)} differ`} splits={splits} />
    ),
  },
];
