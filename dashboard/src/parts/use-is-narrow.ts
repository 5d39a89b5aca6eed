import { useSyncExternalStore } from 'react';

/** Returns whether the screen is too narrow for a table of many columns, as `max-sm` in styles. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => narrow.matches);
}

const narrow = matchMedia('(width < 40rem)');

function subscribe(onChange: () => void): () => void {
  narrow.addEventListener('change', onChange);
  return () => narrow.removeEventListener('change', onChange);
}
