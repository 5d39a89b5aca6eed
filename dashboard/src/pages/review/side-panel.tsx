import { type KeyboardEvent, type Ref, type RefObject, useId } from 'react';
import type { ReviewTaskView } from '../../../../src/core/schema/api/review/view.ts';
import type { Rubric } from '../../../../src/core/schema/review/rubric.ts';
import { Button } from '../../parts/button.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { Fold } from '../../parts/transcript/long-text.tsx';
import { optionsOf, skipReasons } from './answers.ts';
import { RevealPanel } from './reveal-panel.tsx';
import type { Draft } from './sitting.ts';
import { giveValue, keepOrGo } from './use-review-keys.ts';
import type { SittingHandle } from './use-sitting.ts';

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
  const keys = { handle, isQuick, rubrics: view.rubrics, focusNote: () => noteRef.current?.focus() };
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
            else if (value !== undefined) giveValue(keys, index, value);
          }}
          onNote={(text) => dispatch({ type: 'drafted', draft: { note: text }, index })}
          onKeep={() => (isCorrecting ? handle.correct('own-error') : keepOrGo(keys))}
          onFocus={() => index !== active && dispatch({ type: 'moved', step: index - active })}
          noteRef={index === active ? noteRef : undefined}
        />
      ))}
      {(phase.type === 'labelling' || phase.type === 'marking') && (
        <div className="flex flex-wrap gap-2">
          <Button look="main" onClick={() => keepOrGo(keys)}>
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

interface RubricPanelOptions {
  readonly rubric: Rubric;
  readonly draft: Draft;
  /** True for the rubric that keys answer. */
  readonly isActive: boolean;
  /** True while nothing can be changed. */
  readonly isFixed: boolean;
  readonly onValue: (value: Draft['value']) => void;
  readonly onNote: (note: string) => void;
  readonly onKeep: () => void;
  readonly onFocus: () => void;
  readonly noteRef: Ref<HTMLTextAreaElement> | undefined;
}

const field = 'mt-1 block w-full rounded-md border border-line bg-page px-2 py-1';

/** The question of a rubric with its values, its examples and the note of the reviewer. */
function RubricPanel(options: RubricPanelOptions) {
  const { rubric, draft, isActive, isFixed, onNote, onKeep, onFocus, noteRef } = options;
  const id = useId();
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.key === 'Escape') event.currentTarget.blur();
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    event.currentTarget.blur();
    onKeep();
  };
  return (
    <section
      aria-labelledby={id}
      aria-current={isActive ? 'step' : undefined}
      className={`rounded-lg border px-4 py-3 ${isActive ? 'border-accent' : 'border-line'}`}
      onFocus={onFocus}
    >
      <h2 id={id} className="font-semibold wrap-anywhere">
        <PlainText text={rubric.question} />
      </h2>
      <Values {...options} onKeyDown={onKeyDown} />
      <label className="mt-3 block text-xs text-quiet">
        Note
        <textarea
          ref={noteRef}
          rows={draft.note === '' ? 1 : 3}
          maxLength={10_000}
          value={draft.note}
          disabled={isFixed}
          onChange={({ target }) => onNote(target.value)}
          onKeyDown={onKeyDown}
          className={`${field} text-text`}
        />
      </label>
      {draft.spans.length > 0 && (
        <p className="mt-2 text-xs text-quiet wrap-anywhere">
          Evidence: <PlainText text={draft.spans.map(({ text }) => `“${text}”`).join(' · ')} />
        </p>
      )}
      <Examples rubric={rubric} />
    </section>
  );
}

interface ValuesOptions extends RubricPanelOptions {
  readonly onKeyDown: (event: KeyboardEvent<HTMLTextAreaElement>) => void;
}

function Values({ rubric, draft, isFixed, onValue, onKeyDown }: ValuesOptions) {
  return (
    <>
      {rubric.scale.type === 'text' && (
        <label className="mt-2 block text-xs text-quiet">
          Answer
          <textarea
            rows={3}
            maxLength={10_000}
            value={typeof draft.value === 'string' ? draft.value : ''}
            disabled={isFixed}
            onChange={({ target }) => onValue(target.value)}
            onKeyDown={onKeyDown}
            className={`${field} text-text`}
          />
        </label>
      )}
      <ul className="mt-2 space-y-1">
        {optionsOf(rubric).map(({ key, value, label }) => {
          const isChosen = draft.value === value;
          return (
            <li key={key}>
              <button
                type="button"
                aria-pressed={isChosen}
                disabled={isFixed}
                // A click leaves the focus where it is, so that Enter still keeps the label.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => onValue(value)}
                className={`flex w-full items-baseline gap-2 rounded-md border px-2 py-1 text-left ${isChosen ? 'border-accent bg-accent-soft' : 'border-line bg-page enabled:hover:bg-hover'}`}
              >
                <kbd className="min-w-4 text-center font-mono text-xs text-quiet">{key}</kbd>
                <PlainText text={label} className="min-w-0 wrap-anywhere" />
                {isChosen && (
                  <span aria-hidden className="ml-auto">
                    ✓
                  </span>
                )}
              </button>
            </li>
          );
        })}
      </ul>
    </>
  );
}

const exampleWords = { good: 'Good', bad: 'Bad', border: 'On the border' } as const;

function Examples({ rubric: { examples } }: { readonly rubric: Rubric }) {
  if (examples.length === 0) return null;
  return (
    <div className="mt-3">
      <Fold title={`Examples (${examples.length})`}>
        <ul className="space-y-2">
          {examples.map(({ type, answer, note }, index) => (
            <li key={index} className="wrap-anywhere whitespace-pre-wrap">
              <span className="font-medium">{exampleWords[type]}: </span>
              <PlainText text={answer} />
              {note !== undefined && (
                <span className="text-quiet">
                  {' – '}
                  <PlainText text={note} />
                </span>
              )}
            </li>
          ))}
        </ul>
      </Fold>
    </div>
  );
}
