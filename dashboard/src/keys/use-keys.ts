import { useEffect, useEffectEvent, useLayoutEffect, useSyncExternalStore } from 'react';

/** A key, two in a row such as `g r`, or a named key with Shift such as `Shift-Enter`, and what it does. */
export interface KeyBinding {
  readonly keys: string;
  /** The action, as the help lists it. */
  readonly does: string;
  readonly run: () => void;
}

/** The bindings of all mounted components, the newest last. */
let active: readonly (readonly KeyBinding[])[] = [];
const listeners = new Set<() => void>();

function setActive(next: typeof active): void {
  active = next;
  for (const listener of listeners) listener();
}

/** Binds keys as long as the component is mounted. A component that was mounted later has precedence. */
export function useKeys(bindings: readonly KeyBinding[]): void {
  const names = bindings.map(({ keys, does }) => `${keys} ${does}`).join('\n');
  const run = useEffectEvent((keys: string) => bindings.find((each) => each.keys === keys)?.run());
  // Before the page is painted: what a person sees can be done by its keys.
  useLayoutEffect(() => {
    const own = names
      .split('\n')
      .filter((name) => name !== '')
      .map((_, index) => bindings[index])
      .flatMap((binding) => (binding === undefined ? [] : { ...binding, run: () => run(binding.keys) }));
    setActive([...active, own]);
    return () => setActive(active.filter((each) => each !== own));
    // The effect event above always runs the newest function of a binding.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [names]);
}

/** Returns all bindings that are active, for the help. */
export function useActiveKeys(): readonly KeyBinding[] {
  const all = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => active,
  );
  return all.flat();
}

/** The milliseconds within which the second key of a pair counts. */
const pairMs = 1_000;

/** Listens for keys as long as the component is mounted. Keys typed into a field, or into a dialog, are left alone. */
export function useKeyListener(): void {
  useEffect(() => {
    let first: { key: string; at: number } | undefined;
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      const key = event.shiftKey && event.key.length > 1 ? `Shift-${event.key}` : event.key;
      if (isTyping(event.target) || isPressing(key, event.target)) return;
      const pair = first !== undefined && event.timeStamp - first.at < pairMs ? `${first.key} ${key}` : '';
      const bindings = active.flat();
      const found = [pair, key].flatMap((keys) => bindings.findLast((each) => each.keys === keys) ?? []);
      first = { key, at: event.timeStamp };
      if (found[0] === undefined) return;
      first = undefined;
      event.preventDefault();
      found[0].run();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}

/** Returns whether a key does what the browser does with it: Enter on a button or a link. */
function isPressing(key: string, target: EventTarget | null): boolean {
  return key === 'Enter' && target instanceof HTMLElement && target.closest('a, button, summary') !== null;
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (
    // What is behind an open dialog cannot be used.
    document.querySelector('dialog:modal') !== null ||
    target.isContentEditable ||
    // A dialog that has just been closed may still have the focus for a moment.
    target.closest('input:not([type=checkbox]), textarea, select, dialog[open]') !== null
  );
}
