// `node bench/pages.ts`: what a browser does with large runs: scrolling, long transcripts, long lists. See README.md.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core';
import { readAssets } from '../src/server/assets.ts';
import { serveDashboard } from '../src/server/serve.ts';
import { openSqliteStore } from '../src/stores/sqlite/sqlite.ts';
import type { Store } from '../src/stores/store.ts';
import { buildCase, buildRun, buildTrial } from '../src/library/testing/build-records.ts';
import { fillRun } from './fill-run.ts';
import { formatTable } from './format-table.ts';
import { median } from './measure.ts';

const installed = ['/usr/bin/chromium', '/usr/bin/chromium-headless-shell'].find((file) => existsSync(file));

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '10000' },
    repeats: { type: 'string', default: '5' },
    /** The seconds of scrolling. */
    seconds: { type: 'string', default: '10' },
    /** A folder with a store that is only read: its newest run is scrolled. */
    store: { type: 'string' },
    chromium: { type: 'string', default: installed ?? 'chromium' },
  },
});
const repeats = Number(values.repeats);
const seconds = Number(values.seconds);

/** A row of the result: what was measured, the median, the most, the CPU time of the page for one of them, and the goal. */
type Row = readonly [name: string, median: string, most: string, cpu: string, goal: string];

/** Times of repeated openings, in milliseconds: by the clock, and of the main thread of the page. */
interface Times {
  readonly wall: readonly number[];
  readonly cpu: readonly number[];
}

const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-'));
try {
  const large = values.store === undefined ? await fillLarge() : openSqliteStore(fileIn(values.store));
  const texts = openSqliteStore(fileIn(path.join(folder, 'texts')));
  await addTranscripts(texts);
  const browser = await chromium.launch({
    executablePath: values.chromium,
    args: ['--no-sandbox', '--disable-gpu'],
  });
  const rows = [
    ...(await withPage(browser, large, measureLists)),
    ...(await withPage(browser, large, measureScrolling)),
    ...(await withPage(browser, texts, measureTranscripts)),
  ];
  await browser.close();
  await large.close();
  await texts.close();
  console.log(
    formatTable(
      ['', 'median', 'most', 'CPU of the page', 'goal'],
      rows.map((row) => [...row]),
    ),
  );
} finally {
  rmSync(folder, { recursive: true });
}

function fileIn(of: string): string {
  return path.join(of, 'touchstone.db');
}

async function fillLarge(): Promise<Store> {
  const store = openSqliteStore(fileIn(path.join(folder, 'large')));
  await fillRun(store, '20260102-030405-abcd', Number(values.cases));
  return store;
}

/** Adds a run whose cases have a transcript of 5 MB in 800 messages, one of 5 MB in a single message, and one of 500 messages. */
async function addTranscripts(store: Store): Promise<void> {
  const run = buildRun({ id: 'texts', status: 'completed' });
  const transcripts = [
    ['5 MB in 800 messages', 800, 6_500],
    ['5 MB in one message', 2, 5_000_000],
    ['500 messages', 500, 400],
  ] as const;
  await store.createRun(run);
  for (const [position, [id, messages, length]] of transcripts.entries()) {
    const testCase = buildCase({ id });
    const transcript = Array.from({ length: messages }, (_, index) => ({
      role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
      content: `Message ${index}. ${'words and **more** '.repeat(Math.ceil(length / 19))}`.slice(
        0,
        index === 0 && messages === 2 ? 100 : length,
      ),
    }));
    const place = { ordinal: position, key: id, caseId: id, caseHash: id };
    await store.addCases(run.id, [
      { position, hash: id, place: `golden.jsonl:${position + 1}`, case: testCase },
    ]);
    await store.addTrials(run.id, [
      { case: testCase, trial: buildTrial('It is.', { ...place, transcript }) },
    ]);
  }
}

/** A page over a served store. */
interface OpenPage {
  readonly page: Page;
  readonly addressOf: (path: string) => string;
  readonly session: CDPSession;
}

async function withPage(
  browser: Browser,
  store: Store,
  measure: (open: OpenPage) => Promise<Row[]>,
): Promise<Row[]> {
  const parts = { openStore: () => Promise.resolve(store), assets: readAssets(), folder: undefined };
  const server = await serveDashboard({ ...parts, port: 0 });
  // What the measurements evaluate in the page is a text, which its policy forbids.
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, bypassCSP: true });
  const page = await context.newPage();
  try {
    const session = await context.newCDPSession(page);
    // Time of the thread: what other programs take does not count.
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    return await measure({ page, session, addressOf: (to) => server.addressOf(to) });
  } finally {
    await context.close();
    await server.close();
  }
}

/** Does something repeatedly. The first time fills the caches of the browser and of the server, and is left out. */
async function repeat({ page, session }: OpenPage, count: number, act: () => Promise<void>): Promise<Times> {
  const [wall, cpu]: [number[], number[]] = [[], []];
  for (let index = 0; index <= count; index += 1) {
    const [from, busy, document] = [performance.now(), await cpuOf(session), await documentOf(session)];
    await act();
    wall.push(performance.now() - from);
    await page.waitForLoadState('networkidle');
    // A new document counts from 0.
    cpu.push((await cpuOf(session)) - ((await documentOf(session)) === document ? busy : 0));
  }
  return { wall: wall.slice(1), cpu: cpu.slice(1) };
}

