import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { displayWidth } from '../../core/lib/text/terminal-text.ts';
import { createTrialSelection } from '../../decide/analysis/summary/select-trials.ts';
import type { Result } from '../../core/schema/result.ts';
import type { TargetSummary } from '../../core/schema/summary.ts';
import { withComparisons } from '../../../test/support/with-comparisons.ts';
import { readPieces, sampleInput, sampleView } from '../../../test/support/build-sample-run.ts';
import type { SampleTrial } from '../../../test/support/judge-sample.ts';
import type { ReportInput, ReportView } from './reporter.ts';
import { terminal } from './terminal.ts';

const few: SampleTrial[] = [
  {
    id: 'address',
    category: 'property_info',
    question: 'What is our property address?',
    expectedTools: ['query_database'],
    usedTools: ['query_database'],
    found: ['900', '9th', 'Montrose', 'CO'],
  },
  {
    id: 'rent-monthly',
    category: 'transactions',
    question: 'Show rental income by month for 2024, with every deposit and a breakdown by tenant',
    expectedTools: ['query_database'],
    usedTools: ['search_document_content'],
    found: ['2024', 'income'],
    missing: ['August', 'breakdown', 'total'],
    answer: 'In 2024 the income was fine.\nSee the documents.',
    logs: 'opening the index\nread 12 chunks',
  },
  {
    id: 'expenses',
    category: 'transactions',
    question: 'Which expenses were highest?',
    expectedTools: ['query_database'],
    error: { code: 'timeout', message: 'no answer within 30 s' },
  },
];

async function reportOf(trials: readonly SampleTrial[], view: Partial<ReportView> = {}): Promise<string> {
  return readPieces(terminal.report(sampleInput(trials), sampleView(view)));
}

test('a small report has this text', async () => {
  expect(await reportOf(few)).toBe(`Touchstone  run r-2026-02-11-a1
3 questions · golden.jsonl · 2026-02-11 09:30 UTC · 12.4 s
────────────────────────────────────────────────────────────────────────────────

assistant
  68.0 % [4.0, 100.0]  n = 2/3 · 1 error · worst case 45.3 · best case 78.7

  Passed  1 of 2  50.0 %  [0.0, 100.0]
  Failed  1 of 2
  Errors  1 of 3  33.3 %  [0.0, 100.0]
  Grades  A 1 excellent · B 0 good · C 0 acceptable · D 0 needs investigation
          F 1 poor
  Means   68.0 % on average is D, needs investigation
  Calls   3, no retries · tokens and cost not reported

  Component         Weight    Mean                   n  0 %        100 %
  tool usage          40 %  50.0 %  [0.0, 100.0]   2/3  ────────●───────
  response quality    40 %  70.0 %  [10.0, 100.0]  2/3  ·──────────●────
  error handling *    20 %  66.7 %  [0.0, 100.0]        ──────────●─────
  * required: no answer passes without full marks here

  Also measured    Mean                       p50     p90     p99
  latency        900 ms  [785 ms, 1.02 s]  900 ms  1.00 s  1.00 s

  Category, weakest first     Mean                  Passed  0 %        100 %
  transactions              36.0 %  too few to say     0/1  ·····●··········
  property_info            100.0 %  too few to say     1/1  ···············●

  Questions
  ✓ 100.0 A  What is our property address?
             address · tools query_database ✓ · keywords 4/4
  ✗  36.0 F  Show rental income by month for 2024, with every deposit and a
             breakdown by tenant
             rent-monthly · tools query_database ✗, used instead
             search_document_content · keywords 2/5, missing "August"
             "breakdown" "total"
  !     –    Which expenses were highest?
             expenses · timeout: no answer within 30 s

  What to look at first
  1  1 error: 33.3 % of the calls
     timeout once.
     Check how long the target takes by itself, its time limit, and whether it
     gets too many questions at once.
     Open first: expenses
  2  tool usage is low: 50.0 %
     query_database was expected but not used once; instead:
     search_document_content 1.
     Does the description of the tool say when to use it? Does the system prompt
     distinguish the tools?
     Open first: rent-monthly
  3  response quality is low: 70.0 %
     Missing most often: "August" once, "breakdown" once, "total" once.
     Is the answer incomplete, did retrieval miss the passage, or does the
     question leave open what is asked for?
     Open first: rent-monthly
  4  Weakest category: transactions, 36.0 %
     0 of 1 passed.
     Open first: rent-monthly

  The brackets are 95 % intervals; the score's is based on 2 questions (method:
  student-t). These are few questions: one alone can move the score by 50.0
  points. 1 attempt of 3 is not in the score.

────────────────────────────────────────────────────────────────────────────────
Not passed:    touchstone show r-2026-02-11-a1 --failed --verbose
One of them:   touchstone show r-2026-02-11-a1 --case rent-monthly

assistant  68.0 % [4.0, 100.0]  n = 2/3 · 1 error · worst case 45.3
           best case 78.7
`);
});

