import { Fragment } from 'react';
import type { Advice } from '../../../../src/look/report/advice.ts';
import type { RunView } from '../../../../src/core/schema/api/run-view.ts';
import { CaseLink } from '../../parts/links/cases-link.tsx';
import { PhraseText } from '../../parts/phrase-text.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { Section } from '../../parts/section.tsx';

interface AdviceSectionOptions {
  /** The id of the run. */
  readonly run: string;
  readonly advice: RunView['advice'];
}

/** The problems to look at first, the costliest first, each with the cases to open. */
export function AdviceSection({ run, advice }: AdviceSectionOptions) {
  const shown = advice.filter(({ items }) => items.length > 0);
  if (shown.length === 0) return null;
  return (
    <Section title="What to look at first">
      <div className="grid gap-x-12 gap-y-6 lg:grid-cols-2">
        {shown.map(({ target, items }) => (
          <div key={target}>
            {advice.length > 1 && (
              <h3 className="mb-2 font-medium">
                <PlainText text={target} />
              </h3>
            )}
            <ol className="space-y-4">
              {items.map((item, index) => (
                <li key={index} className="grid grid-cols-[1.5rem_1fr]">
                  <span className="text-quiet">{index + 1}</span>
                  <Item run={run} target={target} item={item} />
                </li>
              ))}
            </ol>
          </div>
        ))}
      </div>
    </Section>
  );
}

function Item({
  run,
  target,
  item,
}: {
  readonly run: string;
  readonly target: string;
  readonly item: Advice;
}) {
  const { title, facts, hint, ids } = item;
  return (
    <div className="max-w-prose">
      <p className="font-medium">
        <PhraseText phrase={title} />
      </p>
      {facts.map((fact, index) => (
        <p key={index}>
          <PhraseText phrase={fact} />
        </p>
      ))}
      {hint !== '' && <p className="text-quiet">{hint}</p>}
      {ids.length > 0 && (
        <p>
          <span className="text-quiet">Open first: </span>
          {ids.map((id, index) => (
            <Fragment key={id}>
              {index > 0 && ', '}
              <CaseLink run={run} where={{ target, id }}>
                <PlainText text={id} />
              </CaseLink>
            </Fragment>
          ))}
        </p>
      )}
    </div>
  );
}
