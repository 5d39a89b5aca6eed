const waiting = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Has something done when a signal is aborted, as `addEventListener` does; returns what calls it off. Where hundreds wait for
 * one signal, calling off stays as cheap as for one: an `EventTarget` looks through all of its listeners.
 */
export function onAbort(signal: AbortSignal, work: () => void): () => void {
  const works = waiting.get(signal) ?? listenTo(signal);
  // A function of its own, so that the same work can be waiting twice.
  const waits = () => work();
  works.add(waits);
  return () => works.delete(waits);
}

function listenTo(signal: AbortSignal): Set<() => void> {
  const works = new Set<() => void>();
  waiting.set(signal, works);
  signal.addEventListener('abort', () => {
    for (const work of works) if (works.delete(work)) work();
  });
  return works;
}
