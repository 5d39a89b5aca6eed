import { expect, test } from 'vitest';
import { TouchstoneError } from '../../core/errors.ts';
import { rememberedDefinition } from '../../core/lib/define.ts';
import { useSchema } from '../../core/schema/use.ts';
import type { Verdict } from '../../core/schema/verdict.ts';
import { binaryWeighted } from './binary-weighted.ts';
import { weighted } from './weighted.ts';

type Options = Parameters<typeof binaryWeighted>[0];

const create = (options: Options) =>
  binaryWeighted.definition.create(binaryWeighted.definition.options.parse(options), {});

/** The weights of the source, "Binary weighted evaluations", and its condition of success. */
const weights = {
  correct_participants: 0.25,
  correct_time: 0.25,
  correct_duration: 0.1,
  explored_alternatives: 0.2,
  clear_explanation: 0.2,
  booking_confirmed: 0,
};
const criteria = Object.entries(weights).map(([name, weight]) => ({ name, metric: 'check', weight }));
const source: Options = { criteria, success: 'booking_confirmed' };

const failed: Verdict = {
  status: 'failed',
  code: 'judge-timeout',
  reason: 'the judge gave no answer in time.',
};
const stateless: Verdict = { status: 'failed', code: 'state-missing', reason: 'no state was reported' };
const inapplicable: Verdict = { status: 'not-applicable', reason: 'the question expects no time' };

/** Evaluates a verdict for each criterion, in order: true, false, the reason of a failure, or a verdict as it is. */
function evaluate(options: Options, marks: readonly (boolean | string | Verdict)[]) {
  const scorecard = create(options);
  const verdicts = marks.map((mark): Verdict => {
    if (typeof mark === 'object') return mark;
    const passed = mark === true;
    const explanation = typeof mark === 'string' ? mark : undefined;
    return { status: 'scored', value: passed ? 1 : 0, passed, explanation };
  });
  return scorecard.evaluate(
    new Map(scorecard.criteria.map(({ name }, index) => [name, verdicts[index] as Verdict])),
  );
}

test.each([
  ['111111', 1, 'successful_completion', true],
  ['110111', 0.9, 'successful_completion', true],
  ['011111', 0.75, 'successful_completion', true],
  ['101111', 0.75, 'successful_completion', true],
  ['111101', 0.8, 'successful_completion', true],
  ['111110', 1, 'graceful_failure', false],
  ['111001', 0.6, 'graceful_failure', false],
  ['110001', 0.5, 'graceful_failure', false],
  ['001111', 0.5, 'graceful_failure', false],
  ['000110', 0.4, 'partial_failure', false],
  ['001000', 0.1, 'partial_failure', false],
  ['000000', 0, 'hard_failure', false],
  ['000001', 0, 'hard_failure', false],
])('criteria %s → %d, %s, passed %s', (bits, total, outcome, passed) => {
  const result = evaluate(
    source,
    Array.from(bits, (bit) => bit === '1'),
  );
  expect(result).toMatchObject({ total: expect.closeTo(total, 12), grade: null, outcome, passed });
  expect([result.lower, result.upper]).toEqual([result.total, result.total]);
});

test('a score that misses a threshold only by binary rounding reaches it', () => {
  const tenths = Array.from({ length: 10 }, (_, index) => ({
    name: `${index}`,
    metric: 'check',
    weight: 0.1,
  }));
  const marks = (met: number) => tenths.map((_, index) => index < met);
  expect(evaluate({ criteria: tenths }, marks(5)).outcome).toBe('graceful_failure');
  const sum = 0.1 + 0.2 + 0.3 + 0.15;
  expect(sum).toBeLessThan(0.75 + 1e-9);
  const uneven = [0.1, 0.7, 0.2].map((weight) => ({ name: `${weight}`, metric: 'check', weight }));
  const outcomes = [{ outcome: 'good', from: 0.8 }, { outcome: 'bad' }];
  expect(0.1 + 0.7).toBeLessThan(0.8);
  expect(evaluate({ criteria: uneven, outcomes }, [true, true, false]).outcome).toBe('good');
});

