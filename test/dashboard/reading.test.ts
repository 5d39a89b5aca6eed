import { readFileSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { propose } from '../../src/library/api/cases/propose.ts';
import { importTraces } from '../../src/library/api/cases/traces.ts';
import { traceKind } from '../../src/stores/kinds/trace.ts';
import { readAssets } from '../../src/server/assets.ts';
import { keptSecret } from '../../src/server/kept-secret.ts';
import { serveDashboard } from '../../src/server/serve.ts';
import { summarizeRun } from '../../src/evaluate/run/summarize.ts';
import { createMemoryStore } from '../support/memory-store.ts';
import { describeInBrowser, findSmallTargets, useBrowser, useDashboard } from '../support/browser.ts';
import { buildKeptRun } from '../support/build-kept-run.ts';
import { buildWholeStore, wholeStore } from '../support/build-whole-store.ts';
import { storeReviewTask } from '../support/review-task.ts';

const { cases, before, tools } = wholeStore;
const trace = '5b8efff798038103d269b633813fc60c';

/** The pages, each with the name of its tab, and whether it has a table to which Tab leads. */
const pages = [
  { at: '/', tab: 'Runs · Touchstone', hasTable: true },
  { at: `/?pick=${cases},${before}`, tab: 'Runs · Touchstone', hasTable: true },
  { at: `/runs/${cases}`, tab: `golden.jsonl · bot, other · ${cases} · Touchstone`, hasTable: true },
  { at: `/runs/${cases}/cases`, tab: `Questions · ${cases} · Touchstone`, hasTable: true },
  {
    at: `/runs/${cases}/cases?where=passed%3Dfalse`,
    tab: `Questions · ${cases} · passed=false · Touchstone`,
    hasTable: true,
  },
  { at: `/runs/${cases}/cases?text=tax`, tab: `Questions · ${cases} · tax · Touchstone`, hasTable: false },
  {
    at: `/runs/${cases}/cases/0`,
    tab: `Which tax applies to property number 0? · bot · ${cases} · Touchstone`,
    hasTable: false,
  },
  { at: `/runs/${tools}/tools`, tab: `Tools · ${tools} · Touchstone`, hasTable: true },
  { at: `/runs/${tools}/gate`, tab: `Gate · ${tools} · Touchstone`, hasTable: false },
  {
    at: `/compare?a=${before}&b=${cases}`,
    tab: `Compare · ${before} with ${cases} · Touchstone`,
    hasTable: true,
  },
  {
    at: `/matrix?columns=${before},${cases}`,
    tab: 'Matrix: bot, other, bot, other · Touchstone',
    hasTable: true,
  },
  { at: '/datasets', tab: 'Datasets · Touchstone', hasTable: true },
  { at: '/datasets/golden.jsonl', tab: 'golden.jsonl · Touchstone', hasTable: true },
  { at: '/judges', tab: 'Judges · Touchstone', hasTable: true },
  { at: '/reviews', tab: 'Review · Touchstone', hasTable: false },
  { at: '/reviews/keys', tab: 'tone · Touchstone', hasTable: false },
  { at: '/proposals', tab: 'Proposals · Touchstone', hasTable: false },
  { at: '/traces', tab: 'Traces · Touchstone', hasTable: true },
  { at: `/traces/${trace}`, tab: `Trace ${trace.slice(0, 12)} · Touchstone`, hasTable: false },
] as const;

/** Presses Tab until a table, or the part that it scrolls in, has the focus, and returns how often. */
async function tabsBeforeTable(page: Page): Promise<number> {
  await page.evaluate('document.activeElement?.blur()');
  for (let count = 1; count <= 40; count += 1) {
    await page.keyboard.press('Tab');
    const isThere = await page.evaluate<boolean>(
      `document.activeElement.closest('table, [role=grid], [role=table]') !== null ||
        (document.activeElement.getAttribute('role') === 'region' && document.activeElement.querySelector('table') !== null)`,
    );
    if (isThere) return count - 1;
  }
  return Number.POSITIVE_INFINITY;
}

describeInBrowser('every page', () => {
  const dashboard = useDashboard(async () => {
    const { store } = await buildWholeStore();
    await storeReviewTask(store, { id: 'keys' });
    await importTraces(path.join(import.meta.dirname, '../otlp/exporter-http.json'), { store });
    const traces = await Array.fromAsync(store.documents.list(traceKind), ({ traceId }) => traceId);
    const golden = path.join(await mkdtemp(path.join(tmpdir(), 'touchstone-reading-')), 'golden.jsonl');
    await writeFile(golden, '{"id": "friday", "question": "When is the library open on Friday?"}\n');
    await propose({ store, dataset: golden, traces, by: 'Ann' });
    return store;
  });

  test('says in its tab what it shows, has its first table at most twelve presses of Tab away, and fits a narrow screen with targets of 24 pixels', async () => {
    const { page } = await dashboard.open('/');
    for (const { at, tab, hasTable } of pages) {
      await page.goto(new URL(at, page.url()).href);
      await page.locator('h1').first().waitFor();
      await page.locator('.skeleton, [aria-busy=true]').first().waitFor({ state: 'detached' });
      await expect.poll(() => page.title()).toBe(tab);
      if (hasTable) {
        const count = await tabsBeforeTable(page);
        expect.soft([at, count, count <= 12]).toEqual([at, count, true]);
      }
      const widthOfPage = () => page.evaluate<number>('document.documentElement.scrollWidth');
      expect.soft([at, await widthOfPage()]).toEqual([at, 1280]);
      await page.setViewportSize({ width: 390, height: 800 });
      await page.evaluate(
        'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))',
      );
      expect.soft([at, await widthOfPage()]).toEqual([at, 390]);
      // On the wide screen, `findBarriers` looks at the targets.
      expect.soft([at, await findSmallTargets(page)]).toEqual([at, []]);
      await page.setViewportSize({ width: 1280, height: 800 });
    }
  });
});

const arabic =
  'متى يجب دفع الضريبة؟ (tax 2024) وهل يمكنني الدفع بالبطاقة بعد هذا التاريخ إذا وصل الإشعار متأخرا';

describeInBrowser('a question that is read from right to left', () => {
  const dashboard = useDashboard(async () => {
    const { store } = await buildKeptRun([
      { asks: arabic, id: 'سؤال', category: 'ضرائب', attempts: [{ total: 0.2, answer: 'في ٣ مارس' }] },
      { asks: 'What does שלום mean?', id: 'mixed', category: 'taxes', attempts: [{ total: 1 }] },
    ]);
    return store;
  });

  test.each([1280, 390])('keeps its beginning where it is cut, with %d pixels', async (width) => {
    const { page } = await dashboard.open('/runs/latest/cases', { viewport: { width, height: 800 } });
    await page.getByRole('row').filter({ hasText: 'متى' }).waitFor();
    // The first letter stands within its cell, at the right end, and the end of the text does not.
    const [first, last, cell] = await page.evaluate<{ left: number; right: number }[]>(`(() => {
      const cell = [...document.querySelectorAll('[role=gridcell]')].find((each) => each.textContent.startsWith('متى'));
      const text = cell.querySelector('bdi').firstChild;
      const rectOf = (from) => {
        const range = document.createRange();
        range.setStart(text, from);
        range.setEnd(text, from + 1);
        return range.getBoundingClientRect().toJSON();
      };
      return [rectOf(0), rectOf(text.data.length - 1), cell.getBoundingClientRect().toJSON()];
    })()`);
    expect(first?.left).toBeGreaterThanOrEqual(cell?.left ?? 0);
    expect(first?.right).toBeLessThanOrEqual((cell?.right ?? 0) + 1);
    expect(last?.left).toBeLessThan(cell?.left ?? 0);
  });

  test('leaves the facts beside it in their order in the head of a case', async () => {
    const { page } = await dashboard.open('/runs/latest/cases/0');
    await page.getByText('ضرائب').waitFor();
    const places = await page.evaluate<[string, number][]>(`(() => {
      const line = [...document.querySelectorAll('p')].find((each) => each.textContent.includes('ضرائب'));
      return [...line.querySelectorAll('bdi')].map((each) => [each.textContent, each.getBoundingClientRect().left]);
    })()`);
    expect(places.map(([text]) => text)).toEqual(['سؤال', 'bot', 'ضرائب', '10 ms', 'golden.jsonl:1']);
    expect(places.map(([, left]) => left)).toEqual(places.map(([, left]) => left).toSorted((a, b) => a - b));
  });

  test('answers stay without their Markdown in the next case and the next visit, once one wants them so', async () => {
    const { page } = await dashboard.open('/runs/latest/cases/0');
    const box = page.getByRole('checkbox', { name: 'Markdown' });
    expect(await box.isChecked()).toBe(true);
    await box.uncheck();
    await page.getByRole('link', { name: 'Next question' }).click();
    await page.getByRole('heading', { name: 'What does' }).waitFor();
    expect(await box.isChecked()).toBe(false);
    await page.reload();
    await box.waitFor();
    expect(await box.isChecked()).toBe(false);
  });

  test('has buttons that copy its id and its answer', async () => {
    const { page } = await dashboard.open('/runs/latest/cases/0', { isNew: true });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const copied = () => page.evaluate<string>('navigator.clipboard.readText()');
    await page.getByRole('button', { name: 'Copy id' }).click();
    await expect.poll(copied).toBe('سؤال');
    await page.getByRole('button', { name: 'Copy answer' }).click();
    await expect.poll(copied).toBe('في ٣ مارس');
  });
});

describeInBrowser('several windows', () => {
  const store = createMemoryStore();
  const dashboard = useDashboard(async () => {
    await buildKeptRun([{ asks: 'When?', attempts: [{ total: 1 }] }], { id: 'first-run' }, store);
    return store;
  });

  test('share one stream of events, and one that closes leaves it to another', async () => {
    const { page } = await dashboard.open('/', { isNew: true });
    const context = page.context();
    let streams = 1;
    context.on('request', (request) => {
      if (new URL(request.url()).pathname === '/api/events') streams += 1;
    });
    const windows = [page];
    while (windows.length < 4) {
      const other = await context.newPage();
      await other.goto(page.url());
      await other.getByRole('link', { name: 'first-run' }).waitFor();
      windows.push(other);
    }
    const add = async (id: string) => {
      await buildKeptRun(
        [{ asks: 'When?', attempts: [{ total: 1 }] }],
        { id, createdAt: new Date().toISOString() },
        store,
      );
    };
    await add('second-run');
    for (const each of windows) await each.getByRole('link', { name: 'second-run' }).waitFor();
    expect(streams).toBe(1);
    await page.close();
    await expect.poll(() => streams).toBe(2);
    await add('third-run');
    for (const each of windows.slice(1)) await each.getByRole('link', { name: 'third-run' }).waitFor();
    expect(streams).toBe(2);
  });
});

describeInBrowser('a dashboard that is started again', () => {
  const browser = useBrowser();

  test('goes on in the windows that are open, and another one at another port does not know them', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'touchstone-restart-'));
    const store = createMemoryStore();
    await buildKeptRun([{ asks: 'When?', attempts: [{ total: 1 }] }], { id: 'first-run' }, store);
    const serve = async (port: number) =>
      await serveDashboard({
        openStore: () => Promise.resolve(store),
        assets: readAssets(),
        port,
        secretFor: (at) => keptSecret(at, 'the store', path.join(folder, 'view')),
      });
    const first = await serve(0);
    const { page } = await browser.open(first.addressOf('/'), {
      isNew: true,
      mayFail: ['ERR_CONNECTION_REFUSED', 'ERR_INCOMPLETE_CHUNKED', 'ERR_EMPTY', '403', 'http://127.0.0.1'],
    });
    await first.close();
    const again = await serve(first.port);
    await page.getByRole('link', { name: 'first-run' }).click();
    await page.getByText('1 question').first().waitFor();
    const other = await serve(0);
    const answer = await page.request.get(`http://127.0.0.1:${other.port}/api/runs`);
    expect(answer.status()).toBe(403);
    await again.close();
    await other.close();
  });
});

