import type { ReviewCardView, RevealedView } from '../../../../src/core/schema/api/review/card.ts';
import type {
  CorrectionRequest,
  LabelsRequest,
  SkipRequest,
} from '../../../../src/core/schema/api/review/request.ts';
import type { LabelValue } from '../../../../src/core/schema/review/label.ts';
import type { Rubric } from '../../../../src/core/schema/review/rubric.ts';
import type { Span, WordChoice } from './marking.ts';

/** The answer to one rubric while it is being given: its value, null for "not applicable", undefined before a choice. */
export interface Draft {
  readonly value: LabelValue | null | undefined;
  readonly note: string;
  readonly spans: readonly Span[];
}

/** A label or a skip, as it is sent. */
export type Outgoing =
  | { readonly path: 'labels'; readonly body: LabelsRequest }
  | { readonly path: 'skips'; readonly body: SkipRequest };

/** Why something could not be stored. It is sent again by itself unless the failure is final. */
export interface SendFailure {
  readonly error: unknown;
  readonly isFinal: boolean;
}

/** The finding of a person about what was shown after the label. */
export type Finding = CorrectionRequest['finding'];

/** The step at which the item on the screen is. */
export type Phase =
  | { readonly type: 'labelling' | 'skipping' | 'ended' }
  | { readonly type: 'marking'; readonly choice: WordChoice }
  | { readonly type: 'sending'; readonly outgoing: Outgoing; readonly failure?: SendFailure }
  | {
      readonly type: 'revealed';
      /** Undefined until it is there. */
      readonly revealed?: RevealedView;
      readonly error?: unknown;
      /** The finding that is stored, or that is being given. */
      readonly finding?: Finding;
      readonly isStored?: boolean;
    };

/** An item that was labelled or skipped. */
interface PastItem {
  readonly card: ReviewCardView;
  readonly isLabelled: boolean;
}

/** A sitting of one person on one task. */
export interface Sitting {
  /** The item on the screen, and those that are loaded ahead. */
  readonly queue: readonly ReviewCardView[];
  /** The items that were labelled or skipped in this sitting, the last one last. */
  readonly past: readonly PastItem[];
  /** True when the server had no more items to give. */
  readonly isExhausted: boolean;
  /** Items whose answers are no longer in the store. */
  readonly gone: number;
  /** By rubric, in the order of the task. */
  readonly drafts: readonly Draft[];
  /** The index of the rubric that keys answer. */
  readonly active: number;
  readonly phase: Phase;
  /** The number of items that were saved as labelled; for the order of labels, of all that were saved. */
  readonly labelled: number;
  readonly order: number;
  /** The beginning of the work without a long break, and the last label; milliseconds since 1970. */
  readonly startedAt: number;
  readonly lastAt: number;
}

/** The number of items that are loaded ahead of the one on the screen. */
export const itemsAhead = 3;
/** The time without a label after which a sitting has ended, and the length of one that is too long; in milliseconds. */
const breakMs = 600_000;
const longMs = 5_400_000;

/**
 * Returns a sitting that begins.
 * @param unsent - What was not stored when the page was closed; it is sent before anything else.
 */
export function beginSitting(
  rubrics: readonly Rubric[],
  { now, unsent }: { readonly now: number; readonly unsent: Outgoing | undefined },
): Sitting {
  return {
    queue: [],
    past: [],
    isExhausted: false,
    gone: 0,
    drafts: emptyDrafts(rubrics.length),
    active: 0,
    phase: unsent === undefined ? { type: 'labelling' } : { type: 'sending', outgoing: unsent },
    labelled: 0,
    order: 0,
    startedAt: now,
    lastAt: now,
  };
}

/** Everything that can happen in a sitting. */
export type SittingEvent =
  | {
      readonly type: 'filled';
      readonly cards: readonly ReviewCardView[];
      readonly gone: number;
      readonly hasMore: boolean;
    }
  | { readonly type: 'drafted'; readonly draft: Partial<Draft>; readonly index?: number }
  | { readonly type: 'moved'; readonly step: number }
  | { readonly type: 'entered'; readonly phase: Phase }
  | { readonly type: 'kept'; readonly outgoing: Outgoing; readonly now: number; readonly isRevealed: boolean }
  | {
      readonly type: 'revealed';
      readonly item: number;
      readonly revealed?: RevealedView;
      readonly error?: unknown;
    }
  | {
      readonly type: 'corrected';
      readonly item: number;
      readonly finding?: Finding;
      readonly error?: unknown;
    }
  | { readonly type: 'advanced' }
  | { readonly type: 'dropped' }
  | { readonly type: 'undone'; readonly item: number; readonly card: ReviewCardView | undefined };

