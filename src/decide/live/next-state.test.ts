import { expect, test } from 'vitest';
import type { RuleState, ScoresOfDay } from '../../core/schema/watch/watch-record.ts';
import type { WatchRule } from '../../core/schema/watch/watch-setting.ts';
import { firstState, nextState, type RuleDay } from './next-state.ts';

const rule: WatchRule = { type: 'metric', metric: 'helps', atLeast: 90 };

function scoresOf(passed: number, failed: number, missing = 0): ScoresOfDay {
  return { scores: [...Array(passed).fill(1), ...Array(failed).fill(0)], missing };
}

/** Follows a rule over days, and returns its states with the changes. */
function follow(days: readonly ScoresOfDay[], { waits, of = rule }: { waits?: string; of?: WatchRule } = {}) {
  let state: RuleState = firstState('a');
  const seen: RuleDay[] = [];
  return days.map((scores, place) => {
    seen.push({ day: `2026-11-${String(place + 1).padStart(2, '0')}`, scores });
    const next = nextState(state, { rule: of, hash: 'a', days: seen, error: 0.05, waits });
    state = next.state;
    return next;
  });
}

test('the evidence is the published one, day by day', () => {
  const found = follow([scoresOf(182, 18), scoresOf(176, 24), scoresOf(168, 32)]);
  expect(found.map(({ state }) => state.evidence.toFixed(6))).toEqual(['0.047604', '0.151295', '3.093618']);
});

test('an alarm and a recovery are one change each, and the evidence begins again after both', () => {
  const [bad, good] = [scoresOf(150, 50), scoresOf(198, 2)];
  const found = follow([good, bad, bad, good, good, good, good, bad]);
  expect(found.map(({ change }) => change)).toEqual([
    null,
    'fail',
    null,
    null,
    'recovered',
    null,
    null,
    'fail',
  ]);
  expect(found[2]?.state).toMatchObject({ alarmSince: '2026-11-02', after: '2026-11-02' });
  expect(found[4]?.state).toMatchObject({ alarmSince: null, after: '2026-11-05' });
});

test('missing scores count as passed for an alarm and as failed for a recovery', () => {
  const alarm = follow([scoresOf(181, 0, 19)]).at(-1);
  expect(alarm?.state.evidence).toBeCloseTo(follow([scoresOf(200, 0)]).at(-1)?.state.evidence ?? 0, 12);
  const recovery = follow([scoresOf(100, 100), scoresOf(181, 0, 19)]).at(-1);
  expect(recovery?.state.evidence).toBeCloseTo(
    follow([scoresOf(100, 100), scoresOf(181, 19)]).at(-1)?.state.evidence ?? 0,
    12,
  );
});

test('a day without a tenth of its scores is not measured, once, and changes no evidence', () => {
  const found = follow([scoresOf(180, 20), scoresOf(100, 50, 50), scoresOf(0, 0, 9), scoresOf(180, 20)]);
  expect(found.map(({ change }) => change)).toEqual([null, 'not-measured', null, 'recovered']);
  expect(found[2]?.state.evidence).toBe(found[0]?.state.evidence);
  expect(found[3]?.days).toBe(2);
});

test('an alarm waits for its judge, and a changed rule begins again', () => {
  const waiting = follow([scoresOf(100, 100)], { waits: 'the judge has no valid certificate' }).at(-1);
  expect(waiting).toMatchObject({ change: null, isWaiting: true, state: { alarmSince: null } });
  const state = { ...firstState('other'), alarmSince: '2026-10-01' };
  const days = [{ day: '2026-11-01', scores: scoresOf(180, 20) }];
  expect(nextState(state, { rule, hash: 'a', days, error: 0.05 }).state.alarmSince).toBeNull();
});

test('a share that is to stay low alarms when it rises', () => {
  const toxic: WatchRule = { type: 'metric', metric: 'toxic', atMost: 5 };
  // Scores are turned before: 1 is good.
  const found = follow([scoresOf(196, 4), scoresOf(160, 40)], { of: toxic });
  expect(found.map(({ change }) => change)).toEqual([null, 'fail']);
});