test('an expected tool whose name has a line feed is missed, not used', async () => {
  const text = await reportOf([{ expectedTools: ['a\nb'], usedTools: ['c'] }]);
  expect(text).toContain('tools a ⏎ b ✗, used instead c');
});

test('verbose shows question, answer, expected against found, every score, error and logs', async () => {
  const text = await reportOf(few, { verbose: true });
  expect(text).toContain(`  ✗ 36.0 % · F · rent-monthly · transactions · 900 ms
    Question  Show rental income by month for 2024, with every deposit and a
              breakdown by tenant
    Answer    In 2024 the income was fine.
              See the documents.
    Expected  tools query_database · keywords 2024, income, August, breakdown,
              total
    Found     tools query_database ✗, used instead search_document_content
              keywords 2/5, missing "August" "breakdown" "total"
    Scores    tool usage          0.0 % × 40 %  not used: query_database
              response quality   40.0 % × 40 %  2 of 5 found
              error handling    100.0 % × 20 %
              latency            900 ms
              total             36.0 points
    Logs      opening the index
              read 12 chunks

  ! expenses · transactions · 1.00 s
    Question  Which expenses were highest?
    Expected  tools query_database
    Scores    tool usage        not measured: trial-failed, the target failed
              response quality  not measured: trial-failed, the target failed
              error handling      0.0 % × 20 %  see the error
              latency            1.00 s
              total             response quality was not measured
    Error     timeout: no answer within 30 s`);
  expect(text).toContain(
    'In full:       touchstone show r-2026-02-11-a1 --case rent-monthly\n\nassistant  68.0 %',
  );
});

test('reports of different widths differ only in line breaks and in what is left out', async () => {
  for (const width of [40, 60, 80, 120, 200]) {
    for (const verbose of [false, true]) {
      const lines = (await reportOf(few, { width, verbose })).split('\n');
      expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(width);
    }
  }
});

test('a width out of bounds is clamped', async () => {
  const widest = async (width: number): Promise<number> =>
    Math.max(...(await reportOf(few, { width })).split('\n').map(displayWidth));
  expect(await widest(5)).toBe(40);
  expect(await widest(5000)).toBe(200);
  expect(await widest(Number.NaN)).toBe(80);
});

test('with colours, the text is the same', async () => {
  const colored = await reportOf(few, { color: true });
  expect(colored).toContain('\u001b[32m✓\u001b[39m');
  expect(stripVTControlCharacters(colored)).toBe(await reportOf(few));
});

test('the whole question is shown beside a long id, however narrow the terminal', async () => {
  const question = 'How much depreciation does the schedule show for a full year of the building?';
  const trial: SampleTrial = { ...few[1], id: 'depreciation-per-year-of-the-building', question };
  for (const width of [60, 80, 120, 200]) {
    const text = await reportOf([trial], { width });
    expect(text.replaceAll(/\s+/g, ' ')).toContain(`F ${question} depreciation-per-year-of-the-building `);
  }
});

test('a question that fills the screen is shortened to three lines', async () => {
  const text = await reportOf([{ question: 'Why? '.repeat(500) }]);
  expect(text.match(/Why\?/g)?.length).toBeLessThan(45);
  expect(text).toMatch(/Why\? W…\n {13}q-001/);
});

test('several targets are first shown side by side, then one by one', async () => {
  const trials = Array.from({ length: 8 }, (_, index) => ({ ...few[index % 2], id: `c-${index}` }));
  const better = trials.map((trial) => ({
    ...trial,
    target: 'assistant-v2',
    usedTools: ['query_database'],
    latencyMs: 700,
  }));
  const input = await withComparisons(sampleInput([...trials, ...better]));
  const text = await readPieces(terminal.report(input, sampleView()));
  expect(text).toContain(`
  Side by side           assistant      assistant-v2  second − first
  score                   68.0 %            88.0 %    +20.0 [−25.4, +51.2]
                    [43.8, 92.2]      [78.9, 97.1]
  passed                  50.0 %           100.0 %    +50.0 [+1.3, +78.5]
                    [12.2, 87.8]    [100.0, 100.0]
  errors                   0.0 %             0.0 %    0.0 [−32.4, +32.4]
  tool usage              50.0 %           100.0 %    +50.0 [+1.3, +78.5]
`);
  expect(text).toContain(
    '  answer time             1.06 s            700 ms ★  −363 ms [−552 ms, −173 ms]\n',
  );
  expect(text).toContain('  ★ better than every other target by more than the noise');
  expect(text.match(/^assistant(-v2)?$/gm)).toEqual(['assistant', 'assistant-v2']);
});

