import { formatCount, formatPoints } from '../../../../src/report/format.ts';
import type { JudgeFlips, JudgeView } from '../../../../src/schema/api/judge-view.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { ScoreText } from '../../parts/score-text.tsx';
import { Section } from '../../parts/section.tsx';
import { SplitList } from './split-list.tsx';

/** How often the judge contradicts itself on the same answer, from repeated samples. */
export function RepeatSection({ view: { flips, noise } }: { readonly view: JudgeView }) {
  return (
    <Section
      title="Does it agree with itself?"
      note={
        flips.length === 0
          ? undefined
          : 'Answers that were judged several times: how often the samples are not all the same.'
      }
    >
      {flips.length === 0 ? (
        <p className="max-w-3xl text-quiet">
          Each answer was judged once. With{' '}
          <code className="font-mono whitespace-nowrap">judgeSamples: 3</code> in the config, each is judged
          three times.
        </p>
      ) : (
        <DataTable
          label="Flips of repeated samples"
          columns={columns}
          rows={flips}
          keyOf={({ run, metric }) => `${run} ${metric}`}
        />
      )}
      {noise.map(({ run, target, measure: { name, judge } }) => (
        <p key={`${run} ${target} ${name}`} className="mt-2 text-quiet">
          <PlainText text={`${name}, ${target}`} />
          {`: from sample to sample the value varies by ${formatPoints(Math.sqrt(judge.variance ?? 0))} points (standard deviation).`}
        </p>
      ))}
    </Section>
  );
}

const columns: readonly Column<JudgeFlips>[] = [
  { title: 'Metric', isName: true, cell: ({ metric }) => <PlainText text={metric} /> },
  { title: 'Run', cell: ({ run }) => <PlainText text={run} /> },
  { title: 'Flip rate', cell: ({ share }) => <ScoreText estimate={share} /> },
  { title: 'Answers', align: 'right', cell: ({ answers }) => formatCount(answers) },
  {
    title: 'Flipped answers',
    cell: ({ flipped, splits }) => <SplitList title={`${formatCount(flipped)} flipped`} splits={splits} />,
  },
];
