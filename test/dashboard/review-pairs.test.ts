import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Label } from '../../src/core/schema/review/label.ts';
import { createMemoryStore } from '../support/memory-store.ts';
import { describeInBrowser, findBarriers, useDashboard } from '../support/browser.ts';
import { hostileTexts } from '../support/hostile-texts.ts';
import { storePairTask } from '../support/pair-task.ts';
import { isReleaseTested } from '../support/is-release-tested.ts';
import { labelKind } from '../../src/stores/kinds/label.ts';

const store = createMemoryStore();
const labelsOf = async (task: string): Promise<Label[]> =>
  await Array.fromAsync(store.documents.list(labelKind, { where: { task } }));

async function start(page: Page, person: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Who labels?' }).fill(person);
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'First answer' }).waitFor();
}

describeInBrowser('reviews of pairs', () => {
  const dashboard = useDashboard(async () => await Promise.resolve(store));

  test('two answers stand side by side without names, and keys say which is better', async () => {
    const good = ['good 0', 'good 1', 'good 2', 'good 3', 'good 4'];
    await storePairTask(store, {
      answers: { sesame: good, poppy: good.map((text) => text.replace('good', 'poor')) },
    });
    const { page } = await dashboard.open('/reviews/pairs');
    await start(page, 'Ann');
    const [first, second] = [
      page.getByRole('region', { name: 'First answer' }),
      page.getByRole('region', { name: 'Second answer' }),
    ];
    const after = page.getByRole('region', { name: 'After the label' });
    expect(await page.getByRole('main').textContent()).not.toMatch(/sesame|poppy|run-of/);
    expect(await page.getByRole('region', { name: 'Question', exact: true }).textContent()).toMatch(
      /question \d\?/,
    );
    expect(await findBarriers(page)).toEqual([]);
    const keys = ['ArrowLeft', '2', 't', '0'];
    const expected: unknown[] = [];
    for (const [index, key] of keys.entries()) {
      const isGoodFirst = (await first.textContent())?.includes('good') === true;
      expect(await second.textContent()).toContain(isGoodFirst ? 'poor' : 'good');
      const sides = isGoodFirst ? ['a', 'b'] : ['b', 'a'];
      expected.push({ first: sides[0], value: [sides[0], sides[1], 'tie', 'both-bad'][index] });
      await page.keyboard.press(key);
      await page.keyboard.press('Enter');
      await after.getByText(isGoodFirst ? 'sesame · poppy' : 'poppy · sesame').waitFor();
      if (index === 0) expect(await findBarriers(page)).toEqual([]);
      await page.keyboard.press('Enter');
      await after.waitFor({ state: 'detached' });
    }
    const labels = await labelsOf('pairs');
    expect(
      labels.map(({ first: shown, outcome }) => ({
        first: shown,
        value: outcome.status === 'answered' ? outcome.value : outcome.status,
      })),
    ).toEqual(expected);
    expect(labels[0]?.blind).toEqual({
      verdict: 'hidden',
      score: 'hidden',
      others: 'hidden',
      target: 'hidden',
    });
    await page.keyboard.press('s');
    await page.keyboard.press('1');
    await page.getByText('Nothing left for you').waitFor();
    await page.keyboard.press('u');
    await first.waitFor();
    expect((await labelsOf('pairs')).at(-1)?.outcome).toEqual({ status: 'withdrawn' });
  });

  test.skipIf(!isReleaseTested)(
    'the second person sees the other order, and an answer that was opened elsewhere is not blind (needs TOUCHSTONE_TEST_ALL=1)',
    async () => {
      await storePairTask(store, {
        id: 'both',
        answers: { sesame: ['good'], poppy: ['poor'] },
        overlap: { people: 2, share: 1 },
      });
      const { page } = await dashboard.open('/reviews/both');
      await start(page, 'Ann');
      const text = await page.getByRole('region', { name: 'First answer' }).textContent();
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Enter');
      await page.getByRole('region', { name: 'After the label' }).waitFor();
      const { page: other } = await dashboard.open('/reviews/both');
      await other.evaluate(`localStorage.clear()`);
      await other.reload();
      await start(other, 'Bob');
      expect(await other.getByRole('region', { name: 'Second answer' }).textContent()).toContain(
        text?.includes('good') === true ? 'good' : 'poor',
      );
      const { page: elsewhere } = await dashboard.open('/runs/run-of-both/cases/1');
      await elsewhere.getByRole('heading', { level: 1 }).waitFor();
      await other.keyboard.press('1');
      await other.keyboard.press('Enter');
      await other.getByRole('region', { name: 'After the label' }).waitFor();
      const [ann, bob] = await labelsOf('both');
      expect([ann?.blind.target, bob?.blind.target]).toEqual(['hidden', 'shown']);
      expect(new Set([ann?.first, bob?.first])).toEqual(new Set(['a', 'b']));
    },
  );

  test.skipIf(!isReleaseTested)(
    'hostile answers stay texts on both sides, also on a narrow screen (needs TOUCHSTONE_TEST_ALL=1)',
    async () => {
      const texts = hostileTexts.slice(0, 3);
      await storePairTask(store, {
        id: 'hostile',
        answers: { one: texts, two: texts.map((text) => `${text} b`) },
      });
      const { page } = await dashboard.open('/reviews/hostile', { viewport: { width: 390, height: 800 } });
      await start(page, 'Ann');
      for (const _text of texts) {
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
        await page.keyboard.press('t');
        await page.keyboard.press('Enter');
        await page.getByRole('region', { name: 'After the label' }).waitFor();
        await page.keyboard.press('Enter');
      }
      await page.getByText('All labels are given').waitFor();
      expect(await page.evaluate('window.pwned')).toBeUndefined();
      expect(await findBarriers(page)).toEqual([]);
    },
  );
});
