import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { missingParts } from '../../src/look/report/headline.ts';
import { sayScore, scoreInWords } from '../../src/look/report/score-in-words.ts';
import { compareRuns } from '../../src/people/reviews/compare-runs.ts';
import { readComparisonAnswers } from '../../src/server/comparison-answers.ts';
import { html } from '../../src/look/reporters/html.ts';
import { writePage } from '../../src/look/reporters/html-page.ts';
import type { ReportInput } from '../../src/look/reporters/reporter.ts';
import { temporaryFolder } from '../run-cli.ts';
import { sampleInput, sampleView } from '../support/build-sample-run.ts';
import { describeInBrowser, findBarriers, useBrowser } from '../support/browser.ts';
import { type AskedCase, buildKeptRun } from '../support/build-kept-run.ts';
import type { SampleTrial } from '../support/judge-sample.ts';
import { isReleaseTested } from '../support/is-release-tested.ts';

const folder = await temporaryFolder();

/** Writes a report, and returns the address of the file. */
async function writeReport(name: string, input: ReportInput): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, html.report(input, sampleView()));
  return pathToFileURL(file).href;
}

/** Cases of two targets, of which some do not pass, in several categories. */
const trials = Array.from({ length: 30 }, (_, index): SampleTrial[] => {
  const id = `case-${String(index).padStart(2, '0')}`;
  const same = { id, category: ['tax', 'leases', 'deeds'][index % 3] ?? '', question: `Question ${index}?` };
  const right = { ...same, expectedTools: ['search'], usedTools: ['search'], found: ['a', 'b'] };
  const wrong = {
    ...same,
    expectedTools: ['search'],
    usedTools: ['list'],
    found: ['a'],
    missing: ['b', 'c', 'd'],
  };
  return [
    { ...(index % 4 === 0 ? wrong : right), target: 'one', answer: `**Answer** of one, ${index}.` },
    index === 7
      ? { ...right, target: 'two', error: { code: 'timeout', message: 'no answer within 60 s' } }
      : { ...(index === 9 ? wrong : right), target: 'two', answer: `Answer of two, ${index}.` },
  ];
}).flat();

const hostileTexts = [
  '</script><script>window.pwned = 1</script>',
  '<!-- <script>',
  '--></script><img src=x onerror="window.pwned=1">',
  '<svg onload=window.pwned=1>',
  '[click](javascript:window.pwned=1) ![x](https://evil.example/x.png)',
  '\u202egnp.exe\u2066',
  '"><base href=https://evil.example>',
  '{{constructor.constructor("window.pwned=1")()}}',
];

async function isPwned(page: Page): Promise<boolean> {
  return await page.evaluate('window.pwned !== undefined');
}

test('the page without data is at most 300 kB of gzip', () => {
  const built = path.join(import.meta.dirname, '..', '..', 'dist', 'dashboard-report', 'report.html');
  expect(gzipSync(readFileSync(built)).length).toBeLessThanOrEqual(300_000);
});

