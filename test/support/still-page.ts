import type { Page, Request } from 'playwright-core';
import { expect } from 'vitest';

/** The requests of a page that are not answered yet. */
export type OpenRequests = ReadonlySet<Request>;

/** Follows the requests of a page, but for the stream of events, which has no end. */
export function trackRequests(page: Page): OpenRequests {
  const open = new Set<Request>();
  const remove = (request: Request): boolean => open.delete(request);
  page.on('request', (request) => {
    if (new URL(request.url()).pathname !== '/api/events') open.add(request);
  });
  page.on('requestfinished', remove);
  page.on('requestfailed', remove);
  return open;
}

// A text, for the browser. A frame and a task later, what an answer leads to is asked for or drawn.
const readState = `new Promise((done) => setTimeout(() => requestAnimationFrame(() => setTimeout(() =>
  done([location.href, document.querySelectorAll('.skeleton, [aria-busy=true]').length, document.body.innerText].join('\\n'))
)), 20))`;

/** Waits until a page has asked for nothing and changed nothing for a moment. */
export async function waitUntilStill(page: Page, open: OpenRequests): Promise<void> {
  let before: string | undefined;
  const isStill = async (): Promise<boolean> => {
    // A document that is just being replaced cannot be read.
    const state = await page.evaluate<string>(readState).catch(() => undefined);
    const isSame = open.size === 0 && state !== undefined && state === before;
    before = state;
    return isSame && /^\S*\n0\n/.test(state);
  };
  await expect.poll(isStill, { interval: 30 }).toBe(true);
}
