import { contradictionPhrase, countNote } from '../../../../src/look/report/disagreements.ts';
import { formatCount, formatPoints } from '../../../../src/look/report/format.ts';
import type { JudgeFlips, JudgeView } from '../../../../src/core/schema/api/judge-view.ts';
import { ContradictionCount } from '../../parts/links/contradiction-count.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { TrialLink } from '../../parts/filtered-cases.tsx';
import { PhraseText } from '../../parts/phrase-text.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { ScoreText } from '../../parts/score-text.tsx';
import { Section } from '../../parts/section.tsx';
import { SplitList } from './split-list.tsx';

/** The share of answers on which the judge contradicts itself, from repeated samples. */
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
  {
    title: 'Run',
    cell: ({ run }) => <PlainText text={run} className="whitespace-nowrap text-quiet" />,
  },
  { title: 'Flip rate', cell: ({ share }) => <ScoreText estimate={share} /> },
  { title: 'Answers', align: 'right', cell: ({ answers }) => formatCount(answers) },
  {
    title: 'Flipped answers',
    cell: ({ flipped, splits }) => <SplitList title={`${formatCount(flipped)} flipped`} splits={splits} />,
  },
];

/** The answers on which another metric contradicts the judge, by the kind of contradiction. */
export function ContradictionSection({ run, kinds }: NonNullable<JudgeView['disagreements']>) {
  return (
    <Section
      title="Where do other metrics contradict it?"
      note={
        <>
          Run <PlainText text={run} />. Counted are {countNote}; each answer leads to both verdicts and the
          reply of the judge.
        </>
      }
    >
      <ul className="divide-y divide-line border-y border-line">
        {kinds.map((kind) => (
          <li key={kind.kind} className="py-3">
            <h3>
              <span className="font-medium">
                <ContradictionCount run={run} of={kind} />
              </span>{' '}
              <PlainText text={kind.kind} className="text-unsure" />
              {': '}
              <PlainText text={kind.title} />
            </h3>
            <p className="text-quiet">
              <PlainText text={kind.reading} />
            </p>
            <ul className="mt-1 wrap-anywhere">
              {kind.widest.map((one) => (
                <li key={one.ordinal}>
                  <TrialLink run={run} ordinal={one.ordinal}>
                    <PhraseText phrase={contradictionPhrase(one, kind)} />
                  </TrialLink>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </Section>
  );
}
