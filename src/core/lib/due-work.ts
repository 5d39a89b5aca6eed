/** Work that is done when it is due, never twice at the same time. */
export interface DueWork {
  /** Asks for the work within so many milliseconds. The earliest of all times that were asked for counts. */
  within(milliseconds: number): void;
  /** Ends it: work under way is finished, nothing is begun any more. */
  stop(): Promise<void>;
}

/**
 * Creates work that is done when it is due.
 * @param isAwaited - Returns whether the process must stay alive for it; always by default.
 */
export function createDueWork(work: () => Promise<void>, isAwaited: () => boolean = () => true): DueWork {
  let timer: NodeJS.Timeout | undefined;
  let due = Infinity;
  let underWay: Promise<void> | undefined;
  let isStopped = false;

  const setTimer = () => {
    clearTimeout(timer);
    if (due === Infinity || isStopped || underWay !== undefined) return;
    timer = setTimeout(begin, Math.max(0, due - performance.now()));
    if (!isAwaited()) timer.unref();
  };
  const begin = () => {
    due = Infinity;
    underWay = work().finally(() => {
      underWay = undefined;
      setTimer();
    });
  };
  return {
    within: (milliseconds) => {
      const at = performance.now() + milliseconds;
      if (isAwaited()) timer?.ref();
      if (at >= due) return;
      due = at;
      setTimer();
    },
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await underWay;
    },
  };
}
