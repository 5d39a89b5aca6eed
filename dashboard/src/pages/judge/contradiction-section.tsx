import { contradictionPhrase, countNote, countText } from '../../../../src/report/disagreements.ts';
import type { JudgeView } from '../../../../src/schema/api/judge-view.ts';
import { TrialLink } from '../../parts/filtered-cases.tsx';
import { PhraseText } from '../../parts/phrase-text.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { Section } from '../../parts/section.tsx';

/** The answers on which another metric contradicts the judge, by the kind of contradiction. */
export function ContradictionSection({ run, kinds }: NonNullable<JudgeView['disagreements']>) {
  return (
    <Section
      title="Where do other metrics contradict it?"
      note={
        <>
          In run <PlainText text={run} />: {countNote}. Each answer leads to both verdicts and the reply of
          the judge.
        </>
      }
    >
      <ul className="divide-y divide-line border-y border-line">
        {kinds.map((kind) => (
          <li key={kind.kind} className="py-3">
            <h3>
              <span className="font-medium">{countText(kind)}</span>{' '}
              <span className="text-unsure">
                <PlainText text={kind.kind} />
              </span>
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
