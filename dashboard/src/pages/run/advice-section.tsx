import { Fragment } from 'react';
import type { Advice } from '../../../../src/look/report/advice.ts';
import { cellName } from '../../../../src/look/report/grid/cell-name.ts';
import { formatPlural } from '../../../../src/look/report/format.ts';
import type { RunView } from '../../../../src/core/schema/api/run-view.ts';
import { CaseLink } from '../../parts/links/cases-link.tsx';
import { PhraseText } from '../../parts/phrase-text.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { Section } from '../../parts/section.tsx';
import { nameQuestion } from '../../../../src/look/report/name-question.ts';
import { FailingQuestions } from './failing-questions.tsx';

/** The things to look at first: the questions that did not pass, the worst first, and what they have in common. */
export function AdviceSection({ view }: { readonly view: RunView }) {
  const { advice, failing } = view;
  const shown = advice.filter(({ items }) => items.length > 0);
  if (shown.length + failing.length === 0) return null;
  return (
    <Section title="What to look at first">
      <div className={failing.length === 0 ? '' : 'grid gap-x-12 gap-y-6 lg:grid-cols-[3fr_2fr]'}>
        {failing.length > 0 && <FailingQuestions view={view} />}
        <div className="min-w-0 space-y-2">
          {shown.map(({ target, items }) =>
            advice.length === 1 ? (
              <Items key={target} view={view} target={target} items={items} />
            ) : (
              <TargetAdvice key={target} view={view} target={target} items={items} />
            ),
          )}
        </div>
      </div>
    </Section>
  );
}

interface ItemsOptions {
  readonly view: RunView;
  readonly target: string;
  readonly items: readonly Advice[];
}

/** The advice on one of several targets: its first line, and the others on demand. */
function TargetAdvice({ view, target, items }: ItemsOptions) {
  const [first] = items;
  if (first === undefined) return null;
  return (
    <details>
      <summary className="cursor-pointer wrap-anywhere hover:text-accent">
        <PlainText text={cellName(view.run, target)} />
        {': '}
        <PhraseText phrase={first.title} />
        {items.length > 1 && (
          <span className="text-quiet">, and {formatPlural(items.length - 1, 'more hint')}</span>
        )}
      </summary>
      <div className="mt-2 mb-4 ml-4">
        <Items view={view} target={target} items={items} />
      </div>
    </details>
  );
}

function Items({ view, target, items }: ItemsOptions) {
  return (
    <ol className="space-y-4">
      {items.map((item, index) => (
        <li key={index} className="grid grid-cols-[1.5rem_1fr]">
          <span className="text-quiet">{index + 1}</span>
          <Item view={view} target={target} item={item} />
        </li>
      ))}
    </ol>
  );
}

interface ItemOptions extends Omit<ItemsOptions, 'items'> {
  readonly item: Advice;
}

function Item({ view: { run, questions }, target, item }: ItemOptions) {
  const { title, facts, hint, ids } = item;
  return (
    <div className="max-w-prose min-w-0">
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
        <p className="wrap-anywhere">
          <span className="text-quiet">Open first: </span>
          {ids.map((id, index) => (
            <Fragment key={id}>
              {index > 0 && ' · '}
              <CaseLink run={run.id} where={{ target, id }}>
                <PlainText text={nameQuestion(questions, id)} />
              </CaseLink>
            </Fragment>
          ))}
        </p>
      )}
    </div>
  );
}
