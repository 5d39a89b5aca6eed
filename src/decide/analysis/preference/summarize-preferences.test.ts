import { expect, test } from 'vitest';
import type { AnswerPreference, PreferenceOutcome } from '../../../core/schema/api/preference/report.ts';
import { rankTargets, summarizePair } from './summarize-preferences.ts';

type Parts = Partial<AnswerPreference> & { readonly positions?: readonly ('first' | 'second' | 'tie')[] };

/** Builds the verdict on the answers to a case: the winner, or null for a pair that was not measured. */
function verdict(winner: 'a' | 'b' | 'tie' | null, { positions, ...parts }: Parts = {}): AnswerPreference {
  const usual = { a: ['first', 'second'], b: ['second', 'first'], tie: ['tie', 'tie'] } as const;
  const asked = positions ?? (winner === null ? [] : usual[winner]);
  const isConsistent = winner !== 'tie' || asked.every((position) => position === 'tie');
  const outcome: PreferenceOutcome =
    winner === null
      ? { status: 'not-measured', code: 'judge-unreadable', reason: 'no verdict', judgements: [] }
      : { status: 'decided', winner, isConsistent, positions: [...asked], reasons: [], judgements: [] };
  return {
    caseId: 'q',
    caseHash: 'h',
    attempt: 1,
    a: 'A',
    b: 'B',
    lengths: { a: 10, b: 10 },
    outcome,
    ...parts,
  };
}

const onCases = (
  winners: readonly ('a' | 'b' | 'tie' | null)[],
  parts: (place: number) => Parts = () => ({}),
) =>
  winners.map((winner, place) =>
    verdict(winner, { caseId: `q${place}`, caseHash: `h${place}`, ...parts(place) }),
  );

const summarize = (preferences: readonly AnswerPreference[], planned = preferences.length) =>
  summarizePair({ a: 'A', b: 'B', preferences, planned, casesOnlyInA: 0, casesOnlyInB: 0 });

test('the verdict follows from the interval of the win rate', () => {
  const repeat = (winner: 'a' | 'b' | 'tie', times: number) => Array(times).fill(winner) as 'a'[];
  expect(summarize(onCases(repeat('a', 10))).verdict).toBe('a-better');
  expect(summarize(onCases(repeat('b', 10))).verdict).toBe('b-better');
  expect(summarize(onCases(repeat('tie', 10))).verdict).toBe('no-visible-difference');
  expect(summarize(onCases(repeat('a', 4))).verdict).toBe('not-enough-data');
  expect(summarize([])).toMatchObject({
    verdict: 'not-enough-data',
    winRate: { value: null, reason: 'no verdicts' },
  });
});

test('attempts at one case, and cases of one cluster, are not independent of each other', () => {
  const winners = Array.from('aaaaaaaabbbbaaaa') as 'a'[];
  const alone = summarize(onCases(winners));
  const attempts = summarize(
    onCases(winners, (place) => ({ caseHash: `h${Math.floor(place / 4)}`, attempt: 1 + (place % 4) })),
  );
  const clustered = summarize(onCases(winners, (place) => ({ cluster: `${Math.floor(place / 4)}` })));
  expect(alone.winRate).toMatchObject({ value: 0.75, n: 16, method: 'tango' });
  expect(attempts.winRate).toMatchObject({ value: 0.75, n: 16, clusters: 4, method: 'effective-wilson' });
  expect(clustered.winRate).toEqual(attempts.winRate);
  expect(alone.verdict).toBe('a-better');
  expect(attempts.verdict).toBe('not-enough-data');
});

test('pairs that were not measured, or not asked, are counted with their reasons and in no rate', () => {
  const found = summarize(onCases(['a', null, 'a', 'b', null, 'a', 'tie']), 10);
  expect(found).toMatchObject({
    wins: 3,
    ties: 1,
    losses: 1,
    planned: 10,
    measured: 5,
    winRate: { value: 0.7, n: 5 },
  });
  expect(found.notMeasured).toEqual([
    { code: 'not-asked', pairs: 3, reason: 'there is no judgement yet' },
    { code: 'judge-unreadable', pairs: 2, reason: 'no verdict' },
  ]);
});

test('only contradictions show a preference for a position', () => {
  const towards = (positions: Parts['positions']) =>
    verdict('tie', positions === undefined ? {} : { positions });
  const found = summarize([
    ...onCases(['a', 'b', 'a', 'tie']),
    towards(['first', 'first']),
    towards(['first', 'tie']),
    towards(['second', 'second']),
  ]);
  expect(found.position).toEqual({ swapped: 7, consistent: 4, toFirst: 2, toSecond: 1, pValue: 1 });
});

test('a win rate that follows from length alone is even at equal lengths', () => {
  const longer = Array.from({ length: 60 }, (_, place) => [90, -40, 10][place % 3] as number);
  const winners = longer.map((by, place) => (place % 10 < 8 === by > 0 ? 'a' : 'b'));
  const found = summarize(
    onCases(winners, (place) => ({ lengths: { a: 100 + (longer[place] ?? 0), b: 100 } })),
  );
  expect(found.winRate.value).toBeGreaterThan(0.55);
  expect(found.lengthControlled.value).toBeLessThan(found.winRate.value as number);
  expect(found.lengthControlled.lower).toBeLessThan(0.5);
});

test('a target that always wins is ranked with a prior, which is stated', () => {
  const against = (b: string, winner: 'a' | 'b') => onCases(Array(12).fill(winner) as 'a'[], () => ({ b }));
  const mixed = onCases(Array.from('abababababab') as 'a'[], () => ({ a: 'B', b: 'C' }));
  const ranking = rankTargets([...against('B', 'a'), ...against('C', 'a'), ...mixed], 0);
  expect(ranking).toMatchObject({
    prior: 0.5,
    caution: 'a prior of 0.5 wins each way between any two targets',
  });
  expect(ranking.targets.map(({ name, rank, lastRank }) => [name, rank, lastRank])).toEqual([
    ['A', 1, 1],
    ['B', 2, 3],
    ['C', 2, 3],
  ]);
  expect(rankTargets([], 0)).toMatchObject({ targets: [], reason: 'no verdicts' });
});

test('the distance to the first target is that of the Elo scale, and a place behind it needs an interval above 0', () => {
  const between = (a: string, b: string, wins: number, losses: number) =>
    onCases([...Array<'a'>(wins).fill('a'), ...Array<'b'>(losses).fill('b')], () => ({ a, b }));
  const verdicts = [...between('A', 'B', 14, 6), ...between('A', 'C', 11, 9), ...between('B', 'C', 7, 13)];
  const { targets } = rankTargets(verdicts, 0);
  const [first, ...others] = targets;
  expect(first).toMatchObject({ name: 'A', rank: 1 });
  expect(first).not.toHaveProperty('behind');
  for (const { elo, rank, behind } of others) {
    expect(behind?.value).toBeCloseTo((first?.elo ?? 0) - elo, 9);
    expect(behind?.lower).toBeLessThan(behind?.value ?? 0);
    expect(behind?.upper).toBeGreaterThan(behind?.value ?? 0);
    if (rank > 1) expect(behind?.lower).toBeGreaterThan(0);
  }
});
