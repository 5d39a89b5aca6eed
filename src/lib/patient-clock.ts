import { longestTimerMs } from './wait.ts';

/** A timer that comes later than this was kept waiting by something that computed meanwhile. */
const lateMs = 10;
/** The most that it waits again at a time. */
const mostGraceMs = 1000;

/**
 * Tells when so much time is over; while anything is being waited for, time stands still. Where this process itself was busy when
 * the time ran out, as much is granted again: what came in meanwhile is read only after the timers, and would be
 * thrown away unseen.
 */
export function startClock(limitMs: number, onOver: () => void) {
  let leftMs = limitMs;
  let waits = 0;
  let startedAt = 0;
  let isStopped = false;

  function start(): NodeJS.Timeout {
    startedAt = performance.now();
    return setTimeout(onTimer, Math.min(leftMs, longestTimerMs));
  }

  function onTimer(): void {
    const late = performance.now() - startedAt - leftMs;
    if (late < lateMs) {
      onOver();
      return;
    }
    leftMs = Math.min(late, mostGraceMs);
    timer = start();
  }

  let timer = start();
  return {
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
    onWaiting: (isWaiting: boolean) => {
      waits += isWaiting ? 1 : -1;
      if (isStopped || waits !== Number(isWaiting)) return;
      clearTimeout(timer);
      if (isWaiting) leftMs -= performance.now() - startedAt;
      else timer = start();
    },
  };
}
