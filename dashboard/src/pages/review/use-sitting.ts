import { useEffect, useEffectEvent, useReducer, useRef, useState } from 'react';
import {
  revealedSchema,
  reviewCardsSchema,
  storedSchema,
  undoneSchema,
} from '../../../../src/core/schema/api/review/card.ts';
import type { SkipReason } from '../../../../src/core/schema/review/label.ts';
import type { Rubric } from '../../../../src/core/schema/review/rubric.ts';
import { type DataSource, useData } from '../../data/data-source.ts';
import { reviewPath } from '../../data/people/use-review.ts';
import { readUnsent, sendLabel } from './send-label.ts';
import {
  beginSitting,
  continueSitting,
  type Draft,
  type Finding,
  itemsAhead,
  type Outgoing,
  type Sitting,
  type SittingEvent,
} from './sitting.ts';

/** The person, the task and the choices of a sitting. */
export interface SittingChoices {
  readonly task: string;
  readonly rubrics: readonly Rubric[];
  readonly person: string;
  readonly role: 'reviewer' | 'adjudicator';
  /** True to show the verdict of the judge after each label. */
  readonly isRevealed: boolean;
}

/** A sitting with what can be done in it. */
export interface SittingHandle {
  readonly sitting: Sitting;
  readonly dispatch: (event: SittingEvent) => void;
  /** Why there are no items, or why something else than a label could not be done. */
  readonly error: unknown;
  /** Sends the answers to the rubrics, each of which must have a value. */
  readonly keep: (drafts?: Sitting['drafts']) => void;
  readonly skip: (reason: SkipReason) => void;
  readonly undo: () => void;
  readonly correct: (finding: Finding) => void;
  readonly end: () => void;
  /** Asks for items again. */
  readonly refill: () => void;
}

/** The pause after which a person without items asks again, in milliseconds: others may have given some back. */
const lookAgainMs = 15_000;
/** The pause after which items are asked for again when the server could not give any. */
const tryAgainMs = 2_000;

/** The parts that the functions of a sitting share. */
interface SittingParts {
  readonly choices: SittingChoices;
  readonly sitting: Sitting;
  readonly dispatch: (event: SittingEvent) => void;
  /** Sends a request about the task. */
  readonly post: (route: string, body: object) => Promise<unknown>;
}

/** Runs a sitting: loads items ahead, sends what the person says, and goes on once that is stored. */
export function useSitting(choices: SittingChoices): SittingHandle {
  const { task, rubrics, person } = choices;
  const source = useData();
  const [sitting, dispatch] = useReducer(continueSitting, rubrics, (all) =>
    beginSitting(all, { now: Date.now(), unsent: readUnsent(task, person) }),
  );
  const [error, setError] = useState<unknown>();
  const post = async (route: string, body: object): Promise<unknown> =>
    await source.send?.('POST', `${reviewPath(task)}/${route}`, body);
  const parts: SittingParts = { choices, sitting, dispatch, post };
  const fill = useFill(parts, setError);
  useFilling(sitting, error, fill);
  const send = useSend(parts, source);
  useUnsent(sitting, send);
  const headOf = useHead(parts);
  // An undo without a reply may have been done, so it is sent again under the same id until a reply comes.
  const undoId = useRef<string>(undefined);
  return {
    sitting,
    dispatch,
    error,
    keep: (drafts = sitting.drafts) => {
      const head = headOf();
      undoId.current = undefined;
      const labels = rubrics.map((rubric, index) => answerOf(rubric, drafts[index]));
      if (head !== undefined) send({ path: 'labels', body: { ...head, labels } });
    },
    skip: (reason) => {
      const head = headOf();
      undoId.current = undefined;
      const note = sitting.drafts[sitting.active]?.note.trim() ?? '';
      if (head !== undefined)
        send({ path: 'skips', body: { ...head, reason, ...(note !== '' && { note }) } });
    },
    undo: () => {
      undoId.current ??= crypto.randomUUID();
      undoLast(parts, undoId.current).then(() => {
        undoId.current = undefined;
        setError(undefined);
      }, setError);
    },
    correct: (finding) => void correctLabel(parts, finding),
    end: () => {
      dispatch({ type: 'entered', phase: { type: 'ended' } });
      post('release', { person }).catch(() => {
        // Reservations end by themselves.
      });
    },
    refill: fill,
  };
}

/** Returns a function that asks for items, one request at a time. */
function useFill(
  { choices: { person, role }, dispatch, post }: SittingParts,
  setError: (error: unknown) => void,
): () => void {
  const state = useRef({ isActive: false, isAsked: false });
  const fill = async (): Promise<void> => {
    state.current.isAsked = true;
    if (state.current.isActive) return;
    state.current = { isActive: true, isAsked: false };
    try {
      const next = await post('next', { person, role, count: itemsAhead + 1 });
      dispatch({ type: 'filled', ...reviewCardsSchema.parse(next) });
      setError(undefined);
    } catch (failure) {
      setError(failure);
    }
    state.current.isActive = false;
    // An item was labelled meanwhile.
    if (state.current.isAsked) await fill();
  };
  return () => void fill();
}

