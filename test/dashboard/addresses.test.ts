import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { createRandom, type Random } from '../../src/core/stats/random.ts';
import { describeInBrowser, useDashboard } from '../support/browser.ts';
import { buildWholeStore, wholeStore } from '../support/build-whole-store.ts';
import { trackRequests, waitUntilStill } from '../support/still-page.ts';
import { isReleaseTested } from '../support/is-release-tested.ts';

/** The walk: its steps, and the seed of its choices. A longer one is `TOUCHSTONE_TEST_STEPS=500`. */
const steps = Number(process.env['TOUCHSTONE_TEST_STEPS'] ?? 30);
const seed = process.env['TOUCHSTONE_TEST_SEED'] ?? 'addresses';

/** The state of a page that its address holds. */
type Shown = Readonly<Record<'headings' | 'rows' | 'place' | 'chosen' | 'fields', readonly string[]>>;

// Texts, since tests are not compiled for a browser.
const readShown = `(() => {
  const texts = (query) => [...document.querySelectorAll(query)]
    .filter((each) => each.checkVisibility()).map((each) => each.innerText.trim().replaceAll(/\\s+/g, ' '));
  return {
    headings: texts('h1, h2, [role=alert], [role=status]'),
    rows: texts('[role=row][data-index], [role=grid] [role=columnheader], tbody tr, main li'),
    place: texts('nav[aria-label=Questions]'),
    chosen: texts('[aria-pressed=true], [aria-current], [aria-sort=ascending], [aria-sort=descending]'),
    fields: [...document.querySelectorAll('main input:is([type=text], [type=search]), main select')].map((each) => each.value),
  };
})()`;

/** The elements that lead to another address. A choice of attempts or of marks is part of no address. */
const ways = [
  'header nav a',
  'main a[href^="/"]:not([href^="/api"])',
  'main button[aria-pressed]:not([role=group][aria-label^=Attempts] button, [role=dialog] button)',
  '[role=columnheader] button',
  '[role=row][data-index]',
  'main button:text-matches("^(Swap|Previous|Next|Close|Show all)")',
] as const;

const { cases, before: earlier, tools } = wholeStore;

/** Addresses that a user may have been sent. */
const sent = [
  `/runs/${cases}/cases?where=category%3Dtaxes&sort=-latencyMs`,
  `/runs/${cases}/cases/4?where=passed%3Dfalse`,
  `/compare?a=${earlier}&b=${cases}&where=category%3Dtaxes`,
  `/compare?a=${earlier}&b=${cases}&case=case-7`,
  `/runs/${tools}/tools`,
  `/runs/${cases}?target=other`,
  '/datasets/golden.jsonl',
  '/runs/latest/gate?difference=2',
];

/** A move of a walk: its name for the message of a failure, and what it does; false when it cannot be done here. */
type Move = readonly [name: string, run: () => Promise<boolean>];

function movesOn(page: Page, origin: string, random: Random): readonly Move[] {
  const follow = async (way: string): Promise<boolean> => {
    const all = page.locator(way).filter({ visible: true });
    const count = await all.count();
    if (count === 0) return false;
    // Fixed bars may lie over what is clicked.
    await all.nth(random.integer(count)).dispatchEvent('click');
    return true;
  };
  const choose = async (): Promise<boolean> => {
    const all = page.locator('main select').filter({ visible: true });
    const count = await all.count();
    if (count === 0) return false;
    const select = all.nth(random.integer(count));
    const options = await select.locator('option').count();
    await select.selectOption({ index: random.integer(options) });
    return true;
  };
  const filter = async (): Promise<boolean> => {
    const field = page.locator('main form input:is([type=text], [type=search])').first();
    if ((await field.count()) === 0) return false;
    const texts = ['', 'category=taxes', 'target=bot', 'id=case-1*', 'id=nothing'];
    await field.fill(texts[random.integer(texts.length)] ?? '');
    await field.press('Enter');
    return true;
  };
  const always = (act: () => Promise<unknown>) => async (): Promise<boolean> => {
    await act();
    return true;
  };
  return [
    ...ways.map((way): Move => [`follow ${way}`, () => follow(way)]),
    ...ways.slice(1, 3).map((way): Move => [`follow ${way}`, () => follow(way)]),
    ['choose', choose],
    ['filter', filter],
    ['back', always(() => page.goBack({ waitUntil: 'commit' }))],
    ['back', always(() => page.goBack({ waitUntil: 'commit' }))],
    ...ways.slice(1, 5).map((way): Move => [`follow ${way}`, () => follow(way)]),
    ['go', always(() => page.goto(new URL(sent[random.integer(sent.length)] ?? '', origin).href))],
    ['forward', always(() => page.goForward({ waitUntil: 'commit' }))],
    ['reload', always(() => page.reload())],
  ];
}

describeInBrowser('the address of a page', () => {
  const store = buildWholeStore();
  const dashboard = useDashboard(async () => (await store).store);

  test.skipIf(!isReleaseTested)(
    'is its whole state: however one comes to it, it shows the same (needs TOUCHSTONE_TEST_ALL=1)',
    async () => {
      const random = createRandom(seed);
      const { origin } = new URL(dashboard.server().addressOf('/'));
      const { page } = await dashboard.open('/', { mayFail: ['400', '404'] });
      const requests = trackRequests(page);
      const other = await page.context().newPage();
      const otherRequests = trackRequests(other);
      const known = new Map<string, Shown>();
      const way: string[] = [];
      const check = async (at: Page, from: typeof requests): Promise<void> => {
        await waitUntilStill(at, from);
        const { pathname, search } = new URL(at.url());
        const before = known.get(pathname + search);
        if (before === undefined) {
          known.set(pathname + search, await at.evaluate<Shown>(readShown));
          return;
        }
        // A part that is loaded after the page may still be missing.
        const how = `${pathname}${search} after\n${way.slice(-12).join('\n')}`;
        await expect.poll(() => at.evaluate<Shown>(readShown), { message: how }).toEqual(before);
      };
      await check(page, requests);
      while (way.length < steps) {
        const moves = movesOn(page, origin, random);
        const [name, run] = moves[random.integer(moves.length)] ?? [
          'none',
          async () => Promise.resolve(false),
        ];
        if (!(await run()) || page.url() === 'about:blank') continue;
        way.push(`${name} → ${page.url()}`);
        await check(page, requests);
        if (random.integer(6) !== 0) continue;
        way.push(`paste ${page.url()}`);
        await other.goto(page.url());
        await check(other, otherRequests);
      }
      expect(known.size).toBeGreaterThan(steps / 4);
    },
    60_000 + 5_000 * steps,
  );
});
