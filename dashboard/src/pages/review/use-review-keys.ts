import { type KeyBinding, useKeys } from '../../keys/use-keys.ts';
import type { Rubric } from '../../../../src/core/schema/review/rubric.ts';
import { firstWithoutNote, optionsOf, skipReasons } from './answers.ts';
import { moveChoice, spanOf, toggleSpan, wordsOf, type WordChoice } from './marking.ts';
import { firstOpen, type Phase } from './sitting.ts';
import type { SittingHandle } from './use-sitting.ts';

/** The parts of a page that keys act on. */
export interface ReviewKeys {
  readonly handle: SittingHandle;
  readonly rubrics: readonly Rubric[];
  /** True to go on as soon as every rubric has an answer. */
  readonly isQuick: boolean;
  /** The words of the answer that can be marked; undefined where there are none. */
  readonly answer: string | undefined;
  readonly focusNote: () => void;
}

/** Binds the keys for what is going on; the help lists them. */
export function useReviewKeys(keys: ReviewKeys): void {
  const { sitting } = keys.handle;
  const isEmpty = sitting.queue.length === 0;
  useKeys(
    isEmpty && sitting.phase.type === 'labelling' ? keysWithoutItems(keys) : keysOf(sitting.phase, keys),
  );
}

function keysOf(phase: Phase, keys: ReviewKeys): KeyBinding[] {
  switch (phase.type) {
    case 'labelling':
      return labellingKeys(keys);
    case 'skipping':
      return skippingKeys(keys);
    case 'marking':
      return markingKeys(keys, phase.choice);
    case 'sending':
      return sendingKeys(keys, phase);
    case 'revealed':
      return revealedKeys(keys, phase);
    case 'ended':
      return [{ keys: 'Enter', does: 'Go on', run: () => enter(keys, { type: 'labelling' }) }];
  }
}

function enter({ handle }: ReviewKeys, phase: Phase): void {
  handle.dispatch({ type: 'entered', phase });
}

const undoKey = ({ handle }: ReviewKeys): KeyBinding => ({
  keys: 'u',
  does: 'Undo the last label',
  run: handle.undo,
});

const endKey = ({ handle }: ReviewKeys): KeyBinding => ({
  keys: 'Escape',
  does: 'End the sitting; every label is already stored',
  run: handle.end,
});

function keysWithoutItems(keys: ReviewKeys): KeyBinding[] {
  return [{ keys: 'Enter', does: 'Look for items again', run: keys.handle.refill }, undoKey(keys)];
}

function labellingKeys(keys: ReviewKeys): KeyBinding[] {
  const { answer, focusNote } = keys;
  return [
    ...valueKeys(keys),
    ...moveKeys(keys),
    { keys: 'Enter', does: 'Keep and go on', run: () => keepOrGo(keys) },
    { keys: 'Shift-Enter', does: 'Write a note; Enter keeps both', run: focusNote },
    { keys: 's', does: 'Skip the item, with a reason', run: () => enter(keys, { type: 'skipping' }) },
    undoKey(keys),
    ...(answer === undefined
      ? []
      : [
          {
            keys: 'm',
            does: 'Mark words of the answer as evidence',
            run: () => enter(keys, { type: 'marking', choice: { anchor: 0, focus: 0 } }),
          },
        ]),
    endKey(keys),
  ];
}

/** Returns the keys that give the active rubric a value. */
function valueKeys(keys: ReviewKeys): KeyBinding[] {
  const { handle, rubrics } = keys;
  const rubric = rubrics[handle.sitting.active];
  if (rubric === undefined) return [];
  const isPair = rubric.scale.type === 'pair';
  return optionsOf(rubric).flatMap(({ key, value, label }) => {
    const binding = {
      keys: key,
      does: isPair ? label.replace(/[←→]/u, '').trim() : wordsOfKey(key),
      run: () => giveValue(keys, handle.sitting.active, value),
    };
    const arrow = isPair ? arrows[key] : undefined;
    return arrow === undefined ? [binding] : [binding, { ...binding, keys: arrow }];
  });
}

/** The keys that stand for the sides of a pair, besides its digits. */
const arrows: Readonly<Record<string, string>> = { '1': 'ArrowLeft', '2': 'ArrowRight' };

/** Says what a key of a value does; the words of the rubric stand next to the keys on the page. */
function wordsOfKey(key: string): string {
  if (key === 'y' || key === 'n') return key === 'y' ? 'Yes' : 'No';
  return key === '0' ? 'Not applicable' : `Answer ${key}`;
}

/** Gives a rubric a value; then goes on to the next one without, or, where the reviewer chose so, to the next item. */
export function giveValue(
  { handle, isQuick, rubrics, focusNote }: Pick<ReviewKeys, 'handle' | 'isQuick' | 'rubrics' | 'focusNote'>,
  index: number,
  value: ReturnType<typeof optionsOf>[number]['value'],
): void {
  const { sitting, dispatch, keep } = handle;
  const drafts = sitting.drafts.map((draft, each) => (each === index ? { ...draft, value } : draft));
  dispatch({ type: 'drafted', draft: { value }, index });
  if (sitting.phase.type === 'revealed') return;
  const open = firstOpen({ drafts });
  if (firstWithoutNote(drafts, rubrics) === index) focusNote();
  else if (open === -1 && isQuick) keep(drafts);
  else if (open !== -1) dispatch({ type: 'moved', step: open - sitting.active });
}