/** Returns a function that sends a label until it is stored, and then shows what may be seen after it. */
function useSend(
  { choices: { task, person, isRevealed }, dispatch, post }: SittingParts,
  source: DataSource,
): (outgoing: Outgoing) => void {
  const signal = useAbort();
  const send = async (outgoing: Outgoing): Promise<void> => {
    dispatch({ type: 'entered', phase: { type: 'sending', outgoing } });
    const result = await sendLabel(source, task, outgoing, {
      signal: signal(),
      onFailure: (failure) => dispatch({ type: 'entered', phase: { type: 'sending', outgoing, failure } }),
    });
    if (result !== 'stored') return;
    const mayReveal = isRevealed && outgoing.path === 'labels';
    dispatch({ type: 'kept', outgoing, now: Date.now(), isRevealed: mayReveal });
    if (!mayReveal) return;
    const { item } = outgoing.body;
    try {
      const revealed = revealedSchema.parse(await post('reveal', { person, item }));
      dispatch({ type: 'revealed', item, revealed });
    } catch (error) {
      dispatch({ type: 'revealed', item, error });
    }
  };
  return (outgoing) => void send(outgoing);
}

/** Returns a function that describes the answer to the item on the screen; undefined where there is none. */
function useHead({ choices: { person }, sitting }: SittingParts) {
  const shownAt = useShownAt(sitting);
  return () => {
    const [card] = sitting.queue;
    if (card === undefined) return undefined;
    const { item, purpose, turn } = card;
    const seconds = Math.min(86_400, Math.round((performance.now() - shownAt.current) / 100) / 10);
    return {
      person,
      item,
      purpose,
      id: crypto.randomUUID(),
      seconds,
      order: sitting.order + 1,
      turn,
    };
  };
}

/** Undoes what was said last, and brings its item back to the screen. */
async function undoLast(
  { choices: { person, role }, sitting, dispatch, post }: SittingParts,
  id: string,
): Promise<void> {
  const isShown = sitting.phase.type === 'revealed';
  const last = isShown ? sitting.queue[0]?.item : sitting.past.at(-1)?.card.item;
  const request = { person, role, id, item: last };
  const { item } = undoneSchema.parse(await post('undo', request));
  if (item === null) return;
  const count = sitting.queue.length + itemsAhead;
  const { cards } = reviewCardsSchema.parse(await post('next', { person, role, count }));
  dispatch({ type: 'undone', item, card: cards.find((each) => each.item === item) });
}

/** Stores what the person concludes about the item on the screen. */
async function correctLabel(
  { choices, sitting, dispatch, post }: SittingParts,
  finding: Finding,
): Promise<void> {
  const [card] = sitting.queue;
  const rubric = choices.rubrics[sitting.active];
  if (card === undefined || rubric === undefined) return;
  const { item } = card;
  const label = answerOf(rubric, sitting.drafts[sitting.active]);
  const body = { person: choices.person, item, id: crypto.randomUUID(), label, finding };
  try {
    storedSchema.parse(await post('corrections', body));
    dispatch({ type: 'corrected', item, finding });
  } catch (error) {
    dispatch({ type: 'corrected', item, error });
  }
}

function answerOf({ id }: Rubric, draft: Partial<Draft> = {}) {
  const { value = null, note = '', spans = [] } = draft;
  return {
    rubric: id,
    value: typeof value === 'string' ? value.trim() : value,
    ...(note.trim() !== '' && { note: note.trim() }),
    ...(spans.length > 0 && { spans: [...spans] }),
  };
}

/** Asks for items when there are fewer than wanted; for a person without any, again after a while. */
function useFilling({ queue, isExhausted, phase, order }: Sitting, error: unknown, fill: () => void): void {
  const isEmpty = queue.length === 0;
  const isIdle = phase.type === 'ended' || (phase.type === 'sending' && isEmpty);
  const isFull = isExhausted || queue.length > itemsAhead;
  const pauseMs = error === undefined ? lookAgainMs : tryAgainMs;
  const ask = useEffectEvent(fill);
  useEffect(() => {
    // At the beginning, and after each item.
    if (!isIdle && !isFull) ask();
  }, [isIdle, isFull, order]);
  useEffect(() => {
    if (isIdle || !isEmpty) return;
    const timer = setInterval(() => ask(), pauseMs);
    return () => clearInterval(timer);
  }, [isIdle, isEmpty, pauseMs]);
}

/** Returns a function that gives the signal which ends when the page is left. */
function useAbort(): () => AbortSignal {
  const controller = useRef<AbortController>(undefined);
  useEffect(() => {
    controller.current = new AbortController();
    return () => controller.current?.abort();
  }, []);
  return () => (controller.current ??= new AbortController()).signal;
}

/** Sends what was not stored when the page was closed the last time. */
function useUnsent({ phase }: Sitting, send: (outgoing: Outgoing) => void): void {
  const sendUnsent = useEffectEvent(() => {
    if (phase.type === 'sending') send(phase.outgoing);
  });
  useEffect(() => sendUnsent(), []);
}

/** Returns when the item on the screen was shown, in milliseconds of `performance.now()`. */
function useShownAt({ queue }: Sitting) {
  const shownAt = useRef(0);
  const [card] = queue;
  const key = card && `${card.item} ${card.purpose}`;
  useEffect(() => {
    if (key !== undefined) shownAt.current = performance.now();
  }, [key]);
  return shownAt;
}
