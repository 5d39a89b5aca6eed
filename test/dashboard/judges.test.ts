import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { calibrate } from '../../src/library/api/calibrate.ts';
import type { Gate } from '../../src/core/schema/gate.ts';
import { createMemoryStore } from '../support/memory-store.ts';
import { describeInBrowser, findBarriers, pressTogether, useDashboard } from '../support/browser.ts';
import { fingerprintOf, type JudgeVerdict, storeJudgedRuns } from '../support/judged-runs.ts';
import { judgedRun, labelRun, rightJudge, scored, version } from '../support/labelled-run.ts';
import { isReleaseTested } from '../support/is-release-tested.ts';

const hostile = '<img src=x onerror="window.pwned=1">\u202Eevil';

const say = (text: string): JudgeVerdict[] =>
  Array.from(text, (sign) => (sign === 'f' ? [true, false, true] : [sign === '?' ? null : sign === 'y']));

describeInBrowser('judges', () => {
  const dashboard = useDashboard(async () => {
    const { store } = await storeJudgedRuns([
      { name: 'strict', verdicts: say('yynnnyyff?') },
      { name: hostile, verdicts: say('yyyynyyyyy') },
    ]);
    return store;
  });

  test('the top bar leads to the list of judges, which leads to each', async () => {
    const { page } = await dashboard.open('/');
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Judges' }).click();
    const rows = page.getByRole('region', { name: 'Judges' }).locator('tbody tr');
    await rows.first().waitFor();
    expect(await rows.count()).toBe(2);
    expect(await rows.last().textContent()).toMatch(/^strict7374726.*correctnessnone1 ?91\$0\.10/);
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('link', { name: 'strict' }).click();
    await page.getByRole('heading', { level: 1, name: 'strict' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/judges/${fingerprintOf('strict')}`);
  });

  test('a judge shows its failures, its agreement, its flips, and what contradicts it', async () => {
    const { page } = await dashboard.open('/judges/strict');
    const agreement = page.getByRole('region', { name: 'Agreement with other judges' }).locator('tbody tr');
    expect(await agreement.textContent()).toContain('77.8 % [45.3, 93.7]');
    const questions = page.getByRole('region', { name: 'Questions' }).locator('tbody tr');
    expect(await questions.textContent()).toBe(
      'correctness@2verdict101 judge-unparsable: the reply is not JSON',
    );
    const flips = page.getByRole('region', { name: 'Flips of repeated samples' }).locator('tbody tr');
    expect(await flips.textContent()).toContain('2 flipped');
    const main = (await page.getByRole('main').textContent()) ?? '';
    expect(main).toContain('3 of 9 complete-but-wrong: everything expected is in it, judged wrong');
    expect(await page.evaluate('window.pwned')).toBeUndefined();
    expect(await page.getByText('U+202E').count()).toBeGreaterThan(0);
    await agreement.getByText('2 differ').press('Enter');
    const split = agreement.getByRole('link', { name: 'question 2' });
    expect(await split.getAttribute('href')).toBe('/runs/run-0/cases/2');
    expect(await findBarriers(page)).toEqual([]);
  });

  test('on a narrow screen tables scroll within themselves', async () => {
    const { page } = await dashboard.open('/judges/strict', { viewport: { width: 390, height: 800 } });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    expect(await findBarriers(page)).toEqual([]);
  });

  test('an unknown judge is explained', async () => {
    const { page } = await dashboard.open('/judges/none', { mayFail: ['404'] });
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.textContent()).toContain('No run of this store has a judge "none".');
  });
});

describeInBrowser('a judge that people certified', () => {
  const rules: Gate['rules'] = { helps: { type: 'metric', metric: 'helps the user', atLeast: 40 } };
  const gate = { minCoverage: 1, rules };
  const ids = { certified: '', changed: '' };

  const dashboard = useDashboard(async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'touchstone-certified-'));
    const store = createMemoryStore();
    ids.certified = (await judgedRun(store, folder, rightJudge, { gate })).id;
    await labelRun(store);
    await calibrate({ store, rubric: 'helps' });
    await calibrate({ store, rubric: 'helps', leastAgreement: 1, by: 'Ann' });
    const text = 'The answer helps the user a lot.';
    ids.changed = (await judgedRun(store, folder, rightJudge, { gate, text, cases: 40 })).id;
    await rm(folder, { recursive: true });
    return store;
  });

  test('its certificate shows the table, the rates with intervals, and why it ended', async () => {
    const { page } = await dashboard.open('/judges/scripted');
    const card = page.getByRole('region', { name: 'Is it right?' });
    const text = (await card.textContent()) ?? '';
    expect(text).toContain('ended');
    expect(text).toContain('the question to the judge has changed since (its prompt, rubric or options)');
    expect(text).toMatch(
      /judge says 58\.0 % · corrected \d\d\.\d % \[\d\d\.\d, \d\d\.\d\] \(200 labels, PPI\+\+\)/,
    );
    expect(await card.getByRole('row', { name: /^People pass/ }).textContent()).toMatch(/^People pass\d+$/);
    await card.getByText('conditions met').click();
    expect(await findBarriers(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    expect(await findBarriers(page)).toEqual([]);
  });

  test.skipIf(!isReleaseTested)(
    'a calibration without a certificate shows who made it, when, its numbers, and what was missing (needs TOUCHSTONE_TEST_ALL=1)',
    async () => {
      const { page } = await dashboard.open('/judges/scripted');
      await page.getByText('1 calibration without a certificate').click();
      const card = page.getByRole('article', { name: /^No certificate for helps the user/ });
      expect(await card.textContent()).toMatch(
        /✗ no certificate.*by Ann.*at least 1 is required.*judge says 58\.0 %.*People pass/,
      );
      expect(await findBarriers(page)).toEqual([]);
      await page.goto(new URL('/judges', page.url()).href);
      const rows = page.getByRole('region', { name: 'Judges' }).locator('tbody tr');
      await rows.first().waitFor();
      expect(await rows.first().textContent()).toMatch(/○ ended|✓ until/);
    },
  );

  test('a run shows both rates while the certificate holds, and the command to certify when it does not', async () => {
    const { page } = await dashboard.open(`/runs/${ids.certified}`);
    const said = page.getByRole('region', { name: 'Do people agree with the judge?' });
    expect(await said.textContent()).toMatch(/judge says 58\.0 % · corrected \d\d\.\d %/);
    // Without a scorecard, its metrics are in the place of the score.
    expect(await page.getByRole('region', { name: 'Verdict' }).textContent()).toMatch(
      /helps the usercorrected \d\d\.\d % \[.*\] · judge says 58\.0 %/,
    );
    expect(await findBarriers(page)).toEqual([]);
    await page.goto(page.url().replace(ids.certified, ids.changed));
    await said.getByText('How to certify it').click();
    expect(await said.textContent()).toContain(
      `touchstone review create --rubric helps --run ${ids.changed}`,
    );
    expect(await findBarriers(page)).toEqual([]);
  });
});

describeInBrowser('a judge that is lenient with one version', () => {
  const ids: string[] = [];
  const dashboard = useDashboard(async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'touchstone-lenient-'));
    const store = createMemoryStore();
    const versions = [version('v1', 0.9), version('v2', 0.4), version('v3', 0.4)];
    for (const [index, made] of versions.entries()) {
      const { id } = await judgedRun(store, folder, 'smooth', {
        targets: [{ ...made, name: 'bot' }],
        ...scored,
      });
      ids.push(id);
      if (index === 2) continue;
      await labelRun(store);
      await calibrate({ store, rubric: 'helps' });
    }
    await rm(folder, { recursive: true });
    return store;
  });

  test('the trend shows what people would say with the judge beside it, and why no change is searched', async () => {
    const { page } = await dashboard.open('/');
    const history = page.getByRole('region', { name: 'Is it getting better?' });
    await history.getByRole('button').click();
    const drawing = page.getByRole('img', { name: 'Score of bot over 3 runs' });
    const card = history.getByRole('article').filter({ has: drawing });
    await drawing.waitFor();
    const text = (await card.textContent()) ?? '';
    // The newest version has no labels of its own.
    expect(text).toContain('botnot corrected · judge says 79.0 %');
    expect(text).toContain('No change is searched: it rests on a certified judge');
    await card.getByText('As table').click();
    const cells = await card.locator('tbody tr').allTextContents();
    expect(cells).toEqual([
      expect.stringContaining('not corrected · judge says 79.0 %'),
      expect.stringMatching(/corrected 64\.1 % \[57\.4, 70\.2\] · judge says 79\.0 %/),
      expect.stringMatching(/corrected 64\.5 % \[58\.5, 70\.1\] · judge says 61\.0 %/),
    ]);
    expect(await findBarriers(page)).toEqual([]);
  });

  test('the run shows the same corrected rate as its trend', async () => {
    const { page } = await dashboard.open(`/runs/${ids[1]}`);
    const said = page.getByRole('region', { name: 'Do people agree with the judge?' });
    expect(await said.textContent()).toContain('judge says 79.0 % · corrected 64.1 % [57.4, 70.2]');
  });

  test('a comparison of labelled versions is corrected, and with an unlabelled one refused', async () => {
    const { page } = await dashboard.open(`/compare?a=${ids[0]}&b=${ids[1]}`);
    const rows = page.getByRole('region', { name: 'Differences' });
    await rows.waitFor();
    const main = page.getByRole('main');
    expect(await main.textContent()).toContain(
      'This is what people would say; as the judge says, it is +18.0 points',
    );
    expect(await rows.getByRole('row', { name: /^score/ }).textContent()).toContain('corrected');
    expect(await main.textContent()).not.toContain('B is better');
    await page.goto(page.url().replace(ids[1] ?? '', ids[2] ?? ''));
    await page.getByText('Not comparable by this judge').first().waitFor();
    expect(await rows.getByRole('row', { name: /^score/ }).textContent()).toContain('not comparable');
    expect(await main.textContent()).toContain(`touchstone review create --rubric helps --run ${ids[2]}`);
    expect(await findBarriers(page)).toEqual([]);
  });
});

describeInBrowser('a store without judges', () => {
  const dashboard = useDashboard(() => Promise.resolve(createMemoryStore()));

  test('`g j` leads to the list, which says how to get one', async () => {
    const { page } = await dashboard.open('/');
    const empty = page.getByText('No run has a judge yet');
    await pressTogether(page, 'g j', (limit) => empty.waitFor(limit));
    expect(await findBarriers(page)).toEqual([]);
  });
});
