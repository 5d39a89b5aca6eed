import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createRandom } from '../../src/core/stats/random.ts';
import { openSqliteStore } from '../../src/stores/sqlite/sqlite.ts';
import { describeInBrowser, useBrowser } from '../support/browser.ts';
import { storeReviewTask } from '../support/review-task.ts';
import { findFreePort } from '../../scripts/find-free-port.ts';
import { isReleaseTested } from '../support/is-release-tested.ts';
import { labelKind } from '../../src/stores/kinds/label.ts';

/** The number of labels; set `TOUCHSTONE_LABELS=500` for more. */
const labels = Number(process.env['TOUCHSTONE_LABELS'] ?? 60);
/** The number of kills of the server. */
const kills = Math.ceil(labels / 20);
const program = path.resolve(import.meta.dirname, '../../bin/touchstone.js');

let folder: string;

/** Starts a server over the store, and returns it with its address. */
async function startServer(port: number): Promise<{ readonly child: ChildProcess; readonly address: URL }> {
  const args = [program, 'review', 'open', '--no-open', '--store', folder, '--port', String(port)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout })) {
    const address = /http:\S+/.exec(line)?.[0];
    if (address !== undefined) return { child, address: new URL(address) };
  }
  throw new Error('The server ended before it printed its address.');
}

describeInBrowser('reviews of a server that is killed', () => {
  const browser = useBrowser();
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'touchstone-review-'));
    const store = openSqliteStore(path.join(folder, 'touchstone.db'));
    await storeReviewTask(store, { answers: { passed: labels, failed: 0 } });
    await store.close();
  });
  afterAll(async () => await rm(folder, { recursive: true, force: true }));

  test.skipIf(!isReleaseTested)(
    `${labels} labels by keyboard alone, ${kills} kills: none is lost, none is double (needs TOUCHSTONE_TEST_ALL=1)`,
    {
      timeout: 120_000 + labels * 1000,
    },
    async () => {
      // The port stays the same, since a page belongs to one.
      const port = await findFreePort();
      let { child, address } = await startServer(port);
      onTestFinished(() => void child.kill('SIGKILL'));
      expect(address.pathname).toBe('/reviews/task-1');
      const mayFail = ['Failed to load resource', 'ERR_'];
      const { page } = await browser.open(address.href, { mayFail });
      await page.addInitScript(countPointers);
      await page.reload();
      const restart = async (): Promise<void> => {
        child.kill('SIGKILL');
        await once(child, 'exit');
        ({ child, address } = await startServer(port));
        // Opening the new address in another tab gives the browser the new cookie.
        await page.context().request.get(address.href);
      };
      await page.getByRole('textbox', { name: 'Who labels?' }).fill('Ann');
      await page.keyboard.press('Enter');
      await page.getByRole('checkbox', { name: 'Show the judge' }).press('Space');
      await page.evaluate('document.activeElement.blur()');
      await labelAll(page, restart);
      expect(await page.evaluate('window.pointers')).toBe(0);
      const store = openSqliteStore(path.join(folder, 'touchstone.db'));
      onTestFinished(() => store.close());
      const given = await Array.fromAsync(store.documents.list(labelKind));
      expect(given).toHaveLength(labels);
      expect(new Set(given.map(({ item }) => item)).size).toBe(labels);
      const wrong = given.filter(
        ({ outcome, subject }) =>
          !(outcome.status === 'answered' && outcome.value === isEven(subject.ordinal)),
      );
      expect(wrong).toEqual([]);
    },
  );
});

const countPointers = `window.pointers = 0;
  for (const type of ['pointerdown', 'pointermove', 'mousedown', 'mousemove', 'wheel', 'touchstart'])
    addEventListener(type, () => { window.pointers += 1; }, true);`;

function isEven(ordinal: number | undefined): boolean {
  return (ordinal ?? 0) % 2 === 0;
}

/** Labels every item by what its answer says, while the server is killed at random moments. */
async function labelAll(page: Page, restart: () => Promise<void>): Promise<void> {
  const random = createRandom('kills');
  const killed = new Set(Array.from({ length: kills }, (_, index) => 5 + index * 20 + random.integer(15)));
  const conversation = page.getByRole('region', { name: 'Conversation' });
  for (let count = 0; count < labels; count += 1) {
    const answer = await conversation.getByText(/^answer \d+$/).textContent();
    await page.keyboard.press(isEven(Number(answer?.slice(7))) ? 'y' : 'n');
    await page.keyboard.press('Enter');
    if (killed.has(count)) {
      await new Promise((resolve) => setTimeout(resolve, random.integer(25)));
      await restart();
    }
    await page.getByText(`${count + 1} in this sitting`).waitFor();
    // The next answer, too: a key for this one would label it.
    const isLast = count + 1 === labels;
    if (answer !== null && !isLast)
      await conversation.getByText(answer, { exact: true }).waitFor({ state: 'hidden' });
  }
}
