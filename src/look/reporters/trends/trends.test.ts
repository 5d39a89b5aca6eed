import { expect, test } from 'vitest';
import { displayWidth } from '../../../core/lib/text/terminal-text.ts';
import { traceTrends } from '../../../decide/analysis/trends/trace-trends.ts';
import { buildHistory, gitAt, type PastRun } from '../../../../test/support/build-history.ts';
import type { AskedCase } from '../../../../test/support/build-kept-run.ts';
import { trendsCsv } from './csv.ts';
import { jsonDocument } from '../../../core/lib/objects.ts';
import { trendsMarkdown, trendsText } from './text.ts';
import type { TrendsInput } from '../../report/trends.ts';

const view = { width: 140, color: false, verbose: false };

function questions(loss: number, count = 12): AskedCase[] {
  return Array.from({ length: count }, (_, index) => ({
    asks: `q${index}`,
    category: index < 6 ? 'early' : 'late',
    attempts: [{ total: 0.8 - loss - (index % 4) / 20, latencyMs: 120 }],
  }));
}

async function inputOf(past: readonly PastRun[], storeFolder?: string): Promise<TrendsInput> {
  return {
    trends: await traceTrends(await buildHistory(past), {}, async () => await Promise.resolve(undefined)),
    storeFolder,
  };
}

const losing = await inputOf([0, 0, 0, 0.4, 0.4].map((loss) => ({ cases: questions(loss) })));

test('a run is a row, and a change is shown between the two runs where it happened', () => {
  expect(trendsText(losing, view)).toMatchInlineSnapshot(`
    "Touchstone  trends
    bot · score · 5 runs · 2026-01-01 to 2026-01-05
    ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
      Run, UTC          Commit    Score                    n  20 %                90 %   Passed     p50     p90  Branch  Run id
      2026-01-01 00:00  0000001  72.5 %  [53.2, 80.2]  12/12  ···········──────●───···  100.0 %  120 ms  120 ms  main    run-01
      2026-01-02 00:00  0000002  72.5 %  [53.2, 80.2]  12/12  ···········──────●───···  100.0 %  120 ms  120 ms  main    run-02
      2026-01-03 00:00  0000003  72.5 %  [53.2, 80.2]  12/12  ···········──────●───···  100.0 %  120 ms  120 ms  main    run-03
      ▼ score worse by 40.0 points [−54.9, −25.1], p < 0.001 if only the answers vary, between 0000003 and 0000004
      2026-01-04 00:00  0000004  32.5 %  [23.5, 50.5]  12/12  ·───●──────·············    0.0 %  120 ms  120 ms  main    run-04
      2026-01-05 00:00  0000005  32.5 %  [23.5, 50.5]  12/12  ·───●──────·············    0.0 %  120 ms  120 ms  main    run-05

      Category, newest run   Score                Last change
      late                  30.8 %  [16.4, 62.7]  none visible
      early                 34.2 %  [18.2, 64.5]  none visible

      Changes: every stretch of the runs that can be compared is searched; for each measure the chance of any false mark, looked at after each
      of 30 runs, is at most 5 %.
      Chance is how the answers to the same questions vary from run to run: what moves a whole run, such as an outage or a cache, is marked as a
      change.
      Not searched: median latency (5 runs, of 8 that it takes).
      Which questions changed:  touchstone compare run-03 run-04
    "
  `);
});

test('a line names changes of anything but the target', async () => {
  const input = await inputOf([
    { cases: questions(0) },
    { cases: questions(0.4, 10), parts: { git: gitAt(2, { dirty: true }) } },
    { cases: questions(0, 10), parts: { status: 'interrupted' } },
  ]);
  const text = trendsText(input, view);
  expect(text).toContain(' ── the dataset changed: 12 → 10 questions: not comparable with the runs above\n');
  expect(text).toMatch(/0000002\* +33\.5 %/);
  expect(text).toMatch(/interrupted +10\/10 {2}/);
  expect(text).toContain('No two runs can be compared');
  expect(text).toContain('1 run excluded from the series');
  expect(text).toContain('Commits with * had changes that were not committed.');
  const markdown = trendsMarkdown(input);
  expect(markdown).toContain(
    '- ── the dataset changed: 12 → 10 questions: not comparable with the runs above\n\n| Run, UTC |',
  );
  expect(markdown.match(/^\| --- /gm)).toHaveLength(2);
});

