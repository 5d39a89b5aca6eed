import { onAbort } from './on-abort.ts';

/** One piece of work that may have to wait for its turn. */
export interface PatientWork {
  /** Aborted when the work is to end. */
  readonly signal: AbortSignal;
  /** To be told when the work begins (true) and ends (false) to wait. */
  readonly onWaiting: (isWaiting: boolean) => void;
  /** Whether it was given up where it waited. */
  readonly isGivenUp: () => boolean;
  /** To be called when it is over. */
  readonly end: () => void;
}

/**
 * Work that is given up where it waits once `stop` is aborted; what is under way goes on to its end, unless `abort` is
 * aborted.
 */
export function giveUpWaiting(stop: AbortSignal, abort: AbortSignal): PatientWork {
  const givenUp = new AbortController();
  let callOff: (() => void) | undefined;
  const end = () => {
    callOff?.();
    callOff = undefined;
  };
  return {
    signal: AbortSignal.any([abort, givenUp.signal]),
    onWaiting: (isWaiting) => {
      end();
      if (!isWaiting) return;
      if (stop.aborted) givenUp.abort();
      else callOff = onAbort(stop, () => givenUp.abort());
    },
    isGivenUp: () => givenUp.signal.aborted,
    end,
  };
}
