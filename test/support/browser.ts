import { existsSync } from 'node:fs';
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import { readAssets } from '../../src/server/assets.ts';
import { type RunningServer, serveDashboard } from '../../src/server/serve.ts';
import type { Store } from '../../src/stores/store.ts';

/** The Chromiums of Debian: the one without windows takes a third less of CPU time. */
const installed = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

/** The Chromium that the environment names, or an installed one. */
const executablePath =
  process.env['TOUCHSTONE_TEST_CHROMIUM'] ??
  installed.find((file) => existsSync(file)) ??
  '/usr/bin/chromium';

/** Flags for a browser that runs as root, draws on no screen and calls no server of its vendor. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Describes tests that need a browser; they are skipped where there is none. */
export function describeInBrowser(title: string, tests: () => void): void {
  // oxlint-disable-next-line vitest/valid-describe-callback -- the callback of the caller
  describe.skipIf(!existsSync(executablePath))(`${title} (needs chromium)`, tests);
}

/** The choices for opening a page. */
export interface PageChoices extends Pick<BrowserContextOptions, 'colorScheme' | 'offline' | 'viewport'> {
  /** Texts of errors in the console that belong to the test, such as the status of a refused request. */
  readonly mayFail?: readonly string[];
}

/** A page of the dashboard in a browser. */
export interface OpenPage {
  readonly page: Page;
  /** Everything that must not happen on a page: errors, refusals of the security policy, requests to other hosts. */
  readonly faults: readonly string[];
}

/** A browser for the tests of a file. */
export interface TestBrowser {
  /** Opens an address, and waits until its data are there. */
  open(address: string, choices?: PageChoices): Promise<OpenPage>;
}

/** A dashboard over a store, with a browser to look at it. */
export interface TestDashboard {
  /** Opens a page, such as `/runs/latest`, and waits until its data are there. */
  open(path: string, choices?: PageChoices): Promise<OpenPage>;
  /** Opens a whole address. */
  openAddress(address: string, choices?: PageChoices): Promise<OpenPage>;
  readonly server: () => RunningServer;
}

/**
 * Starts one browser for the tests of a file. After each test, its pages are closed, and the test fails if anything happened
 * on one of them that must not.
 */
export function useBrowser(): TestBrowser {
  let browser: Browser;
  let opened: OpenPage[] = [];
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath, args: flags });
  });
  afterEach(async () => {
    const faults = opened.flatMap((one) => one.faults);
    for (const { page } of opened) await page.context().close();
    opened = [];
    expect(faults).toEqual([]);
  });
  afterAll(async () => await browser.close());
  return {
    open: async (address, choices) => {
      const one = await openPage(browser, address, choices);
      opened.push(one);
      return one;
    },
  };
}

/**
 * Serves a store for the tests of a file, with one browser.
 * @param folder - The folder from which the names of files in runs start.
 */
export function useDashboard(openStore: () => Promise<Store>, folder?: string): TestDashboard {
  const browser = useBrowser();
  let server: RunningServer;
  beforeAll(async () => {
    const store = await openStore();
    const parts = { openStore: () => Promise.resolve(store), assets: readAssets(), folder };
    server = await serveDashboard({ ...parts, port: 0 });
  });
  afterAll(async () => await server.close());
  return {
    server: () => server,
    openAddress: browser.open,
    open: async (path, choices) => await browser.open(server.addressOf(path), choices),
  };
}

async function openPage(
  browser: Browser,
  address: string,
  { mayFail = [], ...choices }: PageChoices = {},
): Promise<OpenPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...choices });
  const page = await context.newPage();
  const faults: string[] = [];
  const isOwn = createOwnTest(address);
  page.on('console', (message) => {
    const text = message.text();
    const isFault = message.type() === 'error' || message.type() === 'warning';
    if (isFault && !mayFail.some((part) => text.includes(part))) faults.push(`console: ${text}`);
  });
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('request', (request) => {
    if (!isOwn(request.url())) faults.push(`request: ${request.url()}`);
  });
  await page.exposeFunction('reportViolation', (what: string) => faults.push(`policy: ${what}`));
  // A text, since these tests are not compiled for a browser.
  await page.addInitScript(`document.addEventListener('securitypolicyviolation', (event) =>
    reportViolation(event.violatedDirective + ' ' + event.blockedURI))`);
  await page.goto(address);
  await page.locator('h1').first().waitFor();
  await page.waitForLoadState('networkidle');
  // On a busy machine, the network may be idle before a page has asked for its data.
  await page.locator('.skeleton').first().waitFor({ state: 'detached' });
  return { page, faults };
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

/** The rules of axe whose result depends on colours. */
const colourRules = ['color-contrast', 'link-in-text-block'];

/** Lists what axe finds wrong with the accessibility of a page; in the dark scheme only what depends on colours. */
export async function findBarriers(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    // There are no frames, for which axe would open another page.
    const axe = new AxeBuilder({ page }).setLegacyMode();
    const { violations } = await (colorScheme === 'dark' ? axe.withRules(colourRules) : axe).analyze();
    found.push(
      ...violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${colorScheme}: ${id}: ${html}`)),
    );
  }
  return found;
}