test('a change within one commit is attributed to something else', async () => {
  const git = gitAt(9);
  const past = [0, 0, 0, 0.4, 0.4].map((loss) => ({ cases: questions(loss), parts: { git } }));
  expect(trendsText(await inputOf(past), { ...view, width: 200 })).toContain(
    'the commit is the same, so the cause lies outside of it',
  );
  const dirty = past.map((run) => ({ ...run, parts: { git: { ...git, dirty: true } } }));
  expect(trendsText(await inputOf(dirty), view)).not.toContain('the commit is the same');
});

test('without git, and with a store elsewhere, runs are named by their ids', async () => {
  const past = [0, 0, 0, 0.4, 0.4].map((loss) => ({ cases: questions(loss), parts: { git: undefined } }));
  const text = trendsText(await inputOf(past, 'my runs'), view);
  expect(text).toContain('between run-03 and run-04');
  expect(text).toContain("touchstone compare run-03 run-04 --store 'my runs'");
});

test('branches and names from outside cannot affect the terminal, the page or the spreadsheet', async () => {
  const branch = '=cmd|x\u001b[31m\u202e<b>`"';
  const hostile = await inputOf(
    [0, 0.4].map((loss, index) => ({
      cases: questions(loss).map((asked) => ({
        ...asked,
        category: `${asked.category ?? ''}\u001b]0;x\u0007|`,
      })),
      parts: {
        git: gitAt(index, { branch }),
        targets: [{ name: branch, use: { use: 'x' }, fingerprint: 'f' }],
      },
    })),
  );
  const text = trendsText(hostile, { ...view, width: 170 });
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f\u202e]/);
  const markdown = trendsMarkdown(hostile);
  expect(markdown).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  for (const line of markdown.split('\n').filter((each) => each.startsWith('| 20'))) {
    expect(line.match(/\|/g)).toHaveLength(11);
  }
  const csv = trendsCsv(hostile);
  expect(csv).toContain(`"'=cmd|x\u001b[31m\u202e<b>\`"""`);
  expect(JSON.parse(jsonDocument(hostile.trends))).toEqual(hostile.trends);
});

test.each([40, 60, 80, 100, 200])('no line is wider than %i columns', (width) => {
  for (const line of trendsText(losing, { ...view, width }).split('\n')) {
    expect(displayWidth(line)).toBeLessThanOrEqual(width);
  }
});

test('with colours, the text is the same', () => {
  const painted = trendsText(losing, { ...view, color: true });
  expect(painted).toContain('\u001b[31m');
  expect(painted.replaceAll(/\u001b\[\d+m/g, '')).toBe(trendsText(losing, view));
});

test('Markdown shows a change between the runs where it happened', () => {
  const markdown = trendsMarkdown(losing);
  expect(markdown).toContain(
    '\n- ▼ score worse by 40.0 points [−54.9, −25.1], p &lt; 0.001 if only the answers vary, between `0000003` and `0000004`\n\n',
  );
  expect(markdown).toContain(
    '| 2026-01-04 00:00 | `0000004` | 32.5 % | [23.5, 50.5] | 12/12 | 0.0 % | 120 ms | 120 ms | `main` | `run-04` |\n',
  );
  expect(markdown).toContain('Which questions changed: `touchstone compare run-03 run-04`\n');
});

test('a spreadsheet has unrounded numbers and a row for each run', () => {
  const [head, first, ...others] = trendsCsv(losing).trimEnd().split('\r\n');
  expect(head?.split(',')).toHaveLength(27);
  expect(first).toMatch(/^bot,score,,run-01,,2026-01-01T00:00:00\.000Z,0000001f{33},main,false,1,,0\.7\d+,/);
  expect(others[2]).toMatch(/,score worse$/);
  expect(others).toHaveLength(4);
});

test('the report says so when no run matches', async () => {
  const trends = await traceTrends(await buildHistory([]), {}, async () => await Promise.resolve(undefined));
  expect(trendsText({ trends }, view)).toContain('No run matches');
  expect(trendsMarkdown({ trends })).toBe(
    '## Touchstone trends\n\nNo run matches: `touchstone runs` lists those that are stored, `touchstone run` makes one.\n',
  );
});