describeInBrowser('a long list of questions', () => {
  const store = createMemoryStore();
  const dashboard = useDashboard(async () => {
    const cases = Array.from({ length: 700 }, (_, index) => ({
      asks: `Question ${index}?`,
      id: `q-${index}`,
      category: index % 2 === 0 ? 'even' : 'odd',
      attempts: [{ total: 1 }],
    }));
    await buildKeptRun(cases, { id: 'long-run' }, store);
    return store;
  });

  test('End goes to its last row, of whose neighbours most were not loaded', async () => {
    const { page } = await dashboard.open('/runs/long-run/cases');
    await page.getByRole('row').nth(1).focus();
    await page.keyboard.press('End');
    const focused = () => page.locator('[role=row]:focus').allInnerTexts();
    await expect.poll(focused).toEqual([expect.stringContaining('q-699')]);
    await page.keyboard.press('Home');
    await expect.poll(focused).toEqual([expect.stringContaining('q-0')]);
  });

  test('all rows of a filter are selected at once, loaded or not, and none again', async () => {
    const { page } = await dashboard.open('/runs/long-run/cases?where=category%3Dodd');
    await page.getByRole('checkbox', { name: 'Select all' }).click();
    const bar = page.getByRole('region', { name: 'Selection' });
    await bar.waitFor();
    expect(await bar.textContent()).toContain('350 questions selected');
    await page.getByRole('checkbox', { name: 'Select none' }).click();
    await bar.waitFor({ state: 'detached' });
  });

  test('is downloaded as it is filtered', async () => {
    const { page } = await dashboard.open('/runs/long-run/cases?where=category%3Dodd');
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'JSONL' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe('long-run.jsonl');
    const lines = readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\n');
    expect(lines).toHaveLength(350);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ case: 'q-1', category: 'odd' });
  });

  test('several runs are deleted at once, after their number was typed', async () => {
    for (const id of ['extra-1', 'extra-2'])
      await buildKeptRun([{ asks: 'When?', attempts: [{ total: 1 }] }], { id }, store);
    const { page } = await dashboard.open('/?pick=extra-1,extra-2');
    await page.getByRole('button', { name: 'Delete…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete 2 runs permanently' });
    await dialog.getByRole('textbox').fill('2 runs');
    await dialog.getByRole('button', { name: 'Delete permanently' }).click();
    await page.getByRole('link', { name: 'extra-1' }).waitFor({ state: 'detached' });
    expect((await store.listRuns({ limit: 10 })).map(({ id }) => id)).toEqual(['long-run']);
  });
});

