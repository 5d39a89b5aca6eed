import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from 'touchstone-evals';
import { createMemoryStore } from 'touchstone-evals/stores';
import { module } from 'touchstone-evals/targets';
import { expect, test } from 'vitest';
import { goodWays } from './agent.ts';
import { faultyWays } from './agent-faulty.ts';
import { createAgent, type Ways } from './agent/create-agent.ts';
import { findConflicts, spanFrom } from './agent/find-slots.ts';
import { openCalendar } from './calendar/calendar.ts';
import { tools } from './calendar/tools.ts';
import judged from './judged.config.ts';
import simulated from './simulated.config.ts';
import config from './touchstone.config.ts';

/** The meeting that is to be there at the end of a task. */
interface Truth {
  id?: string;
  participants: string[];
  time: string | { $oneOf: string[] };
  duration: number;
}

interface Task {
  id: string;
  category: string;
  expected: { state: { scheduling_context: { booked_event?: Truth; cancelled_event?: { id: string } } } };
  metadata: { requester: string };
  context: string;
}

const read = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8');
const rows = read('tasks.jsonl').trim().split('\n');
const tasks = rows.map((row) => JSON.parse(row) as Task);
const calendar = openCalendar();

function timesOf({ time }: Truth): string[] {
  return typeof time === 'string' ? [time] : time.$oneOf;
}

test('there are 40 tasks with a name and a reason, at least four of each category', () => {
  expect(tasks).toHaveLength(40);
  expect(new Set(tasks.map(({ id }) => id)).size).toBe(40);
  const counts = Map.groupBy(tasks, ({ category }) => category);
  expect([...counts.keys()]).toEqual([
    'simple',
    'multi-party',
    'conflicts',
    'time-zones',
    'out-of-hours',
    'reschedule',
    'impossible',
    'clarification',
  ]);
  for (const rows of counts.values()) expect(rows.length).toBeGreaterThanOrEqual(4);
  for (const { context } of tasks) expect(context.length).toBeGreaterThan(10);
});

test('expected times are possible: all participants work and are free', () => {
  const horizon = { start: calendar.now, end: '2026-04-04T00:00Z' };
  for (const { id, expected, metadata } of tasks) {
    const event = expected.state.scheduling_context.booked_event;
    if (event === undefined) continue;
    expect.soft(event.participants, id).toContain(metadata.requester);
    const people = tools.free_busy(calendar, {
      people: event.participants,
      ...horizon,
      except: event.id ?? '',
    });
    const conflicts = timesOf(event).flatMap((time) =>
      findConflicts(people, spanFrom(Date.parse(time), event.duration)),
    );
    expect.soft(conflicts, id).toEqual([]);
  }
});

