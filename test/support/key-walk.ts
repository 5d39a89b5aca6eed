import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** Something that a user does on a page by keys. */
export interface KeyAction {
  /** The effect, for the message of a failure. */
  readonly does: string;
  /** The element that Tab goes to before the keys are pressed. */
  readonly at?: (page: Page) => Locator;
  /** The keys, with a space between them; a text in quotes is typed. */
  readonly press: string;
  /** Waits for what must follow. */
  readonly leadsTo: (page: Page) => Promise<unknown>;
  /** True for keys that leave what has the focus on purpose, such as Escape in a field. */
  readonly leaves?: boolean;
}

/** Makes an action from what it does, its keys, and what must follow. */
export function by(does: string, press: string, leadsTo: KeyAction['leadsTo']): KeyAction {
  return { does, press, leadsTo };
}

/** Makes an action at a place to which Tab goes. */
export function at(
  does: string,
  place: NonNullable<KeyAction['at']>,
  press: string,
  leadsTo: KeyAction['leadsTo'],
): KeyAction {
  return { does, at: place, press, leadsTo };
}

/** The most places that Tab goes to before one is given up. */
const mostTabs = 150;

/** Does an action, and returns what went wrong: nothing followed, or what had the focus lost it to the page as a whole. */
export async function doByKeys(
  page: Page,
  { does, at, press, leadsTo, leaves = false }: KeyAction,
): Promise<string | undefined> {
  try {
    if (at !== undefined) await tabTo(page, at(page));
    const before = await stateOf(page);
    for (const key of press.match(/"[^"]*"|\S+/g) ?? []) {
      if (key.startsWith('"')) await page.keyboard.type(key.slice(1, -1));
      else await page.keyboard.press(key);
    }
    await leadsTo(page);
    // A page whose data are under way has no keys yet.
    await page.locator('.skeleton').first().waitFor({ state: 'detached' });
    const isLeft = leaves || !before.hasFocus || (await stateOf(page)).path !== before.path;
    if (!isLeft) await expect.poll(async () => (await stateOf(page)).hasFocus).toBe(true);
    return undefined;
  } catch (error) {
    return `By keys, "${does}" failed at ${page.url()}: ${String(error)}`;
  }
}

/** Presses Tab until an element has the focus; in a row of links that Tab enters once, the arrow. */
async function tabTo(page: Page, place: Locator): Promise<void> {
  await place.first().waitFor();
  // An element is found by its role and name only again after it was replaced: the search takes longer than a key.
  let elements = await place.elementHandles();
  for (let count = 0; count < mostTabs; count += 1) {
    const [areThere, hasFocus, isNear] = await page.evaluate((all) => {
      const at = all[0]?.ownerDocument.activeElement;
      const row = at?.closest('[data-arrows]');
      const members = Array.from<{ checkVisibility: () => boolean }>(
        row?.querySelectorAll('a[href], button:not(:disabled), summary') ?? [],
      );
      const isLast = members.filter((each) => each.checkVisibility()).at(-1) === at;
      return [
        all.every((each) => each.isConnected),
        all.some((each) => each === at),
        !isLast && all.some((each) => row?.contains(each)),
      ];
    }, elements);
    if (hasFocus) return;
    if (isNear) await page.keyboard.press('ArrowRight');
    else if (areThere) await page.keyboard.press('Tab');
    else elements = await place.elementHandles();
  }
  throw new Error(`Tab does not lead to ${String(place)}.`);
}

interface FocusState {
  readonly path: string;
  readonly hasFocus: boolean;
}

async function stateOf(page: Page): Promise<FocusState> {
  return await page.evaluate<FocusState>(
    '({ path: location.pathname, hasFocus: document.activeElement !== document.body })',
  );
}

/** Counts the events of a mouse on a page from now on, on every document that it opens. */
export async function countMouseEvents(page: Page): Promise<() => number> {
  let count = 0;
  await page.exposeFunction('reportMouse', () => (count += 1));
  // A text, since tests are not compiled for a browser.
  const listen = `for (const type of ['mousedown', 'mousemove', 'mouseup', 'wheel', 'pointerdown', 'touchstart'])
    document.addEventListener(type, (event) => event.isTrusted && reportMouse(), { capture: true })`;
  await page.addInitScript(listen);
  await page.evaluate(listen);
  return () => count;
}

/** Returns the keys that the help of a page lists, which is opened and closed by keys. */
export async function listKeys(page: Page): Promise<string[]> {
  await page.keyboard.press('?');
  const dialog = page.getByRole('dialog', { name: 'Keys' });
  await dialog.waitFor();
  const terms = await dialog.locator('dt').allInnerTexts();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  // The focus goes back to the page a moment after the dialog has closed.
  await expect.poll(() => page.evaluate('document.activeElement.closest("dialog") === null')).toBe(true);
  return terms.map((keys) => keys.split(/\s+/).join(' '));
}