test('without a difference beyond the noise no target is marked as best', async () => {
  const input = sampleInput([...few, ...few.map((trial) => ({ ...trial, target: 'assistant-v2' }))]);
  const text = await readPieces(terminal.report(await withComparisons(input), sampleView()));
  expect(text).toContain('  No target is better than every other one by more than the noise');
  expect(text).not.toContain('★');
});

test('more targets than fit the width are split into blocks', async () => {
  const names = Array.from({ length: 9 }, (_, index) => `model-${index}`);
  const input = await withComparisons(
    sampleInput(names.flatMap((target) => few.map((trial) => ({ ...trial, target })))),
  );
  const text = await readPieces(terminal.report(input, sampleView()));
  expect(text.match(/^ {2}Side by side.*$/gm)?.flatMap((line) => line.match(/model-\d/g))).toEqual(names);
});

const numbered = (count: number): SampleTrial[] =>
  Array.from({ length: count }, (_, index) => {
    const trial = { ...few[index % 3], id: `c-${index}` };
    if (trial.error === undefined) return trial;
    return { ...trial, error: { code: 'timeout', message: `no answer to number ${index}` } };
  });

test('in a run of more than sixty trials, only trials that did not pass are shown, at most forty', async () => {
  const text = await reportOf(numbered(70));
  expect(text).toContain('  Did not pass: 46, the first 40\n');
  expect(text).toContain('  … and 6 more: touchstone show r-2026-02-11-a1 --failed\n');
  expect(text.match(/^ {2}[✓✗!?] /gm)).toHaveLength(40);
});

test('up to sixty trials are all shown', async () => {
  expect((await reportOf(numbered(60))).match(/^ {2}[✓✗!] /gm)).toHaveLength(60);
});

test('the same error of many questions is shown five times, then counted', async () => {
  const down: SampleTrial = { error: { code: 'target-threw', message: 'connection refused' } };
  const text = await reportOf(Array.from({ length: 12 }, () => down));
  expect(text.match(/^ {2}! /gm)).toHaveLength(5);
  expect(text).toContain('  … and 7 more with an error shown above\n');
  expect(text).toContain('12 errors: 100.0 % of the calls');
  expect(text).not.toContain('Passed');
});

test('attempts with the same result are one row', async () => {
  const [, failing] = few as [SampleTrial, SampleTrial];
  const trials = [1, 2, 3].map((attempt) => ({ ...failing, attempt }));
  const text = await readPieces(
    terminal.report(
      sampleInput([...trials.slice(0, 2), { ...trials[2], missing: ['August'] }], { attempts: 3 }),
      sampleView(),
    ),
  );
  expect(text).toContain('             rent-monthly #1 #2 · tools');
  expect(text).toContain('             rent-monthly #3 · tools');
  expect(text.match(/^ {2}✗ /gm)).toHaveLength(2);
});

test('the cost of calls is one line; unreported values are unknown, not 0', async () => {
  const input = sampleInput([{}, {}, {}]);
  const [target] = input.summary.targets as [TargetSummary];
  const total = (sum: number | null, unknown = 0) => ({ sum, reported: 3 - unknown, unknown });
  const usage = {
    ...target.usage,
    retries: 2,
    inputTokens: total(12_345),
    outputTokens: total(678, 1),
    cachedTokens: total(12_000),
    cost: total(0.0421, 1),
  };
  const reported = { ...input, summary: { ...input.summary, targets: [{ ...target, usage }] } };
  const text = await readPieces(terminal.report(reported, sampleView({ width: 160 })));
  expect(text).toContain(
    '  Calls   3, 2 retries · 12,345 tokens in (12,000 cached) · 678 tokens out · $0.042 · tokens out and cost unknown for 1 call\n',
  );
});

