import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../run-cli.ts';
import { describeInBrowser, findBarriers, useDashboard } from '../support/browser.ts';
import { keepRuns } from '../support/keep-runs.ts';
import { isReleaseTested } from '../support/is-release-tested.ts';

const outside = await temporaryFolder();
const folder = path.join(outside, 'inside');
await mkdir(folder);
await writeFile(path.join(outside, 'secret.jsonl'), '{"id":"one","question":"Is it so?"}\n');
await writeFile(
  path.join(folder, 'golden.jsonl'),
  '{"id":"one","question":"Is it so?"}\n{"id":"two","question":"Is it so?"}\n',
);

const passes = { total: 1 };
const fails = { total: 0 };
const hostile = '</script><img src=x onerror="window.pwned=1">\u202e[a](javascript:1) /../%2e%2e/?#';

describeInBrowser('datasets', () => {
  const dashboard = useDashboard(
    async () =>
      await keepRuns([
        {
          cases: [
            { asks: 'Who pays?', id: 'rent', category: 'leases', attempts: [fails, passes] },
            { asks: hostile, id: hostile, category: hostile, attempts: [fails, fails] },
            { asks: 'easy', category: 'leases', attempts: [passes, passes] },
          ],
        },
        {
          cases: [
            { asks: 'Who pays the rent?', id: 'rent', category: 'leases', attempts: [fails, passes] },
            { asks: hostile, id: hostile, category: hostile, attempts: [fails, fails] },
            { asks: 'easy', category: 'leases', attempts: [passes, passes] },
          ],
        },
        {
          cases: [{ asks: 'x', attempts: [passes] }],
          parts: { dataset: { sources: ['../secret.jsonl'], cases: 1, hash: 'h' } },
        },
        {
          cases: [{ asks: 'x', attempts: [passes] }],
          parts: { dataset: { sources: [hostile, '/etc/passwd'], cases: 1, hash: 'h' } },
        },
      ]),
    folder,
  );

  test('the list leads to a dataset with its versions, findings and cases', async () => {
    const { page } = await dashboard.open('/');
    await page.getByRole('link', { name: 'Datasets' }).click();
    await page.getByRole('rowheader', { name: 'golden.jsonl' }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('link', { name: 'golden.jsonl' }).click();
    await page.getByRole('heading', { name: 'How has it changed?' }).waitFor();
    await page
      .getByText('lint-')
      .or(page.getByText('duplicate', { exact: false }))
      .first()
      .waitFor();
    const text = (await page.getByRole('main').textContent()) ?? '';
    expect(text).toContain('3 questions · 2 versions · 2 runs');
    expect(text).toContain('1 changed');
    expect(text).toContain('golden.jsonl:2');
    expect(await page.getByRole('row', { name: /^rent/ }).textContent()).toContain('flaky');
    expect(await findBarriers(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });

  test('a case shows how its content changed, and its result in every run', async () => {
    const { page } = await dashboard.open('/datasets/golden.jsonl/cases/rent');
    await page.getByRole('heading', { name: 'What were its results?' }).waitFor();
    const marked = await page.locator('ins').allTextContents();
    expect(marked.map((text) => text.trim())).toEqual(['pays the rent?']);
    expect(await page.getByRole('row').count()).toBe(3);
    expect(
      await page
        .getByRole('link', { name: /passed/ })
        .first()
        .getAttribute('href'),
    ).toBe('/runs/run-02/cases/1');
    expect(await findBarriers(page)).toEqual([]);
  });

  test.skipIf(!isReleaseTested)(
    'no text in it runs, and a case of any name is found (needs TOUCHSTONE_TEST_ALL=1)',
    async () => {
      const { page } = await dashboard.open('/datasets/golden.jsonl');
      await page.getByRole('rowheader').filter({ hasText: 'onerror' }).getByRole('link').first().click();
      await page.getByRole('heading', { name: 'What were its results?' }).waitFor();
      await page.getByRole('link', { name: 'Datasets' }).first().click();
      await page.getByRole('link', { name: 'passwd' }).click();
      await page.getByText('Not checked:').waitFor();
      expect(await page.evaluate('window.pwned === undefined')).toBe(true);
      expect(await findBarriers(page)).toEqual([]);
    },
  );

  test('a file that is not in the folder is not read', async () => {
    const { page } = await dashboard.open('/datasets');
    await page.getByRole('link', { name: 'secret.jsonl' }).click();
    await page.getByText('Not checked:').waitFor();
    expect(await page.getByRole('main').textContent()).toContain('is not a file in');
    expect(await findBarriers(page)).toEqual([]);
  });
});
