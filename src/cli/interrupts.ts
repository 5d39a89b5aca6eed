import type { StopSignals } from '../run/call.ts';

/** The exit code after Ctrl-C, as shells expect it. */
export const interrupted = 130;

/**
 * Turns Ctrl-C into an orderly end: the first finishes what is in flight, the second cancels it, the third gives up.
 * `onFirst` is told once, to say so.
 */
export function listenForInterrupts(onFirst: () => void): StopSignals & { release(): void; stopNow(): void } {
  const stop = new AbortController();
  const abort = new AbortController();
  const onSignal = () => {
    if (abort.signal.aborted) process.exit(interrupted);
    if (stop.signal.aborted) return abort.abort();
    stop.abort();
    onFirst();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return {
    stop: stop.signal,
    abort: abort.signal,
    stopNow: () => stop.abort(),
    release: () => {
      process.off('SIGINT', onSignal);
      process.off('SIGTERM', onSignal);
    },
  };
}
