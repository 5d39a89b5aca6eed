import { assign } from '../../matching/assign.ts';
import type { ExpectedCall } from '../expected-call.ts';
import type { ActualCall } from '../read-calls.ts';

/** Calls that are asked for in one message, in any order. */
export interface Group {
  readonly together: readonly ExpectedCall[];
}

/** The calls along which steps are taken, and which of them may be passed over. */
export interface Path {
  readonly calls: readonly ActualCall[];
  readonly canSkip: readonly boolean[];
  /** Whether a group is all that its message asks for. */
  readonly isStrict: boolean;
  /** Told how many calls are looked at; throws when they are too many. */
  readonly count: (calls: number) => void;
}

/** How many calls there may be before the next step when a step begins at a place; none when it cannot be taken from there. */
export function endsOf(step: ExpectedCall | Group, place: number, path: Path): number[] {
  return 'together' in step ? endsOfGroup(step, place, path) : endsOfCall(step, place, path);
}

function endsOfCall(step: ExpectedCall, place: number, { calls, canSkip, count: tell }: Path): number[] {
  const { least, most } = step.times ?? { least: 1, most: 1 };
  const ends = least === 0 ? [place] : [];
  let counts = new Set([0]);
  for (let index = place; index < calls.length; index++) {
    tell(1);
    const call = calls[index] as ActualCall;
    const next = new Set<number>();
    for (const count of counts) {
      if (count < most && step.fits(call)) next.add(count + 1);
      if (canSkip[index] === true) next.add(count);
    }
    counts = next;
    if (counts.size === 0) break;
    if ([...counts].some((count) => count >= least)) ends.push(index + 1);
  }
  return ends;
}

function endsOfGroup({ together }: Group, place: number, path: Path): number[] {
  const { calls, canSkip, isStrict, count } = path;
  const ends: number[] = [];
  for (let start = place; start < calls.length; start++) {
    for (let end = start + together.length; end <= calls.length; end++) {
      const isOneMessage = calls[start]?.message === calls[end - 1]?.message;
      if (!isOneMessage) break;
      count((end - start) * together.length);
      const isWhole = !isStrict || (isEdge(calls, start) && isEdge(calls, end));
      if (
        isWhole &&
        isGroup(together, { ...path, calls: calls.slice(start, end), canSkip: canSkip.slice(start, end) })
      ) {
        ends.push(end);
      }
    }
    if (canSkip[start] !== true) break;
  }
  return ends;
}

/** Whether the calls before and after a place were asked for in different messages. */
function isEdge(calls: readonly ActualCall[], place: number): boolean {
  return calls[place - 1]?.message !== calls[place]?.message;
}

/** Whether each call of a group is among some calls, and the others among them may be passed over. */
function isGroup(together: readonly ExpectedCall[], { calls, canSkip }: Path): boolean {
  // What may not be passed over counts more, so that a pairing that covers it wins.
  const weights = together.map((pattern) =>
    calls.map((call, index) => (pattern.fits(call) ? 2 - Number(canSkip[index]) : 0)),
  );
  const paired = assign(weights);
  return (
    paired.every((index) => index !== null) &&
    canSkip.every((isSkippable, index) => isSkippable || paired.includes(index))
  );
}
