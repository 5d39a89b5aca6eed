import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { exportProposals } from '../../src/library/api/cases/proposals.ts';
import { propose } from '../../src/library/api/cases/propose.ts';
import { importTraces } from '../../src/library/api/cases/traces.ts';
import { createMemoryStore } from '../support/memory-store.ts';
import type { Store } from '../../src/stores/store.ts';
import { buildCase, buildRun, buildTrial } from '../../src/library/testing/build-records.ts';
import { describeInBrowser, findBarriers, useDashboard } from '../support/browser.ts';
import { isReleaseTested } from '../support/is-release-tested.ts';
import { proposalKind } from '../../src/stores/kinds/proposal.ts';
import { traceKind } from '../../src/stores/kinds/trace.ts';

const hostile = '<img src=x onerror="window.pwned=1">\u202Eevil';
const fixture = path.join(import.meta.dirname, '../otlp/exporter-http.json');
const traceId = '5b8efff798038103d269b633813fc60c';

/** A request with a trace whose texts would do harm on a page that took them for HTML. */
const hostileRequest = readFileSync(fixture, 'utf8')
  .replaceAll(traceId, 'aaaafff798038103d269b633813fc60c')
  .replaceAll('conv-7', 'conv-8')
  .replaceAll(
    'When is the library open on Thursday? My card',
    JSON.stringify(JSON.stringify(hostile).slice(1, -1)).slice(1, -1),
  )
  .replaceAll('opening_hours', '<b>tool</b>');

