import { expect, test } from 'vitest';
import type { Outcome } from '../../core/schema/result.ts';
import type { Run } from '../../core/schema/run.ts';
import { wilsonInterval } from '../../core/stats/proportion-interval.ts';
import { buildRun } from '../../library/testing/build-records.ts';
import { createRobustnessTally } from './robustness.ts';

const condition = { type: 'fault', kind: 'timeout', of: 'bot' } as const;
const timeout = { name: 'bot + fault timeout', use: { use: 'module' }, fingerprint: '4', condition };

function runOf(cases: number, parts: Partial<Run> = {}): Run {
  const [bot] = buildRun().targets;
  const aspects = { keywords: null, handling: 'handled-fault', resistance: 'resisted-injection' } as const;
  const metrics = Object.entries(aspects).map(([name, aspect]) => ({
    name,
    use: { use: `my-${name}` },
    version: 1,
    fingerprint: name,
    aspect,
  }));
  const scorecard = {
    name: 's',
    use: { use: 's' },
    version: 1,
    criteria: [],
    grades: [],
    passMark: 0.5,
  };
  return buildRun({
    dataset: { sources: ['a'], cases, hash: 'h' },
    targets: [bot as Run['targets'][number], timeout],
    metrics,
    scorecard,
    ...parts,
  });
}

type TrialVerdicts = boolean | null | 'error' | 'untouched' | 'obeyed';

function outcomeOf(
  said: TrialVerdicts,
  ordinal: number,
  parts: { target: string; caseId: string; label?: string },
): Outcome {
  const { target, caseId, label } = parts;
  const passed = typeof said === 'boolean' || said === null ? said : true;
  const resistance = { status: 'scored', value: said === 'obeyed' ? 0 : 1 } as const;
  return {
    case: {},
    trial: {
      ordinal,
      caseId,
      target,
      status: said === 'error' ? 'failed' : 'completed',
      retries: 0,
      ...(said === 'untouched' && { untouched: true as const }),
    },
    verdicts: {
      resistance,
      ...(label !== undefined && { handling: { status: 'scored', value: 1, label } as const }),
    },
    scorecard: {
      total: passed === null ? null : Number(passed),
      lower: 0,
      upper: 1,
      grade: null,
      passed: said === 'error' ? null : passed,
    },
  };
}

/** Computes the robustness from the verdicts on each case without and with the condition. */
function tally(
  pairs: readonly (readonly [TrialVerdicts, TrialVerdicts, string?])[],
  parts: Partial<Run> = {},
) {
  const run = runOf(pairs.length, parts);
  const robustness = createRobustnessTally(run);
  for (const [index, [plain, under, label]] of pairs.entries()) {
    const caseId = `c${index}`;
    robustness.add(outcomeOf(plain, 2 * index, { target: 'bot', caseId }));
    robustness.add(
      outcomeOf(under, 2 * index + 1, {
        target: timeout.name,
        caseId,
        ...(label !== undefined && { label }),
      }),
    );
  }
  return robustness.summarize()?.[0];
}

test('every pair is counted once, and the share of unchanged verdicts is based on the comparable ones', () => {
  const found = tally([
    [true, true, 'recovered'],
    [false, false, 'told-user'],
    [true, false, 'made-up'],
    [true, false, 'made-up'],
    [false, true, 'recovered'],
    [true, 'error', 'gave-up'],
    [true, 'untouched'],
    [true, null],
    [null, true],
  ]);
  expect(found).toMatchObject({
    target: 'bot + fault timeout',
    condition,
    counts: {
      planned: 9,
      held: 2,
      broken: 2,
      mended: 1,
      errors: 1,
      untouched: 1,
      notMeasured: 2,
      notRun: 0,
    },
    worstCase: 2 / 8,
    flips: [
      { caseId: 'c2', attempt: 1, passed: false, ordinal: 5 },
      { caseId: 'c3', attempt: 1, passed: false, ordinal: 7 },
      { caseId: 'c4', attempt: 1, passed: true, ordinal: 9 },
    ],
    handling: [
      { label: 'recovered', trials: 2, caseIds: ['c0', 'c4'] },
      { label: 'told-user', trials: 1, caseIds: ['c1'] },
      { label: 'made-up', trials: 2, caseIds: ['c2', 'c3'] },
      { label: 'gave-up', trials: 1, caseIds: ['c5'] },
    ],
  });
  const { lower, upper } = wilsonInterval({ successes: 2, trials: 5, confidence: 0.95 });
  expect(found?.held).toMatchObject({ value: 0.4, lower, upper, n: 5, method: 'wilson' });
});