describeInBrowser('traces', () => {
  const dashboard = useDashboard(async () => {
    const store = createMemoryStore();
    await importTraces(path.join(import.meta.dirname, '../otlp/exporter-http.json'), { store });
    return store;
  });

  test('are narrowed to those that have a text, in the question, the answer or a tool', async () => {
    const { page } = await dashboard.open('/traces');
    const field = page.getByRole('searchbox');
    await field.fill('OPENING_hours');
    await field.press('Enter');
    await page.waitForURL('**/traces?text=OPENING_hours');
    expect(await page.getByRole('link', { name: 'When is the library open' }).count()).toBe(1);
    await page.getByRole('searchbox').fill('no such text');
    await page.getByRole('searchbox').press('Enter');
    await page.getByText('No trace has this text').waitFor();
    expect(await page.getByRole('link', { name: 'When is the library open' }).count()).toBe(0);
  });
});

describeInBrowser('what was said and why there is no score', () => {
  const dashboard = useDashboard(async () => {
    const answer = '{"name":"Ada","items":[{"sku":"a1","amount":2},{"sku":"b2","amount":1}],"paid":true}';
    const { store } = await buildKeptRun([{ asks: 'What was ordered?', attempts: [{ total: 1, answer }] }]);
    return store;
  });

  test('an answer that is JSON is laid out, and shown as it was said on demand', async () => {
    const { page } = await dashboard.open('/runs/latest/cases/0');
    const said = page.getByRole('region', { name: 'What was said?' });
    await expect.poll(() => said.textContent()).toContain('"name": "Ada"');
    await said.getByRole('button', { name: 'As it was said' }).click();
    await expect.poll(() => said.textContent()).toContain('{"name":"Ada","items"');
  });
});

describeInBrowser('a run with 1,500 categories', () => {
  const dashboard = useDashboard(async () => {
    const cases = Array.from({ length: 1_500 }, (_, index) => ({
      asks: `Question ${index}?`,
      category: `category ${index}`,
      attempts: [{ total: (index % 10) / 9 }],
    }));
    const { run, store } = await buildKeptRun(cases, { id: 'many' });
    await store.updateRun({ ...run, summary: await summarizeRun(run, store) });
    return store;
  });

  test.each(['/runs/many', '/runs/many/cases'])(
    'draws the first of them on %s, and others on demand',
    async (at) => {
      const { page } = await dashboard.open(at);
      await page.getByText('category 0').first().waitFor();
      // Each category is a row of some 33 elements on the page of the run: all of them would be 50,000.
      expect(await page.evaluate<number>('document.querySelectorAll("*").length')).toBeLessThan(25_000);
      expect(await page.getByRole('button', { name: /more/ }).count()).toBeGreaterThan(0);
    },
  );
});
