import { type ComponentProps, type KeyboardEvent, useEffect, useRef } from 'react';

/** The elements of a group that can have the focus; a dialog keeps its own. */
const members = ':is(a[href], button:not(:disabled), summary):not(dialog *)';
/** The elements of a group that are chosen: Tab goes to the first of them. */
const chosen = '[aria-current]:not([aria-current=false]), [aria-pressed=true]';
/** The steps of the keys along a group. */
const steps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/**
 * A row of links or buttons that Tab enters once, so that what follows is near. Arrows go along it, Home and End to its ends. Tab comes
 * back to where the focus was last, else to what is chosen, else to the first.
 */
export function ArrowGroup({ as: Element = 'div', ...rest }: ArrowGroupOptions) {
  const group = useRef<HTMLElement>(null);
  useEffect(() => {
    const element = group.current;
    if (element === null) return undefined;
    const settle = () => keepOneStop(element);
    settle();
    const observer = new MutationObserver(settle);
    observer.observe(element, { childList: true, subtree: true, attributeFilter: ['disabled', 'href'] });
    return () => observer.disconnect();
  }, []);
  return (
    // The focus is on one of its members, which therefore get the keys.
    <Element
      {...rest}
      data-arrows
      ref={group as never}
      onFocus={({ currentTarget, target }) => keepOneStop(currentTarget, target)}
      onKeyDown={goAlong}
    />
  );
}

interface ArrowGroupOptions extends Omit<ComponentProps<'div'>, 'ref' | 'onFocus' | 'onKeyDown'> {
  /** The kind of its element. */
  readonly as?: 'div' | 'nav';
}

function membersOf(group: Element): HTMLElement[] {
  return [...group.querySelectorAll<HTMLElement>(members)].filter((each) => each.checkVisibility());
}

/** Leaves one member of a group to Tab: the given one, else the one that it went to before. */
function keepOneStop(group: Element, wanted?: Element): void {
  const all = membersOf(group);
  const stop =
    all.find((each) => each === wanted) ??
    all.find((each) => each.getAttribute('tabindex') === '0') ??
    all.find((each) => each.matches(chosen)) ??
    all[0];
  for (const each of all) each.tabIndex = each === stop ? 0 : -1;
}

function goAlong(event: KeyboardEvent<HTMLElement>): void {
  const all = membersOf(event.currentTarget);
  const at = all.findIndex((each) => each === event.target);
  const step = steps[event.key];
  const to =
    event.key === 'Home' ? 0 : event.key === 'End' ? all.length - 1 : step === undefined ? -1 : at + step;
  if (at === -1 || all[to] === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  all[to].focus();
}
