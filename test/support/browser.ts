import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AxeResults, RunOptions } from 'axe-core';
import { type Browser, chromium, errors, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import { readAssets } from '../../src/server/assets.ts';
import { type RunningServer, serveDashboard } from '../../src/server/serve.ts';
import type { Store } from '../../src/stores/store.ts';
import { openTab, patienceMs, type Tab, type TabChoices } from './browser-tab.ts';
import { isReleaseTested } from './is-release-tested.ts';

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

/** The script of axe in the form that a browser reads fastest. */
const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/**
 * Without what axe would take most of its time for: a list of what passes, the selectors of what it finds, and reading the style sheets
 * once more, which no rule needs that it applies to these pages.
 */
const failuresOnly: RunOptions = { resultTypes: ['violations'], preload: false, selectors: false };

/** The rules that depend on colours, which take most of the time. */
const ofColours = ['color-contrast', 'link-in-text-block'];

/** All rules except for colours; the size of what is pressed; and the rules for colours. */
const looks = {
  page: {
    ...failuresOnly,
    rules: {
      ...Object.fromEntries(ofColours.map((rule) => [rule, { enabled: false }])),
      // What one presses or taps is 24 pixels wide and high, or has that much room around it.
      'target-size': { enabled: true },
    },
  },
  targets: { ...failuresOnly, runOnly: { type: 'rule', values: ['target-size'] } },
  colours: { ...failuresOnly, runOnly: { type: 'rule', values: ofColours } },
} satisfies Record<string, RunOptions>;

/** A list is as its first rows are: to look at sixty more takes most of the time. */
const exclude = [['[role=row]:nth-child(n+13)'], ['tr:nth-child(n+13)'], ['li:nth-child(n+13)']];

/** The addresses that axe has looked at. */
const lookedAt = new Set<string>();
/** The kinds of elements whose colours axe has looked at. */
const coloured = new Set<string>();

/**
 * Lists the kinds of all visible elements with a text of their own: elements of a kind have the same colours, by the names, the classes of
 * colours and the states of an element and all that it lies in.
 */
const kindsOfElements = `(window.elementsWithText = Array.from(document.body.querySelectorAll('*')).filter((element) =>
  element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && (element.localName === 'input' ||
    Array.from(element.childNodes).some(({ nodeType, data }) => nodeType === 3 && data.trim() !== ''))))
  .map((element) => {
    const kind = [element.localName];
    for (let at = element; at !== null; at = at.parentElement) {
      kind.push(...Array.from(at.classList).filter((name) => /^[a-z]+$|(^|:)(bg|text|opacity|font)-/.test(name)), '<');
      for (const name of ['aria-current', 'aria-invalid', 'aria-pressed', 'aria-selected', 'disabled'])
        if (at.hasAttribute(name)) kind.push(name + at.getAttribute(name));
    }
    return kind.join(' ');
  })`;

/**
 * Lists what axe finds wrong with the accessibility of a page; in the dark scheme only what depends on colours. Of a list, its first rows
 * are looked at, and the colours only of elements of another kind than before. The dark scheme, and further states of a page, such as an
 * open dialog, are looked at before a release only.
 */
export async function findBarriers(page: Page): Promise<string[]> {
  const { pathname } = new URL(page.url());
  if (!isReleaseTested && lookedAt.has(pathname)) return [];
  lookedAt.add(pathname);
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe);
  // What the bar at the top lies over is no small target.
  await page.evaluate('scrollTo(0, 0)');
  const found = await look(page, 'page');
  const kinds = await page.evaluate<string[]>(kindsOfElements);
  const others = [...new Set(kinds)].filter((kind) => !coloured.has(kind));
  if (others.length === 0) return found;
  for (const kind of others) coloured.add(kind);
  const places = others.map((kind) => kinds.indexOf(kind));
  for (const colorScheme of isReleaseTested ? (['light', 'dark'] as const) : (['light'] as const)) {
    await page.emulateMedia({ colorScheme });
    found.push(...(await look(page, 'colours', places)));
  }
  return found;
}

/** Lists what is smaller on a page, as wide as it is now, than the 24 pixels that a finger needs, without room around it. */
export async function findSmallTargets(page: Page): Promise<string[]> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe);
  return await look(page, 'targets');
}

/** Lists what axe finds on a page, or on the elements at the given places. */
async function look(page: Page, what: keyof typeof looks, places?: readonly number[]): Promise<string[]> {
  const chosen =
    places && `include: ${JSON.stringify(places)}.map((place) => window.elementsWithText[place])`;
  const context = `{ exclude: ${JSON.stringify(exclude)}, ${chosen ?? ''} }`;
  const violations = await page.evaluate<AxeResults['violations']>(
    `axe.run(${context}, ${JSON.stringify(looks[what])}).then(({ violations }) => violations)`,
  );
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
