import type { ComponentProps } from 'react';
import { formatPercent } from '../../../../src/look/report/format.ts';
import type { RevealedView } from '../../../../src/core/schema/api/review/card.ts';
import type { Verdict } from '../../../../src/core/schema/verdict.ts';
import { Button } from '../../parts/button.tsx';
import { ErrorPanel } from '../../parts/error-panel.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { wordsOfPair } from './answers.ts';
import { OtherLabels } from './item-view.tsx';
import type { Finding, Phase } from './sitting.ts';

interface RevealPanelOptions {
  readonly phase: Extract<Phase, { readonly type: 'revealed' }>;
  readonly onWrong: () => void;
  readonly onFinding: (finding: Finding) => void;
  readonly onNext: () => void;
}

/** The verdict of the judge and the labels of others, which are shown after the label, and the question who was wrong. */
export function RevealPanel({ phase, onWrong, onFinding, onNext }: RevealPanelOptions) {
  const { revealed, error, finding, isStored = false } = phase;
  return (
    <section aria-label="After the label" className="rounded-lg border border-line bg-surface px-4 py-3">
      <ErrorPanel error={error} />
      {revealed === undefined && error === undefined && <p className="text-quiet">Stored.</p>}
      {revealed !== undefined && <Revealed revealed={revealed} />}
      {finding === 'own-error' && !isStored && (
        <p role="status" className="mt-3">
          Choose the right answer, then press Enter.
        </p>
      )}
      {isStored && (
        <p role="status" className="mt-3 text-good">
          <span aria-hidden>✓ </span>
          Recorded.
        </p>
      )}
      <div className="mt-3 flex flex-wrap gap-2">
        {revealed !== undefined && !isStored && (
          <>
            {finding === 'own-error' ? (
              <Button onClick={() => onFinding('own-error')}>Keep the correction</Button>
            ) : (
              <Button onClick={onWrong}>
                I was wrong <Key name="w" />
              </Button>
            )}
            <Button onClick={() => onFinding('judge-wrong')}>
              Judge is wrong <Key name="j" />
            </Button>
            <Button onClick={() => onFinding('rubric-unclear')}>
              Rubric is unclear <Key name="r" />
            </Button>
          </>
        )}
        <Button look="main" onClick={onNext}>
          Go on
        </Button>
      </div>
    </section>
  );
}

function Key({ name }: { readonly name: string }) {
  return <kbd className="font-mono text-xs text-quiet">{name}</kbd>;
}

function Revealed({ revealed }: { readonly revealed: RevealedView }) {
  const { target, total, verdicts, others, pair } = revealed;
  if (pair !== undefined) return <RevealedPair pair={pair} others={others} />;
  return (
    <dl className="space-y-2">
      {verdicts.map(({ rubric, verdict }) => (
        <div key={rubric}>
          <dt className="text-xs text-quiet">
            The judge on <PlainText text={rubric} />
          </dt>
          <dd className="wrap-anywhere">
            <JudgeSays verdict={verdict} />
          </dd>
        </div>
      ))}
      <Others others={others} />
      <div>
        <dt className="text-xs text-quiet">Target and score</dt>
        <dd className="wrap-anywhere">
          <PlainText text={target} /> · {total === null ? 'no score' : formatPercent(total)}
        </dd>
      </div>
    </dl>
  );
}

/** The targets of a pair by their sides, what judges say of it, and the labels of others. */
function RevealedPair({
  pair: { first, second, judges },
  others,
}: {
  readonly pair: NonNullable<RevealedView['pair']>;
  readonly others: RevealedView['others'];
}) {
  return (
    <dl className="space-y-2">
      <div>
        <dt className="text-xs text-quiet">First and second answer</dt>
        <dd className="wrap-anywhere">
          <PlainText text={first} /> · <PlainText text={second} />
        </dd>
      </div>
      {judges.length === 0 && (
        <div>
          <dt className="text-xs text-quiet">The judge</dt>
          <dd className="text-quiet">has not compared these answers</dd>
        </div>
      )}
      {judges.map(({ judge, preference, isConsistent, reasons }, index) => (
        <div key={index}>
          <dt className="text-xs text-quiet">
            The judge <PlainText text={judge} />
          </dt>
          <dd className="wrap-anywhere">
            <span className="font-medium">{wordsOfPair(preference)}</span>
            {!isConsistent && (
              <span className="text-unsure"> since the two orders had different results</span>
            )}
            {reasons.map((reason, place) => (
              <p key={place} className="whitespace-pre-wrap">
                <PlainText text={reason} />
              </p>
            ))}
          </dd>
        </div>
      ))}
      <Others others={others} isPair />
    </dl>
  );
}

/** The labels of others in the list of what is revealed. */
function Others(options: ComponentProps<typeof OtherLabels>) {
  return (
    <div>
      <dt className="text-xs text-quiet">Others</dt>
      <dd>
        {options.others.length === 0 ? (
          <span className="text-quiet">no labels yet</span>
        ) : (
          <OtherLabels {...options} />
        )}
      </dd>
    </div>
  );
}

function JudgeSays({ verdict }: { readonly verdict: Verdict | undefined }) {
  if (verdict === undefined) return <span className="text-quiet">no verdict</span>;
  if (verdict.status !== 'scored') {
    return (
      <span className="text-unsure">
        {verdict.status === 'failed' ? 'failed' : 'not applicable'}: <PlainText text={verdict.reason} />
      </span>
    );
  }
  const { passed, value, explanation } = verdict;
  return (
    <>
      <span className="font-medium">
        {passed === undefined ? '' : passed ? '✓ passed' : '✗ failed'} {value}
      </span>
      {explanation !== undefined && (
        <p className="whitespace-pre-wrap">
          <PlainText text={explanation} />
        </p>
      )}
    </>
  );
}
