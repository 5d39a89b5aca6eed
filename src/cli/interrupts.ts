import type { StopSignals } from '../run/limits/stop-signals.ts';
import { endProcess } from './end-process.ts';

/** The exit code after Ctrl-C, as shells expect it. */
export const interrupted = 130;

/** Milliseconds within which a signal counts once: the process that started us may pass on a signal that the terminal has sent to both. */
const doubledWithinMs = 50;

/**
 * Turns Ctrl-C into an orderly end: the first finishes what is in flight, the second cancels it, the third gives up.
 * @param tell - Told what the first and the second do.
 * @param isCalling - Whether anything can be in flight yet.
 */
export function listenForInterrupts(
  tell: (message: string) => void,
  isCalling = () => true,
): StopSignals & { release(): void } {
  const stop = new AbortController();
  const abort = new AbortController();
  let signals = 0;
  let lastAt = -Infinity;
  const onSignal = (signal: NodeJS.Signals) => {
    const now = performance.now();
    if (now - lastAt < doubledWithinMs) return;
    lastAt = now;
    signals += 1;
    if (signals === 1) {
      const again = signal === 'SIGINT' ? 'Ctrl-C again' : 'A second signal';
      tell(isCalling() ? `Finishing what is in flight. ${again} cancels it.` : 'Stopping.');
      stop.abort();
    } else if (signals === 2) {
      tell('Cancelling what is in flight.');
      stop.abort();
      abort.abort();
    } else endProcess(interrupted);
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return {
    stop: stop.signal,
    abort: abort.signal,
    release: () => {
      process.off('SIGINT', onSignal);
      process.off('SIGTERM', onSignal);
    },
  };
}