test('the report of a part of a run says so, and no score is computed from the part', async () => {
  const input = sampleInput(few);
  const part: ReportInput = {
    ...input,
    narrowing: 'category=transactions',
    async *results() {
      for await (const result of input.results()) if (result.case.category === 'transactions') yield result;
    },
  };
  expect(await readPieces(terminal.report(part, sampleView()))).toBe(
    `Touchstone  run r-2026-02-11-a1
3 questions · golden.jsonl · 2026-02-11 09:30 UTC · 12.4 s
────────────────────────────────────────────────────────────────────────────────

  Only a part of the run is listed: category=transactions. The scores are for
  the whole run.

assistant  the whole run
  68.0 % [4.0, 100.0]  n = 2/3 · 1 error · worst case 45.3 · best case 78.7

  ✗  36.0 F  Show rental income by month for 2024, with every deposit and a
             breakdown by tenant
             rent-monthly · tools query_database ✗, used instead
             search_document_content · keywords 2/5, missing "August"
             "breakdown" "total"
  !     –    Which expenses were highest?
             expenses · timeout: no answer within 30 s
  2 questions listed: 1 failed · 1 error

────────────────────────────────────────────────────────────────────────────────
The whole run: touchstone show r-2026-02-11-a1
`,
  );
});

test('an answer without a total is not measured, never failed', async () => {
  const text = await reportOf([{ id: 'open', isUnmeasured: true }, { id: 'fine' }]);
  expect(text).toMatch(/^ {2}\? {5}– {4}What is fact number 1\?/m);
  expect(text).toContain('open · response quality: not measured (judge-timeout: no reply\n');
  expect(text).toContain('response quality could not be measured once');
});

test('a run without a scorecard shows its questions without passing or failing them', async () => {
  const input = sampleInput(few, { scorecard: null });
  const text = await readPieces(terminal.report(input, sampleView()));
  expect(text).toContain('  no scorecard  n = 0/3 · 1 error');
  expect(text).toContain('  ·     –  What is our property address?');
  expect(text).not.toContain('Passed ');
});

test('an unfinished run says how to continue', async () => {
  const input = sampleInput(few, { status: 'interrupted' });
  const text = await readPieces(terminal.report(input, sampleView()));
  expect(text).toContain('touchstone run --resume r-2026-02-11-a1');
  const planning = sampleInput(few, { status: 'planning' });
  expect(await readPieces(terminal.report(planning, sampleView()))).toContain(
    'touchstone delete r-2026-02-11-a1',
  );
  const rescored = sampleInput(few, { status: 'interrupted', rescoredFrom: 'r-2026-02-10-b2' });
  expect(await readPieces(terminal.report(rescored, sampleView()))).toContain(
    'touchstone rescore r-2026-02-10-b2',
  );
});

test('a decision is shown with its reasons; without a gate there is none', async () => {
  const input = sampleInput(few, { gate: { failUnder: 85, minCoverage: 1 } });
  const decision = { outcome: 'fail', reasons: ['assistant: 68.0 % is under 85 %'] } as const;
  const failed = {
    ...input,
    summary: { ...input.summary, decision: { ...decision, reasons: [...decision.reasons] } },
  };
  expect(await readPieces(terminal.report(failed, sampleView()))).toContain(
    '\nFAIL  assistant: 68.0 % is under 85 %\n',
  );
  const ungated = await reportOf(few);
  expect(ungated).not.toContain('DONE');
  expect(ungated.trimEnd().split('\n').slice(-2)).toEqual([
    'assistant  68.0 % [4.0, 100.0]  n = 2/3 · 1 error · worst case 45.3',
    '           best case 78.7',
  ]);
});

test('in a run of a hundred thousand results, only the few that are shown are read in full', async () => {
  const input = sampleInput(few);
  const results = await Array.fromAsync(input.results());
  const at = (ordinal: number): Result => {
    const result = results[ordinal % 3] as Result;
    return { ...result, trial: { ...result.trial, ordinal } };
  };
  const selection = createTrialSelection(input.run);
  for (let ordinal = 0; ordinal < 100_000; ordinal += 1) selection.add(at(ordinal));
  const [target] = input.summary.targets as [TargetSummary];
  const targets = [{ ...target, selection: selection.summarize() }];
  let read = 0;
  const many: ReportInput = {
    ...input,
    summary: { ...input.summary, targets },
    async *results(ordinals = []) {
      for (const ordinal of ordinals) {
        read += 1;
        yield at(ordinal);
      }
    },
  };
  const text = await readPieces(terminal.report(many, sampleView()));
  expect(text).toContain('Did not pass: 66,666, the first 40');
  expect(text).toContain('33,333 errors: ');
  expect(text).toContain('Among the first 1,000 of 33,333 answers that fell short: query_database');
  expect(text.length).toBeLessThan(20_000);
  expect(read).toBe(1500);
});
