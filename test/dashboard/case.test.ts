import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { createMemoryStore } from '../support/memory-store.ts';
import { buildCase, buildRun, buildTrial } from '../../src/library/testing/build-records.ts';
import { describeInBrowser, findBarriers, useDashboard } from '../support/browser.ts';
import { buildCaseStore } from '../support/build-case-store.ts';
import { hostileTexts } from '../support/hostile-texts.ts';
import { isReleaseTested } from '../support/is-release-tested.ts';

/** Waits for a page of a case. */
async function expectCase(page: Page, id: string): Promise<void> {
  await page.locator('main .font-mono').getByText(id, { exact: true }).first().waitFor();
}

describeInBrowser('a case', () => {
  const dashboard = useDashboard(() => buildCaseStore());

  test('shows what was said, tool calls with faults, why the score is as it is, and nothing that axe objects to', async () => {
    const { page } = await dashboard.open('/runs/latest/cases/0');
    await expectCase(page, 'case-0');
    const text = await page.getByRole('main').innerText();
    for (const part of [
      'Which tax applies to property number 0?',
      'find_tax',
      '{"rate":0.02}',
      'not found',
      'timeout, injected by Touchstone',
      '{"deed":1}',
      'deed.pdf',
      'golden.jsonl:1',
      '1 of 2 terms',
      'It must be met in full.',
      'passes from 60.0 %',
    ])
      expect(text).toContain(part);
    expect(await findBarriers(page)).toEqual([]);
  });

  test('leads from the list of cases to the raw reply of the judge in two clicks', async () => {
    const { page } = await dashboard.open('/runs/latest/cases');
    await page.getByRole('row').nth(1).click();
    await expectCase(page, 'case-0');
    await page.getByText('Judge careful-judge').click();
    await page.getByText('Raw reply of the judge: {"verdict": "yes"}').waitFor();
    const text = await page.getByRole('main').innerText();
    for (const part of [
      'Does the answer fit the question?',
      'The answer names the tax.',
      '850 ms',
      '$0.0012',
      'judge-model-1',
      'server-error: busy',
    ])
      expect(text).toContain(part);
    expect(await findBarriers(page)).toEqual([]);
  });

  test('marks the evidence of a verdict in the answer while the verdict has the focus', async () => {
    const { page } = await dashboard.open('/runs/latest/cases/0');
    await expectCase(page, 'case-0');
    expect(await page.locator('mark').count()).toBe(0);
    await page.getByRole('button', { name: 'words' }).focus();
    expect(await page.locator('mark').allInnerTexts()).toEqual(['land transfer']);
    await page.getByRole('link', { name: 'Runs' }).first().focus();
    expect(await page.locator('mark').count()).toBe(0);
  });

  test('`j`, `k`, `[`, `]`, `d` and Escape walk along the filtered list', async () => {
    const { page } = await dashboard.open(
      '/runs/latest/cases/0?where=category%3Dtaxes+target%3Dbot&sort=-latencyMs',
    );
    await expectCase(page, 'case-0');
    await page.getByText('30 of 30').waitFor();
    await page.keyboard.press('k');
    await expectCase(page, 'case-4');
    await page.getByText('29 of 30').waitFor();
    await page.keyboard.press('k');
    await expectCase(page, 'case-8');
    await page.getByText('28 of 30').waitFor();
    await page.keyboard.press('j');
    await expectCase(page, 'case-4');
    await page.getByText('attempt 1 of 2').waitFor();
    await page.keyboard.press(']');
    await page.getByText('attempt 2 of 2').waitFor();
    await page.keyboard.press('[');
    await page.getByText('attempt 1 of 2').waitFor();
    await page.keyboard.press('d');
    await page.locator('del').first().waitFor();
    expect(await page.locator('del').allInnerTexts()).toEqual(['1', 'applies.']);
    expect(await page.locator('ins').allInnerTexts()).toEqual(['2', 'applies to it.']);
    await page.keyboard.press('Escape');
    await page.waitForURL(/where=category%3Dtaxes\+target%3Dbot&sort=-latencyMs/);
    await page.locator('[role=row]:focus').waitFor();
    expect(await page.locator('[role=row]:focus').innerText()).toContain('case-4');
  });

  test('is found by its id in the address, as on the command line', async () => {
    const { page } = await dashboard.open('/runs/latest/cases/case-4');
    await expectCase(page, 'case-4');
    expect(new URL(page.url()).pathname).toMatch(/\/cases\/\d+$/);
  });

  test('has the results of the same case in another run', async () => {
    const { page } = await dashboard.open('/runs/20260102-030405-abcd/cases/4');
    await page.getByText('And in other runs?').waitFor();
    await page.getByRole('link', { name: '2026-01-01 03:04' }).first().click();
    await page.waitForURL(/20260101-000000-aaaa\/cases\/4/);
    await expectCase(page, 'case-1');
  });

  test('an error is no score: the page says what happened', async () => {
    const { page } = await dashboard.open('/runs/latest/cases/37');
    await expectCase(page, 'case-9');
    const note = page.getByRole('note');
    expect(await note.innerText()).toContain('There is no answer: the call of the target failed.');
    expect(await note.innerText()).toContain('timeout: The target did not answer within 60 s.');
    expect(await page.getByRole('main').innerText()).toContain('no verdict × 50 %');
    expect(await findBarriers(page)).toEqual([]);
  });

  test('an answer that the run does not have is explained as on the command line', async () => {
    const { page } = await dashboard.open('/runs/latest/cases/9999', { mayFail: ['404'] });
    expect(await page.getByRole('alert').innerText()).toContain('case-not-found');
  });

  test('fits a narrow screen', async () => {
    const { page } = await dashboard.open('/runs/latest/cases/0', { viewport: { width: 390, height: 844 } });
    await expectCase(page, 'case-0');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });
});

