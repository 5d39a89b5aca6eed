import v8 from 'node:v8';

/** The young generation may grow to this, in bytes. */
const youngBytes = 20 * 2 ** 20;

/** Once so much of the heap is in use, in bytes, its old generation grows by less: texts are long, or there is much to do. */
const muchBytes = 85 * 2 ** 20;

let isLimited = false;

/**
 * Keeps V8 from holding many times the memory that is in use: a long run makes much short-lived data, for which V8
 * would let its young generation grow to 64 MB and its old one to several times what is alive in it. The young
 * generation's limit can only be set when Node.js starts, but its growth can be ended.
 *
 * What a run makes is garbage soon, but not before the young generation is collected once or twice. V8 takes that for a
 * reason to make such objects in the old generation, and then collects that one all the time; it is told not to. And one
 * thread alone collects the young generation: several spend more on sharing so small a work than they save.
 *
 * Called when a store is opened: before the code of a command is loaded, it would make a start longer.
 */
export function limitHeap(): void {
  if (isLimited) return;
  isLimited = true;
  v8.setFlagsFromString('--heap-growing-percent=300');
  v8.setFlagsFromString('--no-allocation-site-pretenuring');
  v8.setFlagsFromString('--no-parallel-scavenge');
  setFlagOnce('--semi-space-growth-factor=1', () => youngSize() >= youngBytes);
  setFlagOnce('--heap-growing-percent=100', () => v8.getHeapStatistics().used_heap_size >= muchBytes);
}

function youngSize(): number {
  return (
    v8.getHeapSpaceStatistics().find((space) => space.space_name === 'new_space')?.space_size ?? Infinity
  );
}

/** Sets a flag of V8 as soon as it is time to, if it ever is. */
function setFlagOnce(flag: string, isTime: () => boolean): void {
  const timer = setInterval(() => {
    if (!isTime()) return;
    v8.setFlagsFromString(flag);
    clearInterval(timer);
  }, 50);
  timer.unref();
}
