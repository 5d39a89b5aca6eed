import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { createMemoryStore } from '../support/memory-store.ts';
import { buildRun } from '../../src/library/testing/build-records.ts';
import { describeInBrowser, findBarriers, pressTogether, useDashboard } from '../support/browser.ts';
import { isReleaseTested } from '../support/is-release-tested.ts';

/** Waits for the title of a page. */
async function expectTitle(page: Page, name: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
}

describeInBrowser('an empty store', () => {
  const dashboard = useDashboard(() => Promise.resolve(createMemoryStore()));

  test('the list of runs says how to make one', async () => {
    const { page } = await dashboard.open('/');
    await expectTitle(page, 'Runs');
    expect(await page.getByRole('main').textContent()).toContain('touchstone run makes one');
    expect(await findBarriers(page)).toEqual([]);
  });

  test.skipIf(!isReleaseTested)(
    'an opened address shows its page in every window of the browser, and in another browser how to get one (needs TOUCHSTONE_TEST_ALL=1)',
    async () => {
      const address = dashboard.server().addressOf('/datasets');
      const { page } = await dashboard.openAddress(address);
      await expectTitle(page, 'Datasets');
      expect(page.url()).not.toContain('access=');
      const second = await page.context().newPage();
      await second.goto(address);
      await expectTitle(second, 'Datasets');
      const { page: other } = await dashboard.openAddress(address, { mayFail: ['403'] });
      await expectTitle(other, 'The dashboard is not open in this browser');
      expect(await other.getByRole('main').textContent()).toContain('run touchstone view again');
      expect(await findBarriers(other)).toEqual([]);
    },
  );

  test('an unknown address says so, and leads back', async () => {
    const { page } = await dashboard.open('/nowhere');
    await expectTitle(page, 'There is no such page');
    await page.getByRole('link', { name: 'the runs' }).click();
    await expectTitle(page, 'Runs');
  });

  test('an unknown run is explained as on the command line', async () => {
    const { page } = await dashboard.open('/runs/none', { mayFail: ['404'] });
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.textContent()).toContain('There are no runs yet.');
    expect(await alert.textContent()).toContain('run-not-found');
    expect(await findBarriers(page)).toEqual([]);
  });
});

describeInBrowser('keys', () => {
  const dashboard = useDashboard(async () => {
    const store = createMemoryStore();
    await store.createRun(buildRun());
    return store;
  });

  test('`?` lists the keys, Escape closes the list, and `g r` goes to the runs', async () => {
    const { page } = await dashboard.open('/runs/latest');
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keys' });
    await dialog.waitFor();
    expect(await dialog.textContent()).toContain('Go to the runs');
    expect(await findBarriers(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    const heading = page.getByRole('heading', { level: 1, name: 'Runs' });
    await pressTogether(page, 'g r', (limit) => heading.waitFor(limit));
  });

  test('a run under way is in the list, which leads to its page', async () => {
    const { page } = await dashboard.open('/');
    await page.getByRole('link', { name: '20260102-030405-abcd' }).click();
    await page.waitForURL(/\/runs\/20260102-030405-abcd$/);
    expect(await findBarriers(page)).toEqual([]);
  });
});
