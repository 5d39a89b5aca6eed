import { onAbort } from '../../lib/waiting.ts';

/** Calls in a row that fail before it is taken that nothing is answered at all. */
const fewestFailures = 20;

/**
 * Holds repeats back while a target answers nothing. Where hundreds of questions are in flight, each of them would be
 * asked again and again of a server that is down: one is, for all, and what comes of that decides for those that wait.
 */
export interface OutageGate {
  /** A call was answered: those that wait may continue. */
  onAnswered(): void;
  /** Asks whether a question whose call has failed may be asked again. It is known by any object of its own. */
  mayRepeat(question: object): boolean | Promise<boolean>;
  /** A question is over, answered or not. */
  onEnded(question: object): void;
}

/** @param stop - Aborted when nothing is to be asked again. */
export function createOutageGate(stop: AbortSignal): OutageGate {
  let failures = 0;
  let asked: object | undefined;
  let waiting: ((mayGoOn: boolean) => void)[] = [];
  let callOff: (() => void) | undefined;

  const release = (mayGoOn: boolean) => {
    const all = waiting;
    waiting = [];
    callOff?.();
    callOff = undefined;
    for (const tell of all) tell(mayGoOn);
  };

  return {
    onAnswered: () => {
      failures = 0;
      asked = undefined;
      release(true);
    },
    mayRepeat: (question) => {
      failures += 1;
      if (failures < fewestFailures || question === asked) return true;
      if (asked === undefined) {
        asked = question;
        return true;
      }
      if (stop.aborted) return false;
      callOff ??= onAbort(stop, () => release(false));
      return new Promise((resolve) => {
        waiting.push(resolve);
      });
    },
    onEnded: (question) => {
      if (question !== asked) return;
      asked = undefined;
      // Answered, they have been released already.
      release(false);
    },
  };
}
