/**
 * Gives an element the focus that was on one which it replaces, such as a button that is gone after its last use. As the `ref`
 * of an element, it is called when the element appears.
 */
export function takeFocus(element: HTMLElement | null): void {
  if (document.activeElement === document.body) element?.focus({ preventScroll: true });
}
