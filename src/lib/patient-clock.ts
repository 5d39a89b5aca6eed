import { longestTimerMs } from './wait.ts';

/** Tells when so much time is over; while anything is being waited for, time stands still. */
export function startClock(limitMs: number, onOver: () => void) {
  let leftMs = limitMs;
  let waits = 0;
  let startedAt = performance.now();
  const start = () => setTimeout(onOver, Math.min(leftMs, longestTimerMs));
  let timer = start();
  let isStopped = false;
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
      else {
        startedAt = performance.now();
        timer = start();
      }
    },
  };
}