/** Keeps the answers; goes to the first rubric without one, or without the note that it needs, where there is one. */
export function keepOrGo({
  handle,
  rubrics,
  focusNote,
}: Pick<ReviewKeys, 'handle' | 'rubrics' | 'focusNote'>): void {
  const { sitting, dispatch, keep } = handle;
  const open = firstOpen(sitting);
  const unnoted = firstWithoutNote(sitting.drafts, rubrics);
  if (open === -1 && unnoted === -1) keep();
  else if (unnoted === sitting.active) focusNote();
  else dispatch({ type: 'moved', step: (open === -1 ? unnoted : open) - sitting.active });
}

function moveKeys({ handle, rubrics }: ReviewKeys): KeyBinding[] {
  if (rubrics.length === 1) return [];
  const move = (step: number) => () => handle.dispatch({ type: 'moved', step });
  return [
    { keys: 'ArrowDown', does: 'Go to the next question', run: move(1) },
    { keys: 'ArrowUp', does: 'Go to the previous question', run: move(-1) },
  ];
}

function skippingKeys(keys: ReviewKeys): KeyBinding[] {
  return [
    ...skipReasons.map(({ key, reason, label }) => ({
      keys: key,
      does: `Skip: ${label}`,
      run: () => keys.handle.skip(reason),
    })),
    { keys: 'Escape', does: 'Do not skip', run: () => enter(keys, { type: 'labelling' }) },
  ];
}

/** The words that the keys of a line jump over. */
const lineOfWords = 10;

function markingKeys(keys: ReviewKeys, choice: WordChoice): KeyBinding[] {
  const { handle, answer = '' } = keys;
  const words = wordsOf(answer).length;
  const move = (step: number, isExtended: boolean) => () =>
    enter(keys, { type: 'marking', choice: moveChoice(choice, { step, isExtended, words }) });
  const mark = (): void => {
    const span = spanOf(answer, choice);
    const { spans = [] } = handle.sitting.drafts[handle.sitting.active] ?? {};
    if (span !== undefined)
      handle.dispatch({ type: 'drafted', draft: { spans: toggleSpan(answer, spans, span) } });
    enter(keys, { type: 'labelling' });
  };
  return [
    { keys: 'ArrowRight', does: 'Choose the next word', run: move(1, false) },
    { keys: 'ArrowLeft', does: 'Choose the previous word', run: move(-1, false) },
    { keys: 'ArrowDown', does: 'Go ten words on', run: move(lineOfWords, false) },
    { keys: 'ArrowUp', does: 'Go ten words back', run: move(-lineOfWords, false) },
    { keys: 'Shift-ArrowRight', does: 'Choose one more word', run: move(1, true) },
    { keys: 'Shift-ArrowLeft', does: 'Choose one word less', run: move(-1, true) },
    { keys: 'Enter', does: 'Mark the chosen words, or no longer', run: mark },
    { keys: 'm', does: 'Mark the chosen words, or no longer', run: mark },
    { keys: 'Escape', does: 'Mark nothing', run: () => enter(keys, { type: 'labelling' }) },
  ];
}

function sendingKeys(
  { handle }: ReviewKeys,
  { failure }: Extract<Phase, { readonly type: 'sending' }>,
): KeyBinding[] {
  if (failure?.isFinal !== true) return [];
  return [
    { keys: 'Enter', does: 'Go on without this label', run: () => handle.dispatch({ type: 'dropped' }) },
  ];
}

function revealedKeys(
  keys: ReviewKeys,
  { finding, isStored, revealed }: Extract<Phase, { readonly type: 'revealed' }>,
): KeyBinding[] {
  const { handle } = keys;
  const next: KeyBinding = { keys: 'Enter', does: 'Go on', run: () => handle.dispatch({ type: 'advanced' }) };
  if (revealed === undefined || isStored === true) return [next, undoKey(keys), endKey(keys)];
  if (finding === 'own-error') {
    return [
      ...valueKeys(keys),
      { keys: 'Enter', does: 'Keep the corrected answer', run: () => handle.correct('own-error') },
      { keys: 'Escape', does: 'Correct nothing', run: () => enter(keys, { type: 'revealed', revealed }) },
    ];
  }
  return [
    next,
    ...moveKeys(keys),
    {
      keys: 'w',
      does: 'I was wrong: correct the answer',
      run: () => enter(keys, { type: 'revealed', revealed, finding: 'own-error' }),
    },
    { keys: 'j', does: 'The judge is wrong', run: () => handle.correct('judge-wrong') },
    { keys: 'r', does: 'The rubric is unclear', run: () => handle.correct('rubric-unclear') },
    undoKey(keys),
    endKey(keys),
  ];
}
