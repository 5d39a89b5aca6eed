import { onAbort } from '../../lib/waiting.ts';

/**
 * How far the first turn of a trial has come. Until it is answered, waiting for it is worth nothing once the run ends: the
 * trial is given up where it waits, be it for its turn or for a repeat of what was refused or failed.
 */
export class FirstTurn {
  /** It was not waited for: the trial is as if it had not been begun. */
  isGivenUp = false;
  #progress: 'awaited' | 'sent' | 'answered' = 'awaited';
  readonly #stop: AbortSignal;

  /** @param stop - Aborted when nothing new is to be started. */
  constructor(stop: AbortSignal) {
    this.#stop = stop;
  }

  /** Watches a call of the trial; `giveUp` is told when it is not to be waited for any more. */
  watch(giveUp: () => void): FirstTurnWatch {
    let waits = 0;
    let callOff: (() => void) | undefined;
    const tell = () => {
      this.isGivenUp = true;
      giveUp();
    };
    const end = () => {
      callOff?.();
      callOff = undefined;
    };
    return {
      onWaiting: (isWaiting, isRepeat = false) => {
        waits += isWaiting ? 1 : -1;
        // What comes after a request, and is no repeat of it, comes after its answer.
        if (isWaiting && !isRepeat && this.#progress === 'sent') this.#progress = 'answered';
        if (this.#progress === 'answered') return;
        if (waits === 0) {
          end();
          // Who waited for the request of another trial has sent nothing.
          if (!isRepeat) this.#progress = 'sent';
        } else if (this.#stop.aborted) tell();
        else callOff ??= onAbort(this.#stop, tell);
      },
      end,
    };
  }

  /** A call of the trial was answered. */
  onAnswered(): void {
    this.#progress = 'answered';
  }

  /** A call of the trial failed: what it has sent so far came to nothing, unless an earlier request was answered. */
  onFailed(): void {
    if (this.#progress === 'sent') this.#progress = 'awaited';
  }
}

/** Looks after one call of a trial. */
export interface FirstTurnWatch {
  /** As in what a target is handed. */
  onWaiting(isWaiting: boolean, isRepeat?: boolean): void;
  end(): void;
}
