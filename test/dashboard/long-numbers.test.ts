import { expect, test } from 'vitest';
import { parseJson } from '../../src/core/lib/json/parse-json.ts';
import { createMemoryStore } from '../support/memory-store.ts';
import { buildCase, buildRun, buildTrial } from '../../src/library/testing/build-records.ts';
import { describeInBrowser, useDashboard } from '../support/browser.ts';

describeInBrowser('the page of a case with long numbers', () => {
  const dashboard = useDashboard(async () => {
    const store = createMemoryStore();
    const run = buildRun({ status: 'completed' });
    const testCase = buildCase({
      metadata: parseJson('{"ref":1290461237612345671,"sum":12345678901234567.89}'),
    });
    const call = { name: 'ban', arguments: parseJson('{"user_id":1290461237612345678}') };
    await store.createRun(run);
    await store.addCases(run.id, [{ position: 0, hash: 'h', place: 'golden.jsonl:1', case: testCase }]);
    const transcript = [
      { role: 'assistant' as const, content: null, toolCalls: [call] },
      { role: 'assistant' as const, content: 'done' },
    ];
    await store.addTrials(run.id, [{ case: testCase, trial: buildTrial('done', { transcript }) }]);
    return store;
  });

  test('shows all their digits', async () => {
    const { page } = await dashboard.open('/runs/latest/cases/0');
    await page.getByText('1290461237612345678').first().waitFor();
    const text = await page.locator('body').textContent();
    expect(text).toContain('{"user_id":1290461237612345678}');
    expect(text).toContain('1290461237612345671');
    expect(text).toContain('12345678901234567.89');
  });
});
