import { onAbort } from '../../../core/lib/waiting.ts';

/** The number of failed calls in a row after which the target counts as down. */
const fewestFailures = 20;

/**
 * A gate that holds repeats back while a target is down. With hundreds of questions in flight, each would otherwise be
 * repeated against a server that is down. The gate lets a single question be repeated for all of them, and its outcome
 * decides for those that wait.
 */
export interface OutageGate {
  /** Records that a call was answered, and lets all waiting questions be repeated. */
  onAnswered(): void;
  /**
   * Returns whether a question whose call has failed may be repeated. The question is identified by any object of its
   * own.
   */
  mayRepeat(question: object): Promise<boolean>;
  /** Records that a question is finished, answered or not. */
  onEnded(question: object): void;
}

/**
 * Creates the outage gate of a target.
 * @param stop - Aborted when nothing may be repeated any more.
 */
export function createOutageGate(stop: AbortSignal): OutageGate {
  let failures = 0;
  let probe: object | undefined;
  let waiting: ((mayRepeat: boolean) => void)[] = [];
  let stopListening: (() => void) | undefined;

  const release = (mayRepeat: boolean) => {
    const all = waiting;
    waiting = [];
    stopListening?.();
    stopListening = undefined;
    for (const resolve of all) resolve(mayRepeat);
  };

  return {
    onAnswered: () => {
      failures = 0;
      probe = undefined;
      release(true);
    },
    mayRepeat: async (question) => {
      failures += 1;
      if (failures < fewestFailures || question === probe) return true;
      if (probe === undefined) {
        probe = question;
        return true;
      }
      if (stop.aborted) return false;
      stopListening ??= onAbort(stop, () => release(false));
      return await new Promise((resolve) => {
        waiting.push(resolve);
      });
    },
    onEnded: (question) => {
      if (question !== probe) return;
      probe = undefined;
      // When the question was answered, the others have been released already.
      release(false);
    },
  };
}
