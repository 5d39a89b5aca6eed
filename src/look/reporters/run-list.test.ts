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
    /running, 120 of 1,300 attempts, so far 84\.0 %/,
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

test('a name and tags have a column where a run has some, and the newest run of a name is the one it finds', () => {
  const { run } = sampleInput([{}]);
  const heads = [{ name: 'v7' }, { name: '\u001B[2J' }, { name: 'v7', tags: { prompt: 'v7' } }, {}];
  const list = formatRunList(
    heads.map((label) => ({ run: toRunHead({ ...run, ...label }) })),
    sampleView({ width: 120 }),
  );
  expect(list).toMatch(/^ {2}Target +Run +Name +Score/);
  expect(list).toContain(' v7 · older · prompt=v7 ');
  expect(list.match(/older/g)).toHaveLength(1);
  expect(list).not.toContain('\u001B[2J');
});
