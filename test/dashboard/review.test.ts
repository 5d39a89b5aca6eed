import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Label } from '../../src/core/schema/review/label.ts';
import { createMemoryStore } from '../support/memory-store.ts';
import { buildRubric } from '../support/build-labels.ts';
import { describeInBrowser, findBarriers, useDashboard } from '../support/browser.ts';
import { hostileTexts } from '../support/hostile-texts.ts';
import { makeRubric } from '../../src/decide/certificates/rubric.ts';
import { notesRubric } from '../../src/people/reviews/notes-rubric.ts';
import { storeReviewTask } from '../support/review-task.ts';
import { isReleaseTested } from '../support/is-release-tested.ts';
import { readReservations, releaseItems, reserveItems } from '../../src/stores/reviews/reservations.ts';
import { labelKind } from '../../src/stores/kinds/label.ts';

const store = createMemoryStore();

/** Enters the name of the person who labels, and waits for the first item. */
async function start(page: Page, person: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Who labels?' }).fill(person);
  await page.keyboard.press('Enter');
}

async function labelsOf(task: string): Promise<Label[]> {
  return await Array.fromAsync(store.documents.list(labelKind, { where: { task } }));
}

const outcomesOf = async (task: string) =>
  (await labelsOf(task)).map(({ outcome }) =>
    outcome.status === 'answered' ? outcome.value : outcome.status,
  );