test('five tasks are about meetings that are there', () => {
  const ids = tasks.flatMap(({ expected: { state } }) => {
    const { booked_event: booked, cancelled_event: cancelled } = state.scheduling_context;
    return booked?.id ?? cancelled?.id ?? [];
  });
  expect(ids).toEqual(['e7', 'e11', 'e3', 'e1', 'e14']);
  expect(calendar.events.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
});

/** What came of a version of the agent: tasks that do not meet each criterion, and how often there was each outcome. */
interface Findings {
  unmet: Record<string, string[]>;
  outcomes: Record<string, number>;
  /** How often it dealt with a fault in each way. */
  handling: Record<string, number>;
}

/** Puts the tasks to a version of the agent; with a fault, only what comes of them with the fault is counted. */
async function evaluate(ways: Ways, faults: string[] = []): Promise<Findings> {
  const targets = [module({ name: 'agent', function: createAgent(ways) })];
  const place = { folder: import.meta.dirname, store: createMemoryStore() };
  const report = await run({ ...config, targets, faults }, place);
  const findings: Findings = { unmet: {}, outcomes: {}, handling: {} };
  for await (const { case: task, trial, verdicts, scorecard } of report.results()) {
    if (faults.length > 0 && trial.target === 'agent') continue;
    for (const [name, verdict] of Object.entries(verdicts)) {
      if (verdict.status !== 'scored') continue;
      if (verdict.passed === false) (findings.unmet[name] ??= []).push(task.id);
      if (verdict.label !== undefined) count(findings.handling, verdict.label);
    }
    count(findings.outcomes, scorecard?.outcome ?? 'unknown');
  }
  return findings;
}

function count(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}

/** The row of a table of the README that begins with a name, with single spaces. */
function rowOf(name: string): string {
  const row = read('README.md')
    .split('\n')
    .find((line) => line.trim().startsWith(`${name} `));
  return row?.trim().replace(/\s+/g, ' ') ?? '';
}

test('the good agent misses one time and one alternative', async () => {
  const { unmet, outcomes } = await evaluate(goodWays);
  expect(unmet).toEqual({
    correct_time: ['a-week-from-tomorrow'],
    explored_alternatives: ['no-common-hours'],
    'state-match': ['a-week-from-tomorrow'],
  });
  expect(outcomes).toEqual({ successful_completion: 40 });
});

test('the faulty agent comes out as the README shows it', async () => {
  const { unmet, outcomes } = await evaluate(faultyWays);
  expect(outcomes).toEqual({ successful_completion: 24, graceful_failure: 11, partial_failure: 5 });
  for (const [outcome, answers] of Object.entries(outcomes)) {
    expect(rowOf(outcome)).toMatch(new RegExp(`^${outcome} ${answers} `));
  }
  for (const criterion of [
    'correct_participants',
    'correct_time',
    'explored_alternatives',
    'clear_explanation',
  ]) {
    expect(rowOf(criterion)).toContain(` ${unmet[criterion]?.length} of 40 `);
  }
});

test.each<[keyof Ways, string, number]>([
  ['readNames', 'correct_participants', 5],
  ['clocksOf', 'correct_time', 7],
  ['usualMinutes', 'correct_duration', 4],
  ['onConflict', 'explored_alternatives', 13],
  ['explainsFailures', 'clear_explanation', 2],
])('the fault in %s alone is found by %s, in %i tasks', async (fault, criterion, tasksUnmet) => {
  const { unmet } = await evaluate({ ...goodWays, [fault]: faultyWays[fault] });
  expect(unmet[criterion]).toHaveLength(tasksUnmet);
});

test('an agent that does not wait for confirmation announces meetings that did not happen when the calendar fails', async () => {
  const patient = await evaluate(goodWays, ['error']);
  expect(patient.unmet['calendar_agrees']).toBeUndefined();
  expect(patient.handling['made-up']).toBeUndefined();
  const hasty = await evaluate({ ...goodWays, waitsForConfirmation: false }, ['error']);
  const announced = hasty.unmet['calendar_agrees'] ?? [];
  expect(announced.length).toBeGreaterThan(10);
  expect(hasty.outcomes['hard_failure']).toBe(announced.length);
  expect(hasty.handling['made-up']).toBe(announced.length);
});

test('simulated users reach their goal with the good agent, and stay in their role', async () => {
  const { summary } = await run(simulated, { folder: import.meta.dirname, store: createMemoryStore() });
  const [good, faulty] = summary.targets;
  expect(good).toMatchObject({ target: 'good', counts: { passed: 6 } });
  expect(faulty?.counts.passed).toBeLessThan(6);
  expect(summary.targets.every(({ counts }) => counts.spoilt === undefined)).toBe(true);
});

test('the scripted judge agrees with the check about explanations', async () => {
  const place = { folder: import.meta.dirname, store: createMemoryStore() };
  const [checked, asked] = [await run(config, place), await run(judged, place)];
  const totals = ({ summary }: typeof checked) => summary.targets.map(({ outcomes }) => outcomes);
  expect(totals(asked)).toEqual(totals(checked));
});