test.each([
  [
    [true, true, true, true, true, true],
    'All 6 criteria were met. That makes 1.00, a successful completion.',
  ],
  [
    ['Bob is missing', '10:00 instead of 11:00.', true, true, true, true],
    'Correct duration, explored alternatives, clear explanation and booking confirmed were met, but correct participants (−0.25: Bob is missing) and correct time (−0.25: 10:00 instead of 11:00) were not met. That makes 0.50, a graceful failure; a successful completion takes 0.75.',
  ],
  [
    [true, true, true, true, false, 'nothing was booked'],
    'Correct participants, correct time, correct duration and explored alternatives were met, but clear explanation (−0.20) and booking confirmed (nothing was booked) were not met. That makes 0.80, a graceful failure; a successful completion also takes booking confirmed.',
  ],
  [
    [false, false, false, true, false, false],
    'Explored alternatives was met, but correct participants (−0.25), correct time (−0.25), correct duration (−0.10), clear explanation (−0.20) and booking confirmed were not met. That makes 0.20, a partial failure; a graceful failure takes 0.50.',
  ],
  [
    [true, inapplicable, true, true, false, true],
    'Correct participants, correct duration, explored alternatives and booking confirmed were met, but clear explanation (−0.267) was not met. Correct time (the question expects no time) does not apply. That makes 0.733, a graceful failure; a successful completion takes 0.75.',
  ],
  [
    [true, true, true, true, failed, true],
    'Correct participants, correct time, correct duration, explored alternatives and booking confirmed were met. Clear explanation (the judge gave no answer in time) was not measured. The score lies between 0.80 and 1.00: a successful completion in any case.',
  ],
  [
    [true, failed, true, true, failed, true],
    'Correct participants, correct duration, explored alternatives and booking confirmed were met. Correct time and clear explanation (the judge gave no answer in time) were not measured. The score lies between 0.55 and 1.00: a graceful failure or a successful completion.',
  ],
  [
    [failed, failed, failed, failed, failed, failed],
    'Nothing was measured (the judge gave no answer in time). The score lies between 0.00 and 1.00: anything from a hard failure to a successful completion.',
  ],
  [
    [stateless, failed, stateless, true, true, stateless],
    'Explored alternatives and clear explanation were met. Correct participants, correct duration and booking confirmed (no state was reported) and correct time (the judge gave no answer in time) were not measured. The score lies between 0.40 and 1.00: anything from a partial failure to a successful completion.',
  ],
] as [(boolean | string | Verdict)[], string][])('the explanation of %j', (marks, explanation) => {
  expect(evaluate(source, marks).explanation).toBe(explanation);
});

test('explanations use the phrases of the user', () => {
  const phrased: Options = {
    criteria: [
      {
        name: 'booked',
        metric: 'check',
        weight: 0,
        whenTrue: 'a meeting was booked',
        whenFalse: 'nothing was booked',
      },
      { name: 'people', metric: 'check', weight: 0.5, whenFalse: 'the wrong people were invited' },
      { name: 'time', metric: 'check', weight: 0.5 },
    ],
  };
  expect(evaluate(phrased, [true, 'Bob is missing', true]).explanation).toBe(
    'A meeting was booked and time was met, but the wrong people were invited (−0.50: Bob is missing). That makes 0.50, a graceful failure; a successful completion takes 0.75.',
  );
  expect(evaluate(phrased, [false, false, false]).explanation).toBe(
    'Nothing was booked, the wrong people were invited (−0.50) and time (−0.50) was not met. That makes 0.00, a hard failure.',
  );
});

test('an unmeasured criterion leaves a range, and an outcome only when the whole range has the same one', () => {
  expect(evaluate(source, [true, true, true, failed, true, true])).toMatchObject({
    total: null,
    lower: expect.closeTo(0.8),
    upper: expect.closeTo(1),
    outcome: 'successful_completion',
    passed: true,
  });
  expect(evaluate(source, [true, failed, true, false, true, true])).toMatchObject({
    total: null,
    lower: expect.closeTo(0.55),
    upper: expect.closeTo(0.8),
    outcome: null,
    passed: null,
  });
  expect(evaluate(source, [false, failed, true, false, true, true])).toMatchObject({
    outcome: null,
    passed: false,
  });
});

