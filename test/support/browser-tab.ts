import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

/** The conditions under which a tab shows pages. */
export type TabChoices = Pick<BrowserContextOptions, 'colorScheme' | 'offline' | 'viewport'>;

/** A tab that opens a page for one test after another, and leaves nothing of it to the next. */
export interface Tab {
  readonly page: Page;
  /**
   * Makes the tab ready for a test.
   * @param address - The address that the test opens; its server is the only one that may be asked.
   * @param mayFail - Texts of errors in the console, and beginnings of addresses of other servers, that belong to the test.
   * @returns Everything that must not happen, from now on.
   */
  prepare(address: string, mayFail: readonly string[], choices: TabChoices): Promise<readonly string[]>;
  /** Leaves the page, and forgets what it stored. Returns whether another test can use the tab, which a test may have closed. */
  clear(): Promise<boolean>;
}

/** The time after which what a test waits for on a page will not come, however busy the machine is. */
export const patienceMs = 300_000;

const usualSize = { width: 1280, height: 800 };

/**
 * Opens a tab whose storage is its own. A page in a tab that was used before takes half the CPU time of one in a new tab: its
 * process runs, and its scripts are compiled.
 */
export async function openTab(browser: Browser): Promise<Tab> {
  const context = await browser.newContext({ viewport: usualSize });
  context.setDefaultTimeout(patienceMs);
  const page = await context.newPage();
  let report = (_fault: string) => {};
  let isOwn = (_url: string) => true;
  let allowed: readonly string[] = [];
  page.on('console', (message) => {
    const text = message.text();
    const isFault = message.type() === 'error' || message.type() === 'warning';
    if (isFault && !allowed.some((part) => text.includes(part))) report(`console: ${text}`);
  });
  page.on('pageerror', (error) => report(`error: ${error.message}`));
  page.on('request', (request) => {
    const url = request.url();
    if (!isOwn(url) && !allowed.some((text) => url.startsWith(text))) report(`request: ${url}`);
  });
  await page.exposeFunction('reportViolation', (what: string) => report(`policy: ${what}`));
  // A text, since these tests are not compiled for a browser.
  await page.addInitScript(`document.addEventListener('securitypolicyviolation', (event) =>
    reportViolation(event.violatedDirective + ' ' + event.blockedURI))`);
  return {
    page,
    async prepare(address, mayFail, { colorScheme = 'light', offline = false, viewport = usualSize }) {
      const faults: string[] = [];
      report = (fault) => faults.push(fault);
      isOwn = createOwnTest(address);
      allowed = mayFail;
      await page.emulateMedia({ colorScheme, media: null, reducedMotion: null });
      await page.setViewportSize(viewport ?? usualSize);
      await context.setOffline(offline);
      return faults;
    },
    async clear() {
      report = () => {};
      if (page.isClosed()) return false;
      for (const other of context.pages()) if (other !== page) await other.close();
      // A page with unsaved work asks before it is left.
      page.removeAllListeners('dialog').on('dialog', (dialog) => void dialog.accept());
      // Without another process, as `goto` would start.
      await page.evaluate('localStorage.clear(), sessionStorage.clear(), location.replace("about:blank")');
      await page.waitForURL('about:blank');
      page.removeAllListeners('dialog');
      await context.clearCookies();
      return true;
    },
  };
}

/** Creates a test of whether a request belongs to a page: to its server, or to nothing but a file itself. */
function createOwnTest(address: string): (url: string) => boolean {
  const own = new URL(address);
  return (url) => {
    const { protocol, origin, pathname } = new URL(url);
    if (protocol === 'data:') return true;
    return own.protocol === 'file:'
      ? protocol === 'file:' && pathname === own.pathname
      : origin === own.origin;
  };
}