/** The texts, a few in every field of a case: each page that is opened takes its time. */
const packed = Array.from({ length: Math.ceil(hostileTexts.length / 4) }, (_, index) =>
  hostileTexts.slice(index * 4, index * 4 + 4).join('\n\n'),
);

describeInBrowser('hostile texts in every field of a case', () => {
  const dashboard = useDashboard(() => buildCaseStore(packed));

  test.skipIf(!isReleaseTested)(
    'are shown as texts: no script, no request, no error (needs TOUCHSTONE_TEST_ALL=1)',
    async () => {
      const { page } = await dashboard.open('/runs/latest/cases/0');
      for (const [position, text] of packed.entries()) {
        await page.waitForURL(`**/runs/*/cases/${position * 2}`);
        await page.getByText(`${position + 1} of ${packed.length}`).waitFor();
        await page.getByLabel('Markdown').check();
        await page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true })");
        expect([text, await page.evaluate('window.pwned')]).toEqual([text, undefined]);
        await page.keyboard.press('j');
      }
    },
  );

  test.skipIf(!isReleaseTested)('hidden characters are marked (needs TOUCHSTONE_TEST_ALL=1)', async () => {
    const position = packed.findIndex((text) => text.includes('\u202e'));
    const { page } = await dashboard.open(`/runs/latest/cases/${position * 2}`);
    await page.getByText('Why this score?').waitFor();
    expect(await page.getByText('U+202E').count()).toBeGreaterThan(10);
    expect(await findBarriers(page)).toEqual([]);
  });
});

describeInBrowser('a transcript of 5 MB', () => {
  const dashboard = useDashboard(async () => {
    const store = createMemoryStore();
    const run = buildRun({ status: 'completed' });
    const message = (index: number) => ({
      role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
      content: `Message ${index}. ${'words '.repeat(index === 1 ? 500_000 : 500)}`,
    });
    const testCase = buildCase();
    await store.createRun(run);
    await store.addCases(run.id, [{ position: 0, hash: 'h', place: 'golden.jsonl:1', case: testCase }]);
    const transcript = Array.from({ length: 800 }, (_, index) => message(index));
    await store.addTrials(run.id, [{ case: testCase, trial: buildTrial('It is.', { transcript }) }]);
    return store;
  });

  test.skipIf(!isReleaseTested)(
    'is sent in parts, and long texts on demand (needs TOUCHSTONE_TEST_ALL=1)',
    async () => {
      const { page } = await dashboard.open('/runs/latest/cases/0');
      await expectCase(page, 'address');
      const answer = await page.request.get(
        dashboard.server().addressOf('/api/runs/latest/trials/0').split('?')[0] ?? '',
      );
      expect((await answer.body()).length).toBeLessThan(2_000_000);
      const messages = page.getByRole('main').locator('ol > li');
      expect(await messages.count()).toBe(100);
      // By keys: messages get their size when they come into sight, and move what a pointer is about to press.
      await page.getByRole('button', { name: 'Show more of 800 messages, 700 left' }).press('Enter');
      await page.getByRole('button', { name: 'Show more of 800 messages, 600 left' }).waitFor();
      expect(await messages.count()).toBe(200);
      const long = messages.nth(1);
      await long.getByRole('button', { name: /Show .* characters/ }).press('Enter');
      expect(await long.getByRole('button', { name: /Show all/ }).count()).toBe(0);
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        long.getByRole('link', { name: 'Download' }).press('Enter'),
      ]);
      expect(download.suggestedFilename()).toBe('content.txt');
    },
  );
});