test('an unmeasured condition leaves the score known and the outcome unknown', () => {
  expect(evaluate(source, [true, true, true, true, true, failed])).toMatchObject({
    total: 1,
    outcome: null,
    passed: null,
    explanation: expect.stringContaining('That makes 1.00, a graceful failure or a successful completion.'),
  });
  expect(evaluate(source, [true, true, false, false, false, failed]).outcome).toBe('graceful_failure');
});

test('the weight of an inapplicable criterion goes to the others, and an inapplicable condition requires nothing', () => {
  expect(evaluate(source, [true, inapplicable, true, true, true, inapplicable])).toMatchObject({
    total: 1,
    outcome: 'successful_completion',
  });
  const nothing = evaluate(
    source,
    criteria.map(() => inapplicable),
  );
  expect(nothing).toMatchObject({ total: null, lower: 0, upper: 1, outcome: null, passed: null });
});

const half = (name: string, more: object = {}) => ({ name, metric: 'check', weight: 0.5, ...more });

test('a required criterion that is not met keeps a trial from passing, whatever its score', () => {
  const required: Options = { criteria: [half('a'), half('b'), half('c', { weight: 0, required: true })] };
  const result = evaluate(required, [true, true, false]);
  expect(result).toMatchObject({ total: 1, outcome: 'graceful_failure', passed: false });
  expect(result.explanation).toMatch(/; without c it cannot be a successful completion\.$/);
  expect(evaluate(required, [true, true, true]).passed).toBe(true);
});

test('a cap is the best outcome without its criterion', () => {
  const capped: Options = { criteria: [half('a'), half('b', { caps: 'partial_failure' })] };
  expect(evaluate(capped, [true, false]).outcome).toBe('partial_failure');
  expect(evaluate(capped, [false, true]).outcome).toBe('graceful_failure');
  expect(evaluate(capped, [false, false]).outcome).toBe('hard_failure');
});

test('a negative criterion that is true subtracts its weight, never below 0, and caps when it is true', () => {
  const negative = half('double booking', { weight: 0.3, negative: true, caps: 'partial_failure' });
  const options: Options = { criteria: [half('a'), half('b'), negative] };
  expect(evaluate(options, [true, true, false])).toMatchObject({
    total: 1,
    outcome: 'successful_completion',
  });
  const double = { status: 'scored', value: 1, passed: true, explanation: 'Ann has two meetings' } as const;
  const result = evaluate(options, [true, true, double]);
  expect(result).toMatchObject({ total: expect.closeTo(0.7), outcome: 'partial_failure', passed: false });
  expect(result.explanation).toBe(
    'A and b were met, but double booking (−0.30: Ann has two meetings) counts against it. That makes 0.70, a partial failure; with double booking it cannot be a graceful failure.',
  );
  expect(evaluate(options, [false, false, double]).total).toBe(0);
  expect(evaluate(options, [true, true, failed])).toMatchObject({
    total: null,
    lower: expect.closeTo(0.7),
    upper: 1,
  });
});

test('a value between 0 and 1 is neither true nor false unless a bound or the metric decides', () => {
  const scored = (value: number, more: object = {}): Verdict => ({ status: 'scored', value, ...more });
  const plain: Options = { criteria: [half('a'), half('b')] };
  const between = evaluate(plain, [true, scored(0.6)]);
  expect(between).toMatchObject({ total: null, lower: 0.5, upper: 1, outcome: null });
  expect(between.explanation).toContain('B (0.6 is neither true nor false; the criterion needs `atLeast`)');
  expect(evaluate(plain, [true, scored(0.6, { passed: true })]).total).toBe(1);
  const bounded: Options = {
    criteria: [half('a', { atLeast: 0.6 }), half('quick', { metric: 'latency', atMost: 2000 })],
  };
  expect(evaluate(bounded, [scored(0.1 + 0.5), scored(1500, { unit: 'ms' })]).total).toBe(1);
  const slow = evaluate(bounded, [scored(0.59), scored(2500, { unit: 'ms' })]);
  expect(slow.explanation).toBe(
    'A (−0.50: 0.59) and quick (−0.50: 2500 ms) were not met. That makes 0.00, a hard failure.',
  );
  expect(evaluate(plain, [true, scored(1500, { unit: 'ms' })]).total).toBeNull();
});

