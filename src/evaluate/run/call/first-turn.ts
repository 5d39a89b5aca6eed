import { onAbort } from '../../../core/lib/waiting.ts';

/**
 * Tracks the first turn of a trial. Until it is answered, waiting for it is pointless once the run stops, so the trial
 * is given up wherever it waits, be it for its turn or for the repeat of a refused or failed call.
 */
export class FirstTurn {
  /** True when the trial was given up: it counts as never begun. */
  isGivenUp = false;
  #progress: 'awaited' | 'sent' | 'answered' = 'awaited';
  readonly #stop: AbortSignal;

  /** @param stop - Aborted when nothing new may be started. */
  constructor(stop: AbortSignal) {
    this.#stop = stop;
  }

  /**
   * Watches a call of the trial.
   * @param cancelCall - Called when the call is not awaited any more.
   */
  watch(cancelCall: () => void): FirstTurnWatch {
    let waits = 0;
    let stopListening: (() => void) | undefined;
    const giveUp = () => {
      this.isGivenUp = true;
      cancelCall();
    };
    const end = () => {
      stopListening?.();
      stopListening = undefined;
    };
    return {
      onWaiting: (isWaiting, isRepeat = false) => {
        waits += isWaiting ? 1 : -1;
        // A wait that follows a request and is not for its repeat follows its answer.
        if (isWaiting && !isRepeat && this.#progress === 'sent') this.#progress = 'answered';
        if (this.#progress === 'answered') return;
        if (waits === 0) {
          end();
          // A call that waited for the request of another trial has sent nothing.
          if (!isRepeat) this.#progress = 'sent';
        } else if (this.#stop.aborted) giveUp();
        else stopListening ??= onAbort(this.#stop, giveUp);
      },
      end,
    };
  }

  /** Records that a call of the trial was answered. */
  onAnswered(): void {
    this.#progress = 'answered';
  }

  /** Records that a call of the trial failed. Its requests came to nothing, unless an earlier one was answered. */
  onFailed(): void {
    if (this.#progress === 'sent') this.#progress = 'awaited';
  }
}

/** The watch over one call of a trial. */
export interface FirstTurnWatch {
  /** Hears when the call waits, like `onWaiting` of a target's context. */
  onWaiting(isWaiting: boolean, isRepeat?: boolean): void;
  end(): void;
}
