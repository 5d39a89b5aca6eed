import { expect, test } from 'vitest';
import { findCheckFault } from '../../../../library/config/case-checks/find-check-fault.ts';
import { Ledger } from '../../ledger.ts';
import type { Fields } from '../../values.ts';
import { translateAssertions } from './translate-assertions.ts';

function translate(assertions: readonly Fields[], transforms: readonly string[] = []) {
  const ledger = new Ledger();
  const { expected } = translateAssertions(assertions, undefined, {
    vars: {},
    place: 'test',
    ledger,
    findFault: findCheckFault,
    isJudged: false,
    transforms,
    tools: [],
  });
  const left = ledger.entries().flatMap(({ fate, note }) => (fate === 'left-out' ? [note] : []));
  return { checks: expected['checks'] as readonly Fields[] | undefined, left };
}

test('a transform that is known by heart becomes the part of the answer that a check looks at', () => {
  const { checks, left } = translate(
    [
      { type: 'equals', value: 'x', transform: 'JSON.parse(output).name' },
      { type: 'not-contains', value: 'x' },
      { type: 'latency', threshold: 100 },
    ],
    ['output.trim()'],
  );
  expect(left).toEqual([]);
  expect(checks).toEqual([
    {
      use: 'answer-part',
      steps: ['trim', { path: 'name' }],
      metric: { use: 'check', path: 'answer', equals: 'x' },
      name: 'equals',
    },
    {
      use: 'answer-part',
      steps: ['trim'],
      metric: { use: 'not', metric: { use: 'contains', value: 'x', ignoreCase: false } },
      name: 'not-contains',
    },
    { use: 'latency', maxMs: 100, name: 'latency' },
  ]);
});

test('an assertion after other code is named with the reason, and is not measured until it is ported', () => {
  const code = { type: 'equals', value: 'x', transform: 'output.replace("a", "b")' };
  expect(translate([code]).left).toEqual([
    'It looks at a part of the answer that code computes (`transform`). Code of an imported file is never run.',
  ]);
  expect(translate([{ type: 'equals', value: 'x' }], ['file://t.js']).checks).toEqual([
    {
      use: 'recorded-verdict',
      of: 'assertion equals',
      unported: expect.stringContaining('code computes'),
      name: 'equals',
    },
  ]);
});

test('none of several tools is called where the opposite of an assertion lists them', () => {
  const { checks } = translate([{ type: 'not-trajectory:tool-used', value: ['a', 'b'] }]);
  const count = (calls: string) => ({ use: 'check', calls, which: 'count', atLeast: 1 });
  expect(checks).toEqual([{ not: { any: [count('a'), count('b')] }, name: 'not-trajectory:tool-used' }]);
});

test('skills count as tool calls, and failed calls as errors of a trace', () => {
  const { checks, left } = translate([
    { type: 'skill-used', value: { name: 'pdf', max: 2 } },
    { type: 'skill-used', value: 'pdf' },
    { type: 'trace-error-spans', value: 0 },
    { type: 'trace-error-spans', value: { max_count: 2 } },
    { type: 'trace-error-spans', value: { pattern: 'db.*' } },
  ]);
  expect(checks).toMatchObject([
    { use: 'check', calls: 'pdf', which: 'count', atLeast: 0, atMost: 2 },
    { use: 'check', calls: 'pdf', which: 'count', atLeast: 1 },
    { use: 'check', any: [{ atMost: 0 }, { at: 'error', exists: false }] },
    { unported: 'Some failed calls are allowed, which are not counted here.' },
    { unported: 'Patterns of names are not counted here.' },
  ]);
  expect(left).toEqual([
    'Some failed calls are allowed, which are not counted here.',
    'Patterns of names are not counted here.',
  ]);
});