test('outcomes can be defined in order, with those that pass', () => {
  const options: Options = {
    criteria: [half('a'), half('b'), half('polite', { weight: 0 })],
    outcomes: [
      { outcome: 'excellent', from: 1, when: 'polite' },
      { outcome: 'fine', above: 0.4 },
      { outcome: 'poor', meaning: 'try again' },
    ],
    passes: ['excellent', 'fine'],
  };
  const scorecard = create(options);
  expect(scorecard).toMatchObject({ grades: [], passMark: 0 });
  expect(scorecard.outcomes?.at(-1)).toEqual({ outcome: 'poor', from: 0, meaning: 'try again' });
  expect(evaluate(options, [true, true, true])).toMatchObject({ outcome: 'excellent', passed: true });
  expect(evaluate(options, [true, true, false])).toMatchObject({ outcome: 'fine', passed: true });
  expect(evaluate(options, [true, failed, true])).toMatchObject({ outcome: null, passed: true });
  expect(evaluate(options, [false, false, true])).toMatchObject({ outcome: 'poor', passed: false });
});

const a = { name: 'a', metric: 'check', weight: 1 };

test.each<[Options, string]>([
  [
    { criteria: [half('a'), half('b'), half('c', { weight: 0.2 })] },
    'The weights of the scorecard binary-weighted add up to 1.2, not 1: a 0.5, b 0.5, c 0.2.',
  ],
  [
    { criteria: [half('a'), half('b', { weight: 0.3 }), half('c', { weight: 0.2, negative: true })] },
    'add up to 0.8, not 1: a 0.5, b 0.3.',
  ],
  [{ criteria: [half('a'), half('a')] }, 'Two criteria of the scorecard binary-weighted are named "a".'],
  [{ criteria: [a], success: 'aa' }, 'no criterion is named "aa". Did you mean "a"?'],
  [
    { criteria: [{ ...a, caps: 'gracefull_failure' }] },
    'no outcome is named "gracefull_failure". Did you mean',
  ],
  [
    { criteria: [a], passes: ['hard_failure'] },
    'the outcome of every attempt without another one, so it cannot pass',
  ],
  [
    { criteria: [a], outcomes: [{ outcome: 'x' }, { outcome: 'y' }] },
    '"x" accepts every score, so "y" is never reached',
  ],
  [
    {
      criteria: [a],
      outcomes: [
        { outcome: 'x', from: 0.5 },
        { outcome: 'y', from: 0.1 },
      ],
    },
    'the last outcome, "y", must accept every score',
  ],
  [
    { criteria: [a], outcomes: [{ outcome: 'x', from: 0.5 }, { outcome: 'x' }] },
    'two outcomes are named "x"',
  ],
  [
    { criteria: [a], success: 'a', outcomes: [{ outcome: 'x', from: 0.5 }, { outcome: 'y' }] },
    '`success` belongs to the default outcomes',
  ],
])('rejects %j', (options, message) => {
  expect(() => create(options)).toThrow(TouchstoneError);
  expect(() => create(options)).toThrow(message);
});

test('weights add up to 1 within 1e-9', () => {
  const thirds = ['a', 'b', 'c'].map((name) => half(name, { weight: 1 / 3 }));
  expect(create({ criteria: thirds }).criteria).toHaveLength(3);
  const off = (by: number) => () => create({ criteria: [half('a'), half('b', { weight: 0.5 - by })] });
  expect(off(1e-10)).not.toThrow();
  expect(off(1e-8)).toThrow(/add up to 0\.99999999, not 1/);
});

test('a named criterion gives its name to its metric, whose definition stays the same', () => {
  const own = binaryWeighted({ criteria: [a] });
  const { criteria: uses } = create({
    criteria: [half('mine', { metric: own }), half('yours', { metric: { use: 'check', name: 'own name' } })],
  });
  expect(uses.map(({ metric }) => useSchema.parse(metric).name)).toEqual(['mine', 'own name']);
  expect(rememberedDefinition(uses[0]?.metric ?? {})).toBe(binaryWeighted.definition);
});

test('every scorecard with criteria rejects two of the same name', () => {
  const options = weighted.definition.options.parse({ criteria: [half('a'), half('a')] });
  expect(() => weighted.definition.create(options, {})).toThrow('Two criteria of the scorecard weighted');
});
