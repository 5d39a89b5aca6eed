import type { KeyboardEvent } from 'react';

/** The elements to which Tab goes. */
const reachable =
  'a[href], button:not(:disabled), input:not(:disabled), select, textarea, summary, [tabindex="0"]';

/** Keeps the focus within a part over the page: Tab goes from its last element to the first, Shift-Tab back. */
export function keepFocus(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'Tab') return;
  const within = [...event.currentTarget.querySelectorAll<HTMLElement>(reachable)].filter((each) =>
    each.checkVisibility(),
  );
  const [first, last] = [within[0], within.at(-1)];
  const at = document.activeElement;
  // The part itself has the focus when it opens, and nothing in it comes before.
  const isAtEnd = event.shiftKey ? at === first || at === event.currentTarget : at === last;
  if (!isAtEnd) return;
  event.preventDefault();
  (event.shiftKey ? last : first)?.focus();
}

/**
 * Gives an element the focus that was on one which it replaces, such as a button that is gone after its last use. As the `ref`
 * of an element, it is called when the element appears.
 */
export function takeFocus(element: HTMLElement | null): void {
  if (document.activeElement === document.body) element?.focus({ preventScroll: true });
}

/** Moves the focus to a field once it is there, as its `ref`. */
export function focusOnce(field: HTMLElement | null): void {
  field?.focus();
}
