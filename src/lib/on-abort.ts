interface Listening {
  readonly works: Set<() => void>;
  readonly end: () => void;
}

const listening = new WeakMap<AbortSignal, Listening>();

/**
 * Has something done when a signal is aborted, as `addEventListener` does; returns what calls it off. Where hundreds wait for
 * one signal, calling off stays as cheap as for one: an `EventTarget` looks through all of its listeners.
 */
export function onAbort(signal: AbortSignal, work: () => void): () => void {
  const { works, end } = listening.get(signal) ?? listenTo(signal);
  // A function of its own, so that the same work can be waiting twice.
  const waits = () => work();
  works.add(waits);
  return () => {
    if (works.delete(waits) && works.size === 0) end();
  };
}

function listenTo(signal: AbortSignal): Listening {
  const works = new Set<() => void>();
  const doAll = () => {
    for (const work of works) if (works.delete(work)) work();
  };
  // A signal made of others is kept in memory for as long as somebody listens to it.
  const end = () => {
    signal.removeEventListener('abort', doAll);
    if (listening.get(signal)?.works === works) listening.delete(signal);
  };
  const begun = { works, end };
  listening.set(signal, begun);
  signal.addEventListener('abort', doAll, { once: true });
  return begun;
}