/** The moment at which the document began, which distinguishes it from the one before. */
async function documentOf(session: CDPSession): Promise<number> {
  return await metricOf(session, 'NavigationStart');
}

/** The milliseconds that the main thread of a page has computed, which other programs do not make more. */
async function cpuOf(session: CDPSession): Promise<number> {
  return 1000 * (await metricOf(session, 'TaskDuration'));
}

async function metricOf(session: CDPSession, wanted: string): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN;
}

/** Opens an address until an element is on the page. */
async function openTimes(open: OpenPage, to: string, selector: string): Promise<Times> {
  return await repeat(open, repeats, async () => {
    await open.page.goto(open.addressOf(to), { waitUntil: 'commit' });
    await open.page.locator(selector).first().waitFor();
  });
}

function rowOf(name: string, { wall, cpu }: Times, goal: string): Row {
  const format = (time: number): string => `${time.toFixed(0)} ms`;
  return [name, format(median(wall)), format(Math.max(...wall)), format(median(cpu)), goal];
}

/** What a change of the list takes from the press of a button, without loading the page again. */
async function measureLists(open: OpenPage): Promise<Row[]> {
  const list = '/runs/latest/cases';
  const opened = await openTimes(open, list, '[role=row][data-index="10"]');
  const { page } = open;
  const clicks = async (name: RegExp): Promise<Times> =>
    await repeat(open, 2 * repeats, async () => {
      const before = JSON.stringify(page.url());
      await page.getByRole('button', { name }).first().click();
      const isDone = `location.href !== ${before} && document.querySelector('[aria-busy=false] [data-index="0"]')`;
      await page.waitForFunction(isDone, undefined, { polling: 'raf' });
    });
  const isLarge = (await page.locator('[role=grid]').getAttribute('aria-rowcount'))?.length ?? 0;
  const goal = isLarge > 5 ? '1000 ms' : '200 ms';
  return [
    rowOf('list of cases', opened, goal),
    rowOf('filter by a result', await clicks(/^(passed|failed) /), goal),
    rowOf('another order', await clicks(/^Score/), goal),
    rowOf('page of the run', await openTimes(open, '/runs/latest', 'section h2'), goal),
    rowOf('list of runs', await openTimes(open, '/', '[data-row]'), goal),
  ];
}

/** Frames while the list is scrolled by 400 pixels a frame, its rows, and the memory of the page after that. */
async function measureScrolling(open: OpenPage): Promise<Row[]> {
  await openTimes(open, '/runs/latest/cases', '[role=row][data-index="10"]');
  const { page } = open;
  const busy = await cpuOf(open.session);
  const { frames, most, last } = await page.evaluate<Scrolled>(scrollProgram());
  const cpu = (await cpuOf(open.session)) - busy;
  const rates = frames.map((time) => 1000 / time);
  const perFrame = `${(cpu / frames.length).toFixed(1)} ms a frame`;
  return [
    ['frames a second while scrolling', median(rates).toFixed(0), '', perFrame, '55'],
    ['longest frame', '', `${Math.max(...frames).toFixed(0)} ms`, '', ''],
    ['rows in the document', '', String(most), '', '60'],
    ['row that was reached', '', String(last), '', ''],
    ['memory of the page after that, MB', '', await heapOf(open), '', '60'],
  ];
}

/** The milliseconds of each frame, the most rows in the document, and the last row that was reached. */
interface Scrolled {
  readonly frames: readonly number[];
  readonly most: number;
  readonly last: number;
}

/** Returns the program that scrolls the list on the page. */
function scrollProgram(): string {
  return `new Promise((done) => {
  const grid = document.querySelector('[role=grid]');
  const rows = () => [...grid.querySelectorAll('[data-index]')];
  const frames = [];
  const start = performance.now();
  let [before, most] = [start, 0];
  const step = (now) => {
    frames.push(now - before);
    before = now;
    most = Math.max(most, rows().length);
    grid.scrollBy(0, 400);
    if (now - start < ${seconds * 1000}) requestAnimationFrame(step);
    else done({ frames: frames.slice(1), most, last: Number(rows().at(-1)?.dataset.index) });
  };
  requestAnimationFrame(step);
})`;
}

async function heapOf({ session }: OpenPage): Promise<string> {
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return (usedSize / 2 ** 20).toFixed(1);
}

async function measureTranscripts(open: OpenPage): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [place, name] of ['5 MB in 800 messages', '5 MB in one message', '500 messages'].entries()) {
    const times = await openTimes(open, `/runs/texts/cases/${place}`, 'main ol > li');
    rows.push(rowOf(`case of ${name}`, times, '1000 ms'));
    await showAll(open.page);
    rows.push([`memory of the page with ${name}, MB`, '', await heapOf(open), '', '60']);
  }
  return rows;
}

/** Shows all messages of a transcript, or of a single long one what the page shows at once. */
async function showAll(page: Page): Promise<void> {
  const more = page.getByRole('button', { name: /^Show more of/ });
  const messages = page.locator('main ol > li');
  while ((await more.count()) > 0) {
    const before = await messages.count();
    await more.click();
    await messages.nth(before).waitFor();
  }
  const whole = page.getByRole('button', { name: /^Show .* characters/ });
  if ((await whole.count()) > 0) await whole.first().click();
}
