import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { createMemoryStore } from '../support/memory-store.ts';
import { describeInBrowser, useDashboard } from '../support/browser.ts';
import { storeReviewTask } from '../support/review-task.ts';
import { isReleaseTested } from '../support/is-release-tested.ts';
import { labelKind } from '../../src/stores/kinds/label.ts';

const items = 20;
const shared = 4;

describeInBrowser('reviews by two people', () => {
  const store = createMemoryStore();
  const dashboard = useDashboard(async () => {
    const overlap = { people: 2, share: shared / items };
    await storeReviewTask(store, { answers: { passed: items, failed: 0 }, overlap });
    return store;
  });

  test.skipIf(!isReleaseTested)(
    'two people at once never have the same item, and only shared items get two labels (needs TOUCHSTONE_TEST_ALL=1)',
    async () => {
      const people = await Promise.all(
        ['Ann', 'Bob'].map(async (person) => {
          const { page } = await dashboard.open('/reviews/task-1');
          await page.getByRole('textbox', { name: 'Who labels?' }).fill(person);
          await page.keyboard.press('Enter');
          await page.getByRole('checkbox', { name: 'Show the judge' }).press('Space');
          await page.evaluate('document.activeElement.blur()');
          return page;
        }),
      );
      const onScreens = new Set<string>();
      await Promise.all(people.map(async (page, index) => await labelAll(page, String(index), onScreens)));
      const labels = await Array.fromAsync(store.documents.list(labelKind));
      expect(labels).toHaveLength(items + shared);
      const byItem = Map.groupBy(labels, ({ item }) => item);
      expect([...byItem.values()].filter(({ length }) => length === 2)).toHaveLength(shared);
      for (const own of byItem.values())
        expect(new Set(own.map(({ by }) => by.person)).size).toBe(own.length);
      expect(new Set(labels.map(({ by }) => by.person))).toEqual(new Set(['Ann', 'Bob']));
    },
  );
});

/** Labels until there is nothing left, and checks that no other person has the same item on the screen. */
async function labelAll(page: Page, person: string, onScreens: Set<string>): Promise<void> {
  const conversation = page.getByRole('region', { name: 'Conversation' });
  const end = page.getByText('All labels are given');
  const waiting = page.getByText('Nothing left for you');
  for (let count = 1; ; count += 1) {
    await conversation.or(end).or(waiting).first().waitFor();
    while (await waiting.isVisible()) {
      // The other person has the last items on the screen.
      await page.keyboard.press('Enter');
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    if (await end.isVisible()) return;
    const answer = (await conversation.getByText(/^answer \d+$/).textContent()) ?? '';
    expect([...onScreens].filter((each) => each.startsWith(`${answer} `))).toEqual([]);
    onScreens.add(`${answer} ${person}`);
    await page.keyboard.press('y');
    onScreens.delete(`${answer} ${person}`);
    await page.keyboard.press('Enter');
    await page.getByText(`${count} in this sitting`).waitFor();
  }
}