/** Returns the sitting after an event. */
export function continueSitting(sitting: Sitting, event: SittingEvent): Sitting {
  switch (event.type) {
    case 'filled':
      return fill(sitting, event);
    case 'drafted':
      return {
        ...sitting,
        drafts: sitting.drafts.map((draft, index) =>
          index === (event.index ?? sitting.active) ? { ...draft, ...event.draft } : draft,
        ),
      };
    case 'moved': {
      const last = sitting.drafts.length - 1;
      return { ...sitting, active: Math.min(Math.max(sitting.active + event.step, 0), last) };
    }
    case 'entered':
      return { ...sitting, phase: event.phase };
    case 'kept':
      return keep(sitting, event);
    case 'revealed':
    case 'corrected':
      return tell(sitting, event);
    case 'advanced':
      return advance(sitting, 'labels');
    case 'dropped':
      return advance(sitting, undefined);
    case 'undone':
      return takeBack(sitting, event);
  }
}

/** Adds items to the queue. Those that were labelled while the request was on its way are not offered again. */
function fill(
  sitting: Sitting,
  { cards, gone, hasMore }: Extract<SittingEvent, { readonly type: 'filled' }>,
): Sitting {
  const keyOf = ({ item, purpose }: ReviewCardView) => `${item} ${purpose}`;
  const fresh = new Map(cards.map((card) => [keyOf(card), card]));
  const known = new Set([...sitting.queue, ...sitting.past.map(({ card }) => card)].map(keyOf));
  return {
    ...sitting,
    queue: [
      ...sitting.queue.map((card) => ({ ...card, until: fresh.get(keyOf(card))?.until ?? card.until })),
      ...cards.filter((card) => !known.has(keyOf(card))),
    ],
    isExhausted: !hasMore,
    gone: sitting.gone + gone,
  };
}

function keep(
  sitting: Sitting,
  { outgoing, now, isRevealed }: Extract<SittingEvent, { readonly type: 'kept' }>,
): Sitting {
  const isAfterBreak = now - sitting.lastAt > breakMs;
  const kept: Sitting = {
    ...sitting,
    labelled: sitting.labelled + Number(outgoing.path === 'labels'),
    order: sitting.order + 1,
    startedAt: isAfterBreak ? now : sitting.startedAt,
    lastAt: now,
  };
  const { item, purpose } = outgoing.body;
  const [card] = sitting.queue;
  // What was left of an earlier sitting is about none of the items that are loaded.
  if (card?.item !== item || card.purpose !== purpose) return { ...kept, phase: { type: 'labelling' } };
  return isRevealed ? { ...kept, phase: { type: 'revealed' } } : advance(kept, outgoing.path);
}

/** Adds what the server says after the label, unless the reviewer has gone on meanwhile. */
function tell(
  sitting: Sitting,
  event: Extract<SittingEvent, { readonly type: 'revealed' | 'corrected' }>,
): Sitting {
  const { phase, queue } = sitting;
  if (phase.type !== 'revealed' || queue[0]?.item !== event.item) return sitting;
  const { error } = event;
  if (event.type === 'revealed') return { ...sitting, phase: { ...phase, revealed: event.revealed, error } };
  const { finding } = event;
  return { ...sitting, phase: { ...phase, finding, isStored: finding !== undefined, error } };
}

/** Goes on to the next item; the one on the screen can be taken back if something was saved for it. */
function advance(sitting: Sitting, kept: Outgoing['path'] | undefined): Sitting {
  const [card, ...rest] = sitting.queue;
  return {
    ...sitting,
    queue: rest,
    past:
      card === undefined || kept === undefined
        ? sitting.past
        : [...sitting.past, { card, isLabelled: kept === 'labels' }],
    drafts: emptyDrafts(sitting.drafts.length),
    active: 0,
    phase: { type: 'labelling' },
  };
}

function takeBack(
  sitting: Sitting,
  { item, card }: Extract<SittingEvent, { readonly type: 'undone' }>,
): Sitting {
  const last = sitting.past.findLast((each) => each.card.item === item);
  const back = card ?? last?.card;
  if (back === undefined) return sitting;
  const wasLabelled = sitting.phase.type === 'revealed' || last?.isLabelled === true;
  return {
    ...sitting,
    queue: [back, ...sitting.queue.filter((each) => each.item !== item)],
    past: sitting.past.filter((each) => each !== last),
    drafts: emptyDrafts(sitting.drafts.length),
    active: 0,
    phase: { type: 'labelling' },
    labelled: sitting.labelled - Number(wasLabelled),
  };
}

function emptyDrafts(count: number): Draft[] {
  return Array.from({ length: count }, () => ({ value: undefined, note: '', spans: [] }));
}

/** Returns the minutes of a sitting that is too long; undefined for one that is not. */
export function minutesOfLong({ startedAt, lastAt }: Sitting): number | undefined {
  const lengthMs = lastAt - startedAt;
  return lengthMs > longMs ? Math.round(lengthMs / 60_000) : undefined;
}

/** Returns the index of the first rubric without an answer; -1 when each has one. */
export function firstOpen({ drafts }: Pick<Sitting, 'drafts'>): number {
  return drafts.findIndex(
    ({ value }) => value === undefined || (typeof value === 'string' && value.trim() === ''),
  );
}