describeInBrowser('proposals', () => {
  let folder = '';
  let golden = '';
  let store: Store;
  const dashboard = useDashboard(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'touchstone-proposals-'));
    golden = path.join(folder, 'golden.jsonl');
    store = createMemoryStore();
    await writeFile(
      golden,
      '{"id": "friday", "question": "When is the library open on Friday?", "category": "hours", "expected_tools": ["opening_hours"]}\n',
    );
    const hostileFile = path.join(folder, 'hostile.json');
    await writeFile(hostileFile, hostileRequest);
    for (const file of [fixture, hostileFile]) await importTraces(file, { store });
    const heads = await Array.fromAsync(store.documents.list(traceKind));
    const ids = heads.map((head) => head.traceId).sort();
    await propose({ store, dataset: golden, traces: ids, by: 'Ann' });
    return store;
  });

  const shownId = async (page: Page) => new URL(page.url()).searchParams.get('at');

  test('a person ticks, edits, approves, rejects and takes back by keys alone, and only what was ticked enters the file', async () => {
    const { page } = await dashboard.open('/proposals');
    await page.keyboard.type('Bob');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Expectations' }).waitFor();
    // The trace of the fixture comes first.
    expect(await page.getByLabel('Question').inputValue()).toContain('library open on Thursday');
    expect(await page.getByLabel('Category').inputValue()).toBe('hours');
    const boxes = page.getByRole('checkbox');
    expect(await boxes.count()).toBe(3);
    for (const box of await boxes.all()) expect(await box.isChecked()).toBe(false);
    await page.getByText('Nothing is found about this question.').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.keyboard.press('?');
    await page.getByText('Approve the question with what is ticked').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('e');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('When is the library open on Thursday?');
    await page.keyboard.press('Escape');
    await page.keyboard.press('1');
    await page.keyboard.press('3');
    await page.getByText('2 of 3 expectations ticked').waitFor();
    await page.keyboard.press('v');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('7 pm');
    await page.keyboard.press('Escape');
    await page.keyboard.press('a');
    await page.getByText('1 open proposal of 2').waitFor();
    const [first, second] = await Array.fromAsync(store.documents.list(proposalKind));
    expect(first?.decisions[0]).toMatchObject({
      by: { person: 'Bob' },
      outcome: {
        status: 'approved',
        case: { input: 'When is the library open on Thursday?', category: 'hours' },
        expectations: [
          { expectation: 0, field: 'tools', value: 'opening_hours' },
          { expectation: 2, field: 'entities', value: '7 pm' },
        ],
      },
    });
    // The next open one is on the screen: its texts are texts.
    await expect.poll(() => shownId(page)).toBe(second?.proposal.id);
    await page.getByText('U+202E').first().waitFor();
    expect(await page.evaluate('window.pwned')).toBeUndefined();
    await page.keyboard.press('r');
    await page.getByText('0 open proposals of 2').waitFor();
    await page.keyboard.press('n');
    await page.getByText('This proposal is rejected').waitFor();
    await page.keyboard.press('u');
    await page.getByText('1 open proposal of 2').waitFor();
    await exportProposals({ store, file: golden });
    const [, line] = readFileSync(golden, 'utf8').trimEnd().split('\n');
    expect(JSON.parse(line ?? '')).toMatchObject({
      question: 'When is the library open on Thursday?',
      expected_tools: ['opening_hours'],
      expected_entities: ['7 pm'],
      metadata: { origin: { trace: traceId, day: '2026-01-02', by: 'Bob' } },
    });
    expect(readFileSync(golden, 'utf8')).not.toContain('15:00');
  });

  test('the one who proposed is refused with the reason', async () => {
    const { page } = await dashboard.open('/proposals', { mayFail: ['409'] });
    await page.keyboard.type('ann');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Expectations' }).waitFor();
    await page.keyboard.press('a');
    const dialog = page.getByRole('dialog', { name: 'Approve it all the same?' });
    await dialog.getByText('It expects nothing').waitFor();
    await dialog.getByRole('button', { name: 'Approve all the same' }).click();
    await page.getByText('the person who proposed it does not approve it').waitFor();
    expect(await page.getByText('1 open proposal of 2').count()).toBe(1);
  });

  test.skipIf(!isReleaseTested)(
    'a trace shows its case and how a later run did on it, and the case shows its trace (needs TOUCHSTONE_TEST_ALL=1)',
    async () => {
      const [kept] = await Array.fromAsync(store.documents.list(proposalKind));
      const proposal = kept?.proposal.id ?? '';
      const [, line] = readFileSync(golden, 'utf8').trimEnd().split('\n');
      const { metadata } = JSON.parse(line ?? '');
      const run = { ...buildRun(), id: 'later' };
      const testCase = { ...buildCase(), id: proposal, metadata };
      await store.createRun(run);
      await store.addCases(run.id, [{ position: 0, case: testCase, hash: 'h', place: 'golden.jsonl:2' }]);
      const trial = buildTrial('From 15:00 to 19:00.', { caseId: proposal });
      await store.addTrials(run.id, [{ case: testCase, trial }]);
      const { page } = await dashboard.open('/');
      await page
        .getByRole('navigation', { name: 'Pages' })
        .getByRole('link', { name: 'Traces' })
        .press('Enter');
      const rows = page.getByRole('region', { name: 'Traces' }).locator('tbody tr');
      const row = rows.filter({ hasText: 'library open on Thursday' });
      await row.waitFor();
      expect(await row.innerText()).toMatch(
        /On Thursday the library is open.*\s1\s+\$0\.0021\s+1\.32 s\s+2026-01-02 10:00/s,
      );
      await rows.filter({ hasText: 'U+202E' }).waitFor();
      expect(await page.evaluate('window.pwned')).toBeUndefined();
      expect(await findBarriers(page)).toEqual([]);
      await page.setViewportSize({ width: 390, height: 800 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
      await row.getByRole('link').press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Trace 5b8efff79803' }).waitFor();
      await page.getByText('On Thursday the library is open').waitFor();
      expect(await page.getByRole('link', { name: proposal }).count()).toBe(1);
      expect(await findBarriers(page)).toEqual([]);
      await page.getByRole('listitem').filter({ hasText: 'attempt 1' }).getByRole('link').press('Enter');
      await page.getByRole('heading', { name: 'Where does the question come from?' }).waitFor();
      await page.getByRole('link', { name: traceId }).press('Enter');
      await page.getByText('execute_tool opening_hours').waitFor();
    },
  );

  test('on a narrow screen nothing is wider than the screen', async () => {
    const { page } = await dashboard.open('/proposals', { viewport: { width: 390, height: 800 } });
    await page.keyboard.type('Bob');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Expectations' }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    expect(await findBarriers(page)).toEqual([]);
    await rm(folder, { recursive: true, force: true });
    expect(existsSync(golden)).toBe(false);
  });
});
