import type { HeldOutSet, RefereeEvent, TargetVersion } from '../../core/schema/referee/referee.ts';
import { type Answered, isSpent, levelAfter } from './levels.ts';
import type { RefereeClaim, RefereeTest } from './tests.ts';

type EventOf<Name extends RefereeEvent['event']> = Extract<RefereeEvent, { event: Name }>;

/** A look of the ledger, with its answer once there is one. */
export type LedgerLook = EventOf<'look'> & { readonly answer?: EventOf<'answer'>['answer'] };

/** The state that a ledger leads to: the set as it is now, and all looks at it. */
export interface LedgerState {
  readonly set: HeldOutSet;
  readonly incumbent: EventOf<'incumbent'>;
  readonly looks: readonly LedgerLook[];
  readonly answered: Answered;
  /** The look that has no answer yet. */
  readonly open?: LedgerLook;
  readonly isOpened: boolean;
  /** The time of the last event, ISO 8601. */
  readonly lastAt: string;
}

/** Returns the state that events lead to; undefined before the set is made and its incumbent was asked. */
export function readLedgerState(events: readonly RefereeEvent[]): LedgerState | undefined {
  let set: HeldOutSet | undefined;
  let incumbent: EventOf<'incumbent'> | undefined;
  let looks: LedgerLook[] = [];
  let isOpened = false;
  for (const each of events) {
    // A new set begins with a budget of its own.
    if (each.event === 'set') [set, incumbent, looks, isOpened] = [each, undefined, [], false];
    else if (each.event === 'opened') isOpened = true;
    else if (each.event === 'questions' && set !== undefined)
      set = { ...set, questions: each.questions, units: each.units, content: each.content };
    else if (each.event === 'incumbent') incumbent = each;
    else if (each.event === 'look') looks.push(each);
    else if (each.event === 'answer')
      for (const [place, look] of looks.entries())
        if (look.look === each.look) looks[place] = { ...look, answer: each.answer };
  }
  const lastAt = events.at(-1)?.at;
  if (set === undefined || incumbent === undefined || lastAt === undefined) return undefined;
  const done = looks.filter(({ answer }) => answer !== undefined);
  const surprises = done.filter(({ answer, expected }) => answer !== 'withdrawn' && answer !== expected);
  return {
    set,
    incumbent,
    looks,
    answered: { looks: done.length, surprises: surprises.length },
    open: looks.find(({ answer }) => answer === undefined),
    isOpened,
    lastAt,
  };
}

/** Returns whether a set answers nothing any more. */
export function isOver({ set, answered, isOpened }: LedgerState): boolean {
  return isOpened || isSpent(set, answered);
}

/** Returns the test of the next look at a set that is not over. */
export function nextTest({ set, answered }: LedgerState, claim: RefereeClaim): RefereeTest {
  return { claim, measure: set.isBinary ? 'passed' : 'score', level: levelAfter(answered.surprises, set) };
}

/** The answers to a claim: when it is shown, and when it is not. The expected one is what costs nothing of the error. */
export function answersTo({ kind }: RefereeClaim) {
  return kind === 'improvement'
    ? ({ yes: 'confirmed', no: 'not-confirmed', expected: 'not-confirmed' } as const)
    : ({ yes: 'shown', no: 'not-shown', expected: 'shown' } as const);
}

/** A pair of versions, the claim about them, and the number of units it is tested on. */
export interface LookQuestion {
  readonly claim: RefereeClaim;
  readonly candidate: TargetVersion;
  readonly incumbent: TargetVersion;
  readonly units: number;
}

/** Finds an earlier look at the same pair with the same claim and as many questions: its answer is repeated for nothing. */
export function findAnswered(
  { looks }: Pick<LedgerState, 'looks'>,
  question: LookQuestion,
): LedgerLook | undefined {
  return looks.findLast(
    (look) => look.answer !== undefined && look.answer !== 'withdrawn' && isSameQuestion(look, question),
  );
}

/** Returns whether a look asks the same question. */
export function isSameQuestion(
  look: LookQuestion,
  { claim, candidate, incumbent, units }: LookQuestion,
): boolean {
  const marginOf = (each: RefereeClaim) => (each.kind === 'improvement' ? undefined : each.margin);
  return (
    look.claim.kind === claim.kind &&
    marginOf(look.claim) === marginOf(claim) &&
    look.candidate.fingerprint === candidate.fingerprint &&
    look.incumbent.fingerprint === incumbent.fingerprint &&
    look.units === units
  );
}

/** The days after which the recorded answers of an incumbent are asked for again, since models drift. */
const staleAfterDays = 14;

const dayMs = 86_400_000;

/** Returns whether the answers of an incumbent are too old to compare new ones with. A clock that was set back does not help. */
export function isStale({ incumbent, lastAt }: LedgerState, now: number): boolean {
  return Math.max(now, Date.parse(lastAt)) - Date.parse(incumbent.at) > staleAfterDays * dayMs;
}

/** The value of a question with its cluster. */
export interface PairedValue {
  /** The hash of the case, by which the order is fixed. */
  readonly hash: string;
  readonly cluster?: string;
  readonly incumbent: number;
  readonly candidate: number;
}

/** Returns the differences of a pair, one for each cluster: the mean of its questions. They are in the order of their hashes. */
export function differencesOf(pairs: readonly PairedValue[]): number[] {
  const units = new Map<string, { sum: number; count: number }>();
  for (const { hash, cluster, candidate, incumbent } of pairs.toSorted((a, b) =>
    a.hash < b.hash ? -1 : 1,
  )) {
    const key = cluster === undefined ? `case ${hash}` : `cluster ${cluster}`;
    const unit = units.get(key) ?? { sum: 0, count: 0 };
    units.set(key, { sum: unit.sum + candidate - incumbent, count: unit.count + 1 });
  }
  return [...units.values()].map(({ sum, count }) => Math.max(-1, Math.min(1, sum / count)));
}