describeInBrowser('reviews', () => {
  const dashboard = useDashboard(async () => await Promise.resolve(store));

  test.skipIf(!isReleaseTested)(
    'without tasks nothing leads to the page, which says how to create one (needs TOUCHSTONE_TEST_ALL=1)',
    async () => {
      const { page } = await dashboard.open('/reviews');
      await page.getByText('There is nothing to label yet').waitFor();
      expect(
        await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Review' }).count(),
      ).toBe(0);
      expect(await findBarriers(page)).toEqual([]);
    },
  );

  test('a person labels by keys: a value, a note, evidence, a skip, an undo; each is stored blind', async () => {
    await storeReviewTask(store, { id: 'keys' });
    const { page } = await dashboard.open('/');
    await page
      .getByRole('navigation', { name: 'Pages' })
      .getByRole('link', { name: 'Review' })
      .press('Enter');
    await page.getByRole('link', { name: 'Label answers' }).first().press('Enter');
    await page.getByRole('textbox', { name: 'Who labels?' }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await start(page, 'Ann');
    const answer = page.getByRole('region', { name: 'Conversation' });
    await answer.getByText(/^answer \d$/).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    const after = page.getByRole('region', { name: 'After the label' });

    // Marks the second word, then writes a note; Enter in the note keeps everything.
    await press('m', 'ArrowRight', 'm', 'y', 'Shift+Enter');
    await page.keyboard.type('polite enough');
    await press('Enter');
    await after.getByText('judged so').waitFor();
    expect(await after.textContent()).toContain('bot');
    expect(await findBarriers(page)).toEqual([]);
    const [first] = await labelsOf('keys');
    expect(first).toMatchObject({
      outcome: { status: 'answered', value: true },
      note: 'polite enough',
      spans: [{ start: 7, end: 8, text: expect.stringMatching(/^\d$/) }],
      by: { person: 'Ann', role: 'reviewer' },
      blind: { verdict: 'hidden', score: 'hidden', others: 'hidden', target: 'hidden' },
      order: 1,
    });
    expect(first?.seconds).toBeGreaterThan(0);

    // The judge is wrong: a correction with the same value.
    await press('j');
    await after.getByText('Recorded.').waitFor();
    await press('Enter');
    await after.waitFor({ state: 'detached' });
    await press('n', 'Enter');
    await after.getByText('judged so').waitFor();
    // I was wrong: the other value.
    await press('w', 'y', 'Enter');
    await after.getByText('Recorded.').waitFor();
    await press('Enter');
    await after.waitFor({ state: 'detached' });
    const skipped = await answer.textContent();
    await press('s', '3');
    await expect.poll(async () => await answer.textContent()).not.toBe(skipped);
    await page.getByText('2 in this sitting').waitFor();
    expect(await outcomesOf('keys')).toEqual([true, true, false, true, 'skipped']);
    const shown = await answer.textContent();
    await press('n', 'Enter');
    await after.getByText('judged so').waitFor();
    await press('u');
    await after.waitFor({ state: 'detached' });
    expect(await answer.textContent()).toBe(shown);
    expect((await labelsOf('keys')).map(({ kind, finding }) => finding ?? kind)).toEqual([
      'label',
      'judge-wrong',
      'label',
      'own-error',
      'label',
      'label',
      'label',
    ]);
    expect((await outcomesOf('keys')).at(-1)).toBe('withdrawn');
    await press('?');
    await page.getByRole('dialog').getByText('Mark words of the answer as evidence').waitFor();
    await press('Escape', 'Escape');
    await page.getByText('The sitting has ended').waitFor();
    expect(await readReservations(store.documents, 'keys')).toEqual([]);
    expect(await findBarriers(page)).toEqual([]);
  });

  test('the name is kept in the browser, and in no address', async () => {
    await storeReviewTask(store, { id: 'name' });
    const { page } = await dashboard.open('/reviews/name');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await start(page, 'Ann Example');
    await page.getByText(/^answer \d$/).waitFor();
    await page.reload();
    await page.getByText(/^answer \d$/).waitFor();
    expect(asked.filter((url) => url.includes('Ann'))).toEqual([]);
    await page.getByRole('button', { name: 'not you?' }).press('Enter');
    await page.getByRole('textbox', { name: 'Who labels?' }).waitFor();
  });

  test('several questions are answered one after the other, on their scales', async () => {
    const warmth = buildRubric({
      id: 'warmth',
      version: '7'.repeat(32),
      question: 'How warm is it?',
      scale: { type: 'ordinal', anchors: ['cold', 'lukewarm', 'warm'] },
      notApplicable: 'there is no greeting',
      examples: [{ type: 'good', answer: 'Hello dear', note: 'a greeting' }],
    });
    const why = buildRubric({
      id: 'why',
      version: '8'.repeat(32),
      question: 'Why?',
      scale: { type: 'text' },
    });
    await storeReviewTask(store, { id: 'many', rubrics: [buildRubric(), warmth, why] });
    const { page } = await dashboard.open('/reviews/many');
    await start(page, 'Ann');
    await page.getByText(/^answer \d$/).waitFor();
    for (const key of ['y', '3', 'ArrowUp', '0']) await page.keyboard.press(key);
    await page.getByRole('textbox', { name: 'Answer' }).focus();
    await page.keyboard.type('it is so');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'After the label' }).getByText('judged so').first().waitFor();
    expect(await outcomesOf('many')).toEqual(expect.arrayContaining([true, 'not-applicable', 'it is so']));
    expect(await findBarriers(page)).toEqual([]);
  });

  test.skipIf(!isReleaseTested)(
    'a dispute is decided by another person, who sees both labels without names (needs TOUCHSTONE_TEST_ALL=1)',
    async () => {
      await storeReviewTask(store, {
        id: 'dispute',
        answers: { passed: 1, failed: 0 },
        overlap: { people: 2, share: 1 },
      });
      const keys = { Ann: 'y', Bob: 'n' };
      for (const [person, key] of Object.entries(keys)) {
        const { page } = await dashboard.open('/reviews/dispute');
        await start(page, person);
        await page.getByText(/^answer \d$/).waitFor();
        for (const each of [key, 'Enter']) await page.keyboard.press(each);
        await page.getByRole('region', { name: 'After the label' }).getByText('judged so').waitFor();
        await page.keyboard.press('Enter');
        await page.getByText(person === 'Ann' ? 'Nothing left for you' : 'All labels are given').waitFor();
      }
      const { page } = await dashboard.open('/reviews');
      const section = page.getByRole('region', { name: 'tone · dispute', exact: true });
      await section.getByText('people agree on 0.0 % [0.0, 79.3], 0 of 1 pair').waitFor();
      expect(await section.locator('tbody tr').count()).toBe(2);
      expect(await findBarriers(page)).toEqual([]);
      await section.getByRole('link', { name: 'Decide 1 dispute' }).press('Enter');
      await start(page, 'Cem');
      const differing = page.getByRole('region', { name: 'The labels that differ' });
      await differing.waitFor();
      const text = (await page.getByRole('main').textContent()) ?? '';
      expect((await differing.getByRole('listitem').allTextContents()).toSorted()).toEqual([
        'tone: no',
        'tone: yes',
      ]);
      expect(['Ann', 'Bob'].filter((name) => text.includes(name))).toEqual([]);
      await page.keyboard.press('n');
      await page.keyboard.press('Enter');
      await expect.poll(async () => (await labelsOf('dispute')).at(-1)?.kind).toBe('adjudication');
    },
  );

  test.skipIf(!isReleaseTested)(
    'a label that cannot be stored stays on the screen, and is stored when the server answers again (needs TOUCHSTONE_TEST_ALL=1)',
    async () => {
      await storeReviewTask(store, { id: 'offline' });
      const { page } = await dashboard.open('/reviews/offline', { mayFail: ['Failed to load', 'ERR_'] });
      await start(page, 'Ann');
      await page.getByText(/^answer \d$/).waitFor();
      const shown = await page.getByRole('region', { name: 'Conversation' }).textContent();
      await page.context().setOffline(true);
      for (const key of ['y', 'Enter']) await page.keyboard.press(key);
      await page.getByText('This label is not stored yet').waitFor();
      expect(await page.getByRole('region', { name: 'Conversation' }).textContent()).toBe(shown);
      expect(await page.getByRole('button', { name: 'Yes' }).getAttribute('aria-pressed')).toBe('true');
      expect(await findBarriers(page)).toEqual([]);
      expect(await outcomesOf('offline')).toEqual([]);
      await page.context().setOffline(false);
      await page.getByRole('region', { name: 'After the label' }).getByText('judged so').waitFor();
      expect(await outcomesOf('offline')).toEqual([true]);

      // A page that is closed before that sends the label when it is opened again.
      await page.keyboard.press('Enter');
      await page.context().setOffline(true);
      for (const key of ['n', 'Enter']) await page.keyboard.press(key);
      await page.getByText('This label is not stored yet').waitFor();
      page.on('dialog', (dialog) => void dialog.accept());
      await page.goto('about:blank').catch(() => {});
      await page.context().setOffline(false);
      await page.goto(dashboard.server().addressOf('/reviews/offline'));
      await expect.poll(async () => await outcomesOf('offline')).toEqual([true, false]);
    },
  );

  test.skipIf(!isReleaseTested)(
    'an item that was taken by another person is said not to be stored (needs TOUCHSTONE_TEST_ALL=1)',
    async () => {
      await storeReviewTask(store, { id: 'taken', answers: { passed: 2, failed: 0 } });
      const { page } = await dashboard.open('/reviews/taken', { mayFail: ['409'] });
      await start(page, 'Ann');
      await page.getByText(/^answer \d$/).waitFor();
      await releaseItems(store.documents, { task: 'taken', person: 'Ann' });
      const [now, until] = [new Date().toISOString(), new Date(Date.now() + 60_000).toISOString()];
      const wishes = [0, 1].map((item) => ({ item, purpose: 'new' as const }));
      await reserveItems(store.documents, { task: 'taken', person: 'Bob', wishes, count: 2, now, until });
      for (const key of ['y', 'Enter']) await page.keyboard.press(key);
      await page.getByText('This label was not stored.').waitFor();
      expect(await page.getByRole('alert').textContent()).toContain('another person is labelling it');
      expect(await outcomesOf('taken')).toEqual([]);
      expect(await findBarriers(page)).toEqual([]);
    },
  );

  test.skipIf(!isReleaseTested)(
    'hostile texts in the rubric, the answer and a note are texts (needs TOUCHSTONE_TEST_ALL=1)',
    async () => {
      const hostile = hostileTexts.join('\n');
      const rubric = buildRubric({
        id: 'hostile',
        version: '9'.repeat(32),
        question: hostile,
        scale: { type: 'choice', choices: ['good\nbad', hostile, 'c'] },
        notApplicable: hostile,
        examples: [{ type: 'border', answer: hostile, note: hostile }],
        maySeeExpected: true,
      });
      const answers = { passed: 2, failed: 0, answerOf: () => hostile };
      await storeReviewTask(store, {
        id: 'hostile',
        rubrics: [rubric],
        answers,
        overlap: { people: 2, share: 1 },
      });
      for (const person of ['<img src=x onerror="window.pwned=1">', 'Bob']) {
        const { page } = await dashboard.open('/reviews/hostile');
        await start(page, person);
        await page.getByRole('region', { name: 'Conversation' }).waitFor();
        await page.getByText('Examples (1)').press('Enter');
        await page.evaluate('document.activeElement.blur()');
        for (const key of ['m', 'Shift+ArrowRight', 'm', '3', 'Shift+Enter']) await page.keyboard.press(key);
        await page.keyboard.insertText(hostileTexts[1] ?? '');
        await page.keyboard.press('Enter');
        await page.getByRole('region', { name: 'After the label' }).getByText('judged so').waitFor();
        expect(await page.evaluate('window.pwned')).toBeUndefined();
        if (person === 'Bob') expect(await findBarriers(page)).toEqual([]);
      }
      const { page } = await dashboard.open('/reviews');
      await page
        .getByRole('region', { name: 'hostile · hostile', exact: true })
        .locator('tbody tr')
        .first()
        .waitFor();
      expect(await page.evaluate('window.pwned')).toBeUndefined();
    },
  );

  test.skipIf(!isReleaseTested)(
    'a sitting of more than 90 minutes is warned of, and a pause begins another (needs TOUCHSTONE_TEST_ALL=1)',
    async () => {
      await storeReviewTask(store, { id: 'long', answers: { passed: 12, failed: 0 } });
      const { page } = await dashboard.open('/reviews/long');
      await page.clock.install();
      await start(page, 'Ann');
      await page.getByText(/^answer \d$/).waitFor();
      const label = async (minutes: number) => {
        await page.clock.fastForward(minutes * 60_000);
        for (const key of ['y', 'Enter']) await page.keyboard.press(key);
        await page.getByRole('region', { name: 'After the label' }).waitFor();
        await page.keyboard.press('Enter');
        await page.getByRole('region', { name: 'After the label' }).waitFor({ state: 'detached' });
      };
      const warning = page.getByText('You have labelled for');
      for (let time = 0; time < 9; time += 1) await label(9.9);
      expect(await warning.count()).toBe(0);
      await label(9.9);
      expect(await warning.textContent()).toContain('for 99 minutes');
      await label(11);
      expect(await warning.count()).toBe(0);
    },
  );

  test.skipIf(!isReleaseTested)(
    'on a narrow screen nothing is cut off, and an unknown task is explained (needs TOUCHSTONE_TEST_ALL=1)',
    async () => {
      const { page } = await dashboard.open('/reviews/keys', { viewport: { width: 390, height: 800 } });
      await start(page, 'Ann');
      await page.getByText(/^answer \d$/).waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
      expect(await findBarriers(page)).toEqual([]);
      const unknown = await dashboard.open('/reviews/none', { mayFail: ['404'] });
      await unknown.page.getByRole('alert').waitFor();
      expect(await unknown.page.getByRole('alert').textContent()).toContain(
        'There is no review task "none".',
      );
    },
  );

  test('notes of what went wrong are given by keys: yes goes to the note, whose lines are faults; no needs none', async () => {
    await storeReviewTask(store, { id: 'notes', rubrics: [makeRubric(notesRubric)] });
    const { page } = await dashboard.open('/reviews/notes');
    await start(page, 'Ann');
    const answer = page.getByRole('region', { name: 'Conversation' });
    await answer.getByText(/^answer \d$/).waitFor();
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await press('y');
    await expect.poll(async () => await page.locator('textarea:focus').count()).toBe(1);
    // Nothing is kept without a note.
    await press('Enter');
    await expect.poll(async () => await page.locator('textarea:focus').count()).toBe(1);
    await page.keyboard.type('states 30 February');
    await press('Shift+Enter');
    await page.keyboard.type('no apology');
    await press('Enter');
    await page.getByRole('region', { name: 'After the label' }).getByText('no labels yet').waitFor();
    await press('Enter', 'n', 'Enter');
    await page.getByText('2 in this sitting').waitFor();
    expect((await labelsOf('notes')).map(({ note: text, outcome }) => [outcome, text])).toEqual([
      [{ status: 'answered', value: true }, 'states 30 February\nno apology'],
      [{ status: 'answered', value: false }, undefined],
    ]);
  });
});
