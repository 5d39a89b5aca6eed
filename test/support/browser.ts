import { existsSync } from 'node:fs';
import { type Browser, chromium, errors, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import { readAssets } from '../../src/server/assets.ts';
import { type RunningServer, serveDashboard } from '../../src/server/serve.ts';
import type { Store } from '../../src/stores/store.ts';
import { openTab, patienceMs, type Tab, type TabChoices } from './browser-tab.ts';

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
export interface PageChoices extends TabChoices {
  /** Texts of errors in the console, such as the status of a refused request, and addresses of other servers, that belong to the test. */
  readonly mayFail?: readonly string[];
  /** True for a tab that no test has used: no pointer has been on it, and it is closed after the test. */
  readonly isNew?: boolean;
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

/** The browser of this process, which ends with it: the files of the project `browser` share their workers. */
let browser: Browser | undefined;
/** The tabs that no test uses now. */
const idleTabs: Tab[] = [];

/**
 * Gives the tests of a file a browser, which the tests of other files use too. After each test, its pages are closed, and the test fails if anything
 * happened on one of them that must not.
 */
export function useBrowser(): TestBrowser {
  let opened: { tab: Tab; faults: readonly string[]; isNew: boolean }[] = [];
  beforeAll(async () => {
    browser ??= await chromium.launch({ executablePath, args: flags });
  });
  afterEach(async () => {
    const faults = opened.flatMap((one) => one.faults);
    for (const { tab, isNew } of opened) {
      if (isNew) await tab.page.context().close();
      else if (await tab.clear()) idleTabs.push(tab);
    }
    opened = [];
    expect(faults).toEqual([]);
  });
  return {
    open: async (address, { mayFail = [], isNew = false, ...choices } = {}) => {
      if (browser === undefined)
        throw new Error('A page is opened in a test, after the start of the browser.');
      const idle = isNew ? undefined : idleTabs.pop();
      const tab = idle ?? (await openTab(browser));
      const faults = await tab.prepare(address, mayFail, choices);
      opened.push({ tab, faults, isNew });
      await openPage(tab.page, address);
      return { page: tab.page, faults };
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

async function openPage(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.locator('h1').first().waitFor();
  await page.waitForLoadState('networkidle');
  // On a busy machine, the network may be idle before a page has asked for its data.
  await page.locator('.skeleton').first().waitFor({ state: 'detached' });
}

/**
 * Presses two keys in a row, such as `g v`, until they have led somewhere: on a busy machine, more than the second may pass between
 * them in which they belong together.
 * @param arrive - Waits a moment for what they lead to, and throws when it is not there.
 */
export async function pressTogether(
  page: Page,
  keys: string,
  arrive: (limit: { timeout: number }) => Promise<unknown>,
): Promise<void> {
  const pressAll = async () => {
    for (const key of keys.split(' ')) await page.keyboard.press(key);
  };
  for (let count = 0; count < 5; count += 1) {
    await pressAll();
    try {
      await arrive({ timeout: 3000 });
      return;
    } catch (error) {
      if (!(error instanceof errors.TimeoutError)) throw error;
    }
  }
  await pressAll();
  await arrive({ timeout: patienceMs });
}
