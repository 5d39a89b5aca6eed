import { expect, test } from 'vitest';
import type { Robustness } from '../../core/schema/condition.ts';
import { readPieces, sampleInput, sampleView } from '../../../test/support/build-sample-run.ts';
import { markdown } from './markdown.ts';
import type { ReportInput } from './reporter.ts';
import { terminal } from './terminal.ts';

const estimate = { lower: 0.3, upper: 0.7, confidence: 0.95, method: 'wilson' };
const counts = { held: 5, broken: 4, mended: 1, untouched: 2, errors: 1, notMeasured: 1, notRun: 0 };

const robustness: Robustness[] = [
  {
    target: 'assistant + fault timeout',
    condition: { type: 'fault', kind: 'timeout', of: 'assistant' },
    held: { ...estimate, value: 0.5, n: 10 },
    worstCase: 0.4,
    counts: { planned: 14, ...counts },
    handling: [
      { label: 'told-user', trials: 3, caseIds: ['q-001'] },
      { label: 'made-up', trials: 9, caseIds: ['q-002', 'q-003', 'q-004', 'q-005', 'q-006', 'q-007'] },
    ],
    flips: [{ caseId: 'q-009', attempt: 1, passed: false, ordinal: 3 }],
  },
  {
    target: 'assistant + case upper',
    condition: { type: 'perturbation', kind: 'case', variant: 'upper', rate: 0.5, of: 'assistant' },
    held: { ...estimate, value: null, lower: null, upper: null, n: 0 },
    worstCase: 0,
    counts: { planned: 14, ...counts },
    flips: [
      { caseId: 'q-`1`|\u001b[31m', attempt: 1, passed: false, ordinal: 3 },
      { caseId: 'q-002', attempt: 1, passed: true, ordinal: 5 },
    ],
  },
];

function inputWith(found: Robustness[] | undefined): ReportInput {
  const trials = [{ target: 'assistant' }, { target: 'assistant + fault timeout', answer: 'It timed out.' }];
  const input = sampleInput(trials);
  const targets = input.run.targets.map((target) =>
    target.name === 'assistant' ? target : { ...target, condition: robustness[0]?.condition },
  );
  const { condition: _plain, ...first } = targets[0] as (typeof targets)[0];
  const run = { ...input.run, targets: [first, ...targets.slice(1)] };
  return { ...input, run, summary: { ...input.summary, ...(found !== undefined && { robustness: found }) } };
}

async function sectionOf(width: number): Promise<string[]> {
  const text = await readPieces(terminal.report(inputWith(robustness), sampleView({ width })));
  const lines = text.split('\n');
  const start = lines.indexOf('Robustness');
  return lines.slice(start, lines.indexOf('', start + 8));
}

test('the terminal shows how faults were handled, how often the verdict held, and cases to open', async () => {
  expect(await sectionOf(120)).toEqual([
    'Robustness',
    '  Faults in tools  recovered  told user  gave up  misled  made up    held                compared',
    '  timeout                  0          3        0       0        9  50.0 %  [30.0, 70.0]  10 of 14',
    '',
    '  Perturbed questions  broke  mended  errors  held  compared  others',
    '  case upper@0.5           4       1       1     –  10 of 14  2 not triggered, 1 not measured',
    '  timeout: made up  q-002, q-003, q-004, q-005, q-006, 9 answers in all',
    '  case upper@0.5: broke  q-`1`|␛[31m, 4 answers in all',
    '  Calls  1, no retries · tokens and cost not reported',
    '  Held: the verdict is the same as without, question by question and attempt by attempt. Broke: it passed without only.',
    '  Untouched: no tool was hit, or the question stayed as it was.',
  ]);
});

test.each([40, 60, 80, 100, 200])('no line is wider than %i columns', async (width) => {
  const lines = await sectionOf(width);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
  expect(lines.join('\n')).not.toContain('\u001b');
});

test('a target under a condition has no section of its own in a report', async () => {
  const text = await readPieces(terminal.report(inputWith(robustness), sampleView()));
  expect(text).not.toContain('assistant + fault timeout');
  expect(text).not.toContain('Side by side');
  expect(await readPieces(markdown.report(inputWith(robustness), sampleView()))).not.toContain(
    'assistant + fault',
  );
});

test('Markdown shows the same, with all text from outside set as code', async () => {
  const text = await readPieces(markdown.report(inputWith(robustness), sampleView()));
  expect(text).toContain(`### Robustness

| Faults in tools | Recovered | Told user | Gave up | Misled | Made up | Held | Interval | Compared | Others | Errors |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- | ---: | --- | ---: |
| \`timeout\` | 0 | 3 | 0 | 0 | 9 | 50.0 % | [30.0, 70.0] | 10 of 14 | 2 not triggered, 1 not measured | 1 |

| Perturbed questions | Broke | Mended | Errors | Held | Compared | Others |
| --- | ---: | ---: | ---: | ---: | ---: | --- |
| \`case upper@0.5\` | 4 | 1 | 1 | – | 10 of 14 | 2 not triggered, 1 not measured |

- \`timeout: made up\` \`q-002\`, \`q-003\`, \`q-004\`, \`q-005\`, \`q-006\`, 9 answers in all
- \`case upper@0.5: broke\` \`\`q-\`1\`|␛[31m\`\`, 4 answers in all

Calls 1, no retries · tokens and cost not reported

Held: the verdict`);
});

test('a run without conditions has no robustness section', async () => {
  for (const reporter of [terminal, markdown]) {
    expect(await readPieces(reporter.report(inputWith(undefined), sampleView()))).not.toContain('Robustness');
  }
});

test('the calls under all conditions are summed, with those that rewrote questions', async () => {
  const input = inputWith(robustness);
  const total = (sum: number) => ({ sum, reported: 1, unknown: 1 });
  const rewriting = { trials: 2, inputTokens: total(30), outputTokens: total(8), cost: total(0.25) };
  const [plain, faulty] = input.summary.targets;
  if (plain === undefined || faulty === undefined) expect.fail('two targets');
  const used = { ...faulty, usage: { ...faulty.usage, trials: 2, retries: 1, cost: total(0.5), rewriting } };
  const another = { ...used, target: 'assistant + case upper' };
  const summary = { ...input.summary, targets: [plain, used, another] };
  const text = await readPieces(terminal.report({ ...input, summary }, sampleView({ width: 120 })));
  expect(text.replaceAll(/\s+/g, ' ')).toContain(
    'Calls 4, 2 retries · $1.00 · tokens and cost unknown for 2 calls ' +
      'questions rewritten in 4 attempts, 76 tokens, $0.50 Held',
  );
});