test('an answer that obeys an injected instruction counts as broken, whatever else is right', () => {
  expect(tally([[true, 'obeyed']])?.counts).toMatchObject({ broken: 1, held: 0 });
  expect(tally([[null, 'obeyed']])?.counts).toMatchObject({ notMeasured: 1 });
});

test('attempts are paired one by one, and those of a case are averaged before the interval', () => {
  const run = runOf(2, { attempts: 2 });
  const robustness = createRobustnessTally(run);
  const said: Record<string, readonly TrialVerdicts[]> = {
    'c0 bot': [true, false],
    'c0 under': [true, false],
    'c1 bot': [true, true],
    'c1 under': [true, false],
  };
  let ordinal = 0;
  for (const caseId of ['c0', 'c1']) {
    for (const [target, key] of [
      ['bot', 'bot'],
      [timeout.name, 'under'],
    ] as const) {
      for (const one of said[`${caseId} ${key}`] ?? []) {
        robustness.add(outcomeOf(one, ordinal, { target, caseId }));
        ordinal += 1;
      }
    }
  }
  const [found] = robustness.summarize() ?? [];
  expect(found?.counts).toMatchObject({ planned: 4, held: 3, broken: 1 });
  expect(found?.held).toMatchObject({ value: 0.75, n: 2, method: 'effective-wilson' });
  expect(found?.flips).toEqual([{ caseId: 'c1', attempt: 2, passed: false, ordinal: 7 }]);
});

test('without a scorecard all boolean metrics must agree', () => {
  const run = runOf(3, { scorecard: null });
  const robustness = createRobustnessTally(run);
  const say = (index: number, target: string, keywords: number, passed?: boolean) => {
    const outcome = outcomeOf(true, 2 * index + Number(target !== 'bot'), { target, caseId: `c${index}` });
    const verdict = { status: 'scored', value: keywords, ...(passed !== undefined && { passed }) } as const;
    robustness.add({ ...outcome, scorecard: null, verdicts: { keywords: verdict } });
  };
  say(0, 'bot', 0.5, true);
  say(0, timeout.name, 0.4, false);
  say(1, 'bot', 1);
  say(1, timeout.name, 1);
  say(2, 'bot', 0.5);
  say(2, timeout.name, 0.5);
  expect(robustness.summarize()?.[0]?.counts).toMatchObject({ held: 1, broken: 1, notMeasured: 1 });
});

test('trials that were not run are counted, and without comparable pairs there is no share', () => {
  const run = runOf(3);
  const robustness = createRobustnessTally(run);
  robustness.add(outcomeOf(true, 0, { target: 'bot', caseId: 'c0' }));
  expect(robustness.summarize()?.[0]).toMatchObject({
    held: { value: null },
    worstCase: 0,
    counts: { planned: 3, notRun: 3 },
  });
});

test('if attempts stop early, only those that every case has under every condition are compared', () => {
  // Two of three must pass: two attempts are made whatever their results.
  const run = runOf(1, { attempts: 3, caseRule: { passes: 2, isCurtailed: true } });
  const robustness = createRobustnessTally(run);
  for (const [ordinal, passed] of [true, true].entries()) {
    robustness.add(outcomeOf(passed, ordinal, { target: 'bot', caseId: 'c0' }));
  }
  for (const [place, passed] of [true, false, true].entries()) {
    robustness.add(outcomeOf(passed, 3 + place, { target: timeout.name, caseId: 'c0' }));
  }
  expect(robustness.summarize()?.[0]).toMatchObject({
    held: { value: 0.5 },
    counts: { planned: 2, held: 1, broken: 1, notMeasured: 0, notRun: 0 },
  });
});

test('long lists of flips are cut, but their count is complete', () => {
  const found = tally(Array.from({ length: 60 }, () => [true, false] as const));
  expect(found?.flips).toHaveLength(50);
  expect(found?.counts.broken).toBe(60);
});

test('a run without conditions has no robustness', () => {
  const [bot] = buildRun().targets;
  const robustness = createRobustnessTally(runOf(1, { targets: [bot as Run['targets'][number]] }));
  robustness.add(outcomeOf(true, 0, { target: 'bot', caseId: 'c0' }));
  expect(robustness.summarize()).toBeUndefined();
});
