import { expect, test } from 'vitest';
import type { Run } from '../../../core/schema/run.ts';
import { buildCase, buildRun } from '../../../library/testing/build-records.ts';
import { inTurns } from './pending-trials.ts';
import { trialsOfCase } from './trials-of-case.ts';

const target = (name: string) => ({ name, use: { use: name }, fingerprint: name.repeat(4) });

function build(parts: Partial<Run>): Run {
  return buildRun({ targets: [target('a'), target('b')], isInterleaved: true, ...parts });
}

/** Returns the targets in the order of their calls, case by case. */
function orderOf(run: Run, cases: number): string[][] {
  return Array.from({ length: cases }, (_, position) => {
    const planned = { position, hash: `hash ${position}`, place: '', case: buildCase() };
    const turns = inTurns(run, position, trialsOfCase(run, planned));
    return turns.map((spec) => `${spec.target}${spec.attempt}`);
  });
}

test('both targets answer a case next to each other, attempt by attempt, and the trials stay the same', () => {
  const run = build({ attempts: 3 });
  for (const turns of orderOf(run, 20)) {
    expect(turns.map((turn) => turn[1])).toEqual(['1', '1', '2', '2', '3', '3']);
    expect(turns.toSorted()).toEqual(['a1', 'a2', 'a3', 'b1', 'b2', 'b3']);
  }
});

test.each([1, 2, 3])('each target is first equally often, over cases and %i attempts', (attempts) => {
  const firsts = orderOf(build({ attempts }), 40)
    .flat()
    .filter((_, place) => place % 2 === 0);
  expect(firsts.filter((turn) => turn.startsWith('a'))).toHaveLength((40 * attempts) / 2);
});

test('two consecutive turns are mirrored, whatever order was drawn', () => {
  const orders = orderOf(build({ attempts: 1 }), 60).map((turns) => turns.join(' '));
  for (let first = 0; first < 60; first += 2)
    expect(new Set([orders[first], orders[first + 1]])).toEqual(new Set(['a1 b1', 'b1 a1']));
});

test('the order is drawn from the seed of the run alone', () => {
  const [one, again, other] = [1, 1, 2].map((seed) => orderOf(build({ seed }), 60));
  expect(again).toEqual(one);
  expect(other).not.toEqual(one);
  const firsts = one?.filter((_, place) => place % 2 === 0).map(([turn]) => turn);
  expect(new Set(firsts)).toEqual(new Set(['a1', 'b1']));
});

test('of three targets, each has each place equally often', () => {
  const run = build({ targets: ['a', 'b', 'c'].map(target) });
  const orders = orderOf(run, 30);
  for (const place of [0, 1, 2]) {
    const there = orders.map((turns) => turns[place]);
    for (const name of ['a1', 'b1', 'c1']) expect(there.filter((turn) => turn === name)).toHaveLength(10);
  }
});
