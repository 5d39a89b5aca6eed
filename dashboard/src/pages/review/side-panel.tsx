import type { RefObject } from 'react';
import type { ReviewTaskView } from '../../../../src/schema/api/review/view.ts';
import { Button } from '../../parts/button.tsx';
import { skipReasons } from './answers.ts';
import { RevealPanel } from './reveal-panel.tsx';
import { RubricPanel } from './rubric-panel.tsx';
import { giveValue, keepOrGo } from './use-review-keys.ts';
import type { SittingHandle } from './use-sitting.ts';

/** The options of {@link SidePanel}. */
interface SidePanelOptions {
  readonly view: ReviewTaskView;
  readonly handle: SittingHandle;
  readonly isQuick: boolean;
  readonly noteRef: RefObject<HTMLTextAreaElement | null>;
}

/** The column at the side: the questions, and what belongs to what is going on. */
export function SidePanel({ view, handle, isQuick, noteRef }: SidePanelOptions) {
  const { sitting, dispatch } = handle;
  const { phase, active } = sitting;
  const isCorrecting = phase.type === 'revealed' && phase.finding === 'own-error' && phase.isStored !== true;
  const isFixed = phase.type === 'sending' || (phase.type === 'revealed' && !isCorrecting);
  return (
    <div className="min-w-0 space-y-4 lg:sticky lg:top-16 lg:max-h-[calc(100vh-5rem)] lg:self-start lg:overflow-y-auto">
      {phase.type === 'revealed' && (
        <RevealPanel
          phase={phase}
          onWrong={() => dispatch({ type: 'entered', phase: { ...phase, finding: 'own-error' } })}
          onFinding={handle.correct}
          onNext={() => dispatch({ type: 'advanced' })}
        />
      )}
      {phase.type === 'skipping' && <SkipPanel handle={handle} />}
      {phase.type === 'marking' && (
        <p role="status" className="rounded-lg border border-line bg-surface px-4 py-3">
          Choose words with ← and →, more of them with Shift; Enter marks them.
        </p>
      )}
      {view.rubrics.map((rubric, index) => (
        <RubricPanel
          key={rubric.id}
          rubric={rubric}
          draft={sitting.drafts[index] ?? { value: undefined, note: '', spans: [] }}
          isActive={index === active}
          isFixed={isFixed}
          onValue={(value) => {
            if (typeof value === 'string' && rubric.scale.type === 'text')
              dispatch({ type: 'drafted', draft: { value }, index });
            else if (value !== undefined) giveValue({ handle, isQuick }, index, value);
          }}
          onNote={(text) => dispatch({ type: 'drafted', draft: { note: text }, index })}
          onKeep={() => (isCorrecting ? handle.correct('own-error') : keepOrGo({ handle }))}
          onFocus={() => index !== active && dispatch({ type: 'moved', step: index - active })}
          noteRef={index === active ? noteRef : undefined}
        />
      ))}
      {(phase.type === 'labelling' || phase.type === 'marking') && (
        <div className="flex flex-wrap gap-2">
          <Button look="main" onClick={() => keepOrGo({ handle })}>
            Keep
          </Button>
          <Button onClick={() => dispatch({ type: 'entered', phase: { type: 'skipping' } })}>Skip…</Button>
          <Button onClick={handle.undo}>Undo</Button>
          <Button onClick={handle.end}>End</Button>
        </div>
      )}
    </div>
  );
}

function SkipPanel({ handle }: { readonly handle: SittingHandle }) {
  return (
    <section aria-label="Skip" className="rounded-lg border border-line bg-surface px-4 py-3">
      <p className="font-medium">Why skip it?</p>
      <ul className="mt-2 space-y-1">
        {skipReasons.map(({ key, reason, label }) => (
          <li key={key}>
            <Button onClick={() => handle.skip(reason)}>
              <kbd className="font-mono text-xs text-quiet">{key}</kbd> {label}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
