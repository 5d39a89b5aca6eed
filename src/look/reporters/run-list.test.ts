import { expect, test } from 'vitest';
import { sampleInput, sampleView } from '../../../test/support/build-sample-run.ts';
import { toRunHead } from '../../core/schema/api/to-run-head.ts';
import { formatRunList } from './run-list.ts';

test('stored runs are listed in a table with one line per target', () => {
  const { run, summary } = sampleInput([{}, {}, { target: 'assistant-v2', isUnmeasured: true }]);
  const running = { ...run, id: 'r-2', status: 'running' as const };
  expect(
    formatRunList(
      [{ run: toRunHead(running) }, { run: toRunHead({ ...run, summary }) }],
      sampleView({ width: 120 }),
    ),
  ).toBe(
    `  Target                   Run                Score                    n  Started               Dataset
  assistant, assistant-v2  r-2              running                       2026-02-11 09:30 UTC  golden.jsonl
  assistant                r-2026-02-11-a1  100.0 %  [100.0, 100.0]  2/2  2026-02-11 09:30 UTC  golden.jsonl
  assistant-v2             r-2026-02-11-a1        –                  0/1  2026-02-11 09:30 UTC  golden.jsonl
`,
  );
});

test('an empty list says how to make a run', () => {
  expect(formatRunList([], sampleView())).toContain('`touchstone run` makes one');
});

test('an active run shows its progress and its score so far', () => {
  const { run } = sampleInput([{}]);
  const running = { ...run, status: 'running' as const };
  const progress = { done: 120, planned: 1300, score: 0.84 };
  expect(formatRunList([{ run: toRunHead(running), progress }], sampleView({ width: 120 }))).toMatch(
    /running, 120 of 1,300 trials, so far 84\.0 %/,
  );
});

test('a run whose process has died is shown as interrupted, or never started', () => {
  const { run } = sampleInput([{}]);
  const listed = (['running', 'planning'] as const).map((status) => ({
    run: toRunHead({ ...run, status }),
    isEnded: true,
  }));
  expect(formatRunList(listed, sampleView({ width: 120 }))).toMatch(/ interrupted [^]* never started /);
});