describeInBrowser('a report in one file', () => {
  const browser = useBrowser();

  test('opens from disk without a network, with the numbers of the terminal', async () => {
    const input = sampleInput(trials, { description: 'Tax bot, week 7' });
    const { page } = await browser.open(await writeReport('report.html', input), { offline: true });
    const text = (await page.getByRole('main').textContent()) ?? '';
    for (const target of input.summary.targets) {
      const { score, sure, basis } = sayScore(target, input.run);
      for (const part of [score, sure, basis, ...missingParts(target, input.run)])
        expect(text).toContain(part);
    }
    expect(text).toContain('All 30 questions are in this file.');
    expect(await page.title()).toBe('golden.jsonl · one, two · Touchstone');
    expect(await findBarriers(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });

  test('what to look at first is in sight at once, with questions in place of ids, what was said and what is missing', async () => {
    const input = sampleInput(trials);
    const address = await writeReport('first.html', input);
    for (const viewport of [
      { width: 1280, height: 800 },
      { width: 390, height: 844 },
    ]) {
      const { page } = await browser.open(address, { offline: true, viewport });
      const first = page.getByRole('region', { name: 'What to look at first' }).first();
      const link = first.getByRole('link', { name: /^Question \d+\?$/ }).first();
      const box = await link.boundingBox();
      expect((box?.y ?? viewport.height) + (box?.height ?? 0)).toBeLessThan(viewport.height);
      const text = (await first.textContent()) ?? '';
      expect(text).toContain(
        'one said “**Answer** of one, 0.”did not use search, but list · missing “b”, “c”, “d”'.replaceAll(
          /[“”]/g,
          '',
        ),
      );
      expect(text).not.toContain('case-');
      expect(await first.getByRole('columnheader').allTextContents()).toEqual(['one', 'two', 'Question']);
    }
  });

  test('a question that fails for every target is marked: its expectation may be wrong', async () => {
    const same = {
      id: 'both',
      question: 'Who?',
      expectedTools: ['search'],
      usedTools: [],
      found: [],
      missing: ['x'],
    };
    const right = { ...same, id: 'other', usedTools: ['search'], found: ['x'], missing: [] };
    const both = [same, right].flatMap((trial): SampleTrial[] => [
      { ...trial, target: 'one', answer: 'A.' },
      { ...trial, target: 'two', answer: 'B.' },
    ]);
    const { page } = await browser.open(await writeReport('both.html', sampleInput(both)), { offline: true });
    expect(await page.getByText('fails for all targets: look at the expectation').count()).toBe(2);
  });

  test('without script there is still the headline, and no text in it is HTML', async () => {
    const hostile = {
      id: 'x',
      question: '<img src=x onerror="window.pwned=1">\u202eQ',
      answer: '</main><b>no</b>',
      missing: ['<i>'],
    };
    const input = sampleInput([{ ...hostile, usedTools: [] }], { description: 'Tax bot' });
    const file = await readFile(fileURLToPath(await writeReport('quiet.html', input)), 'utf8');
    const page = file.slice(0, file.indexOf('<script type="application/json"'));
    expect(page).toContain('<title>golden.jsonl · assistant · Touchstone</title>');
    expect(page).toContain(`assistant: ${scoreInWords(input.summary.targets[0] as never, input.run)}`);
    expect(page).toContain(
      '&lt;img src=x onerror=&quot;window.pwned=1&quot;&gt;U+202EQ<br>said “&lt;/main&gt;&lt;b&gt;no&lt;/b&gt;”<br>missing “&lt;i&gt;”',
    );
    expect(page.slice(page.indexOf('<body>'))).not.toMatch(
      /<(?!\/?(?:body|div|main|h1|h2|p|ul|li|br|noscript|code)\b)/,
    );
  });

  test('a question of which only some attempts passed comes first, and the failed attempt before the passed one', async () => {
    const [wrong, right] = [trials[0], trials[2]].map((trial) => ({ ...trial, target: 'one' }));
    const attempts = [right, right, right, wrong].map((trial, index) => ({
      ...(trial as SampleTrial),
      id: `case-${Math.floor(index / 2)}`,
    }));
    const { page } = await browser.open(
      await writeReport('attempts.html', sampleInput(attempts, { attempts: 2 })),
      { offline: true },
    );
    const list = page.getByRole('region', { name: 'All questions' });
    const marks = async () => await list.locator('summary').allTextContents();
    expect(await marks()).toEqual([expect.stringContaining('failed'), expect.stringContaining('passed')]);
    await list.getByRole('button', { name: 'Only failed (1)' }).click();
    expect(await marks()).toEqual([expect.stringContaining('failed')]);
    await list.locator('summary').click();
    await list.locator('article').last().waitFor();
    const opened = await list.locator('article h3').allTextContents();
    expect(opened.map((title) => title.slice(-6))).toEqual(['failed', 'passed']);
  });

  test('a case opens to what was said and how it was judged, and the list is filtered and sorted in the page', async () => {
    const { page } = await browser.open(await writeReport('cases.html', sampleInput(trials)), {
      offline: true,
    });
    await page.locator('summary', { hasText: 'Question 0?' }).first().click();
    const details = page.locator('details[open] article').first();
    await details.waitFor();
    expect(await details.textContent()).toContain('Answer of one, 0.');
    expect(await details.textContent()).toContain('not used: search');
    await details.getByRole('link', { name: 'Everything about it' }).click();
    await page.getByRole('heading', { level: 1, name: 'Question 0?' }).waitFor();
    await page.getByText('1 of 60').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.goBack();
    await page.getByRole('link', { name: 'Filter and sort them' }).click();
    await page.getByLabel('Filter').fill('target=two result=error|failed');
    await page.getByLabel('Order').fill('-id');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.locator('summary', { hasText: 'Question 9?' }).waitFor();
    const shown = async () =>
      (await page.locator('summary').allTextContents()).map((text) => /Question \d+\?/.exec(text)?.[0]);
    expect(await shown()).toEqual(['Question 9?', 'Question 7?']);
    expect(await findBarriers(page)).toEqual([]);
    await page.reload();
    await page.locator('summary', { hasText: 'Question 9?' }).waitFor();
    expect(await shown()).toEqual(['Question 9?', 'Question 7?']);
    await page.getByLabel('Filter').fill('nothing=1');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('names an unknown field').waitFor();
  });

  test('a report of a part says which, and that its numbers are of the whole run', async () => {
    const input = { ...sampleInput(trials), narrowing: 'category=tax' };
    const { page } = await browser.open(await writeReport('part.html', input), { offline: true });
    const text = 'All 30 chosen questions are in this file. Chosen: category=tax. The numbers of the report';
    expect(await page.getByRole('main').textContent()).toContain(text);
  });

  test.skipIf(!isReleaseTested)(
    'is printed with the cases that did not pass in full (needs TOUCHSTONE_TEST_ALL=1)',
    async () => {
      const input = sampleInput(trials.filter(({ target }) => target === 'two'));
      const { page } = await browser.open(await writeReport('print.html', input), { offline: true });
      await page.locator('details article').first().waitFor({ state: 'attached' });
      expect(await findBarriers(page)).toEqual([]);
      await page.emulateMedia({ media: 'print' });
      expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
      expect(await page.getByText('Answer of two, 9.').first().isVisible()).toBe(true);
      expect(await page.getByText('Answer of two, 3.').count()).toBe(0);
      expect(await page.getByRole('banner').isVisible()).toBe(false);
      expect((await page.pdf({ format: 'A4' })).length).toBeGreaterThan(20_000);
    },
  );

  test.skipIf(!isReleaseTested)(
    'no text in it runs, or calls another host (needs TOUCHSTONE_TEST_ALL=1)',
    async () => {
      const hostile = hostileTexts.flatMap((text, index): SampleTrial[] => [
        {
          id: `${text}${index}`,
          question: text,
          answer: text,
          category: text,
          usedTools: [text],
          missing: [text],
        },
        { id: `${text}${index}e`, question: text, error: { code: text, message: text }, logs: text },
      ]);
      const input = sampleInput(hostile, {
        description: hostileTexts.join(' '),
        dataset: { sources: hostileTexts, cases: 16, hash: 'h' },
      });
      const { page } = await browser.open(await writeReport('hostile.html', input));
      await page.locator('summary').first().waitFor();
      await page.evaluate('for (const each of document.querySelectorAll("details")) each.open = true');
      await page.locator('article').last().waitFor();
      expect(await isPwned(page)).toBe(false);
      expect(await page.locator('script:not([data-answer])').count()).toBe(1);
      expect(await findBarriers(page)).toEqual([]);
    },
  );
});

describeInBrowser('a comparison in one file', () => {
  const browser = useBrowser();
  const asked = (passesUntil: number, answer: string, texts: readonly string[] = []): AskedCase[] =>
    Array.from({ length: 40 }, (_, index) => ({
      id: `${texts[index % 8] ?? 'case-'}${index}`,
      asks: `Question ${index}? ${texts[index % 8] ?? ''}`,
      category: texts[index % 8] ?? 'fees',
      attempts: [
        { total: index < passesUntil ? 1 : 0.2, answer: `${answer} ${index}. ${texts[index % 8] ?? ''}` },
      ],
    }));
  const write = async (name: string, texts: readonly string[] = [], cases = 2_000): Promise<string> => {
    const target = { name: texts[0] ?? 'bot', use: { use: 'module' }, fingerprint: 'f'.repeat(32) };
    const a = await buildKeptRun(asked(36, 'The fee is 2 % of', texts), { id: 'before', targets: [target] });
    const b = await buildKeptRun(asked(20, 'The fee is 3 % of', texts), { id: 'after', targets: [target] });
    const comparison = await compareRuns([a, b]);
    const file = path.join(folder, name);
    await writeFile(file, writePage(readComparisonAnswers({ a, b, comparison }, { cases, bytes: 1e7 })));
    return pathToFileURL(file).href;
  };

  test('shows verdict, measures, flips and cases without a server, and says which cases it contains', async () => {
    const { page } = await browser.open(await write('compare.html', [], 30), { offline: true });
    const main = page.getByRole('main');
    await main.getByText('30 of 40 questions are in this file, the greatest losses first.').waitFor();
    expect(await main.textContent()).toContain('B is worse');
    await page.getByRole('img', { name: /Paired differences/ }).waitFor();
    // On paper, nothing measures the width again before the drawing is printed.
    const drawn = `(() => {
      const figure = document.querySelector('figure');
      figure.style.width = '300px';
      const { width } = figure.querySelector('svg').getBoundingClientRect();
      figure.style.width = '';
      return width;
    })()`;
    expect(await page.evaluate(drawn)).toBe(300);
    expect(await page.getByRole('table', { name: 'Passes in A against passes in B' }).innerText()).toMatch(
      /A passed\s+20\s+16/,
    );
    // Nothing leads out of the file.
    expect(await page.getByRole('button', { name: 'Swap A and B' }).count()).toBe(0);
    expect(await page.locator('a[href*="/runs/"]').count()).toBe(0);
    expect(await findBarriers(page)).toEqual([]);

    await page.getByRole('button', { name: 'Worse', exact: true }).click();
    await main.getByText('16 questions match the filter').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    const panel = page.getByRole('dialog');
    await panel.locator('del').first().waitFor();
    expect(await panel.locator('del').allTextContents()).toEqual(['2']);
    expect(await findBarriers(page)).toEqual([]);
    await page.reload();
    await panel.locator('ins').first().waitFor();
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });

  test.skipIf(!isReleaseTested)(
    'no text in it runs, or calls another host (needs TOUCHSTONE_TEST_ALL=1)',
    async () => {
      const { page } = await browser.open(await write('hostile-compare.html', hostileTexts));
      await page.getByRole('main').getByText('All 40 questions of both runs are in this file.').waitFor();
      await page.locator('[data-row]').first().click();
      await page.getByRole('dialog').locator('del').first().waitFor();
      expect(await isPwned(page)).toBe(false);
      expect(await page.locator('script:not([data-answer])').count()).toBe(1);
      expect(await findBarriers(page)).toEqual([]);
    },
  );
});
