import { expect, test } from 'vitest';
import { storePairedRun } from '../../../../test/support/paired-run.ts';
import { scriptedJudge } from '../../../evaluate/judges/registry.ts';
import { createLocalExecutor } from '../../../evaluate/executors/local.ts';
import { usualCriterion } from '../../prefer/ask-preference.ts';
import { preferRuns } from '../../prefer/prefer.ts';
import { neverStopped } from '../../../evaluate/run/run-needs.ts';
import { makeRubric } from '../../../decide/certificates/rubric.ts';
import type { Label } from '../../../core/schema/review/label.ts';
import type { ReviewTask } from '../../../core/schema/review/review-task.ts';
import { createMemoryStore } from '../../../../test/support/memory-store.ts';
import type { Store } from '../../../stores/store.ts';
import { addLabels, adjudicate, correct } from '../give-labels.ts';
import { nextItems, readProgress, reveal } from '../next-items.ts';
import { createReview, planReview } from '../plan-review.ts';
import { type PairTaskSettings, planPairs, usualPairRubric } from './plan-pairs.ts';
import { readPeoplePreferences } from './people-preferences.ts';
import { firstInTurn, toPairValue, toShownValue } from './sides.ts';
import { labelKind } from '../../../stores/kinds/label.ts';

const count = 12;
const brief = Array.from({ length: count }, (_, index) => `short ${index}`);
const long = Array.from({ length: count }, (_, index) => `a much longer answer ${index}`);

async function begin(
  parts: Partial<PairTaskSettings> = {},
  targets: Record<string, (string | null)[]> = { brief, long },
) {
  const store = createMemoryStore();
  const run = await storePairedRun(store, { answers: targets });
  const plan = await planPairs(store, [run], {
    id: 'pairs',
    createdAt: '2026-01-03T00:00:00.000Z',
    seed: 3,
    rubrics: [makeRubric(usualPairRubric)],
    labels: 200,
    repeats: 0,
    controls: 0,
    ...parts,
  });
  const task = await createReview(store, plan);
  return { store, run, plan, task };
}

let clock = Date.parse('2026-01-04T00:00:00.000Z');
const by = (person: string) => ({ person, now: new Date((clock += 1000)) });

/** Lets a person say of all items what a function of both shown answers returns. */
async function labelAll(
  store: Store,
  { id }: Pick<ReviewTask, 'id'>,
  person: string,
  say: (first: string, second: string) => 'first' | 'second' | 'tie' | 'both-bad',
) {
  for (;;) {
    const [card] = (await nextItems(store, id, by(person), 1)).cards;
    if (card === undefined) return;
    const value = say(card.answer ?? '', card.second?.answer ?? '');
    const { item, turn = 0 } = card;
    await addLabels(store, id, by(person), { item, turn, labels: [{ rubric: 'preference', value }] });
  }
}

const preferLong = (first: string, second: string) => (first.length > second.length ? 'first' : 'second');
const labelsOf = async (store: Store): Promise<Label[]> =>
  await Array.fromAsync(store.documents.list(labelKind));

test('an order of a pair can be derived again, is the other one in the other turn, and is drawn half and half', () => {
  const firsts = Array.from({ length: 1000 }, (_, position) => firstInTurn({ seed: 1 }, position, 0));
  expect(firsts.map((_, position) => firstInTurn({ seed: 1 }, position, 0))).toEqual(firsts);
  expect(firsts.filter((first, position) => firstInTurn({ seed: 1 }, position, 1) === first)).toEqual([]);
  const share = firsts.filter((first) => first === 'a').length / 1000;
  // scipy.stats.binom.ppf([0.0005, 0.9995], 1000, 0.5): 448 and 552
  expect(share).toBeGreaterThan(0.448);
  expect(share).toBeLessThan(0.552);
  for (const first of ['a', 'b'] as const)
    for (const value of ['a', 'b', 'tie', 'both-bad'] as const)
      expect(toPairValue(toShownValue(value, first), first)).toBe(value);
});

test('pairs of two different answers are drawn, and the others are counted by the reason', async () => {
  const targets = {
    one: ['a', 'same', null, 'c'],
    two: ['b', ' same ', 'x', 'd'],
    three: ['e', 'f', 'g', null],
  };
  const { plan } = await begin({}, targets);
  expect(plan.task).toMatchObject({
    items: 7,
    frame: { run: 'run-1', count: 7 },
    pairs: { targets: [{ name: 'one' }, { name: 'two' }, { name: 'three', run: 'run-1', target: 'three' }] },
  });
  expect(plan.task.frame.excluded.toSorted((one, other) => one.count - other.count)).toEqual([
    { reason: 'the same answer twice', count: 1 },
    { reason: 'no two answers', count: 4 },
  ]);
  expect(plan.items[0]?.subject).toMatchObject({ caseId: expect.any(String), against: { run: 'run-1' } });
  expect(new Set(plan.items.map(({ subject }) => `${subject.target} ${subject.against?.target}`))).toEqual(
    new Set(['one two', 'one three', 'two three']),
  );
});

test('a rubric about pairs fits no task about single answers, and other draws than random ones fit no pairs', async () => {
  const { store, run } = await begin();
  const settings = { id: 'x', createdAt: '2026-01-03T00:00:00.000Z', seed: 1, labels: 5 };
  const single = planReview(store, run, {
    ...settings,
    rubrics: [makeRubric(usualPairRubric)],
    draw: { type: 'random' },
  });
  await expect(single).rejects.toMatchObject({
    code: 'review-invalid',
    message: /preference is about pairs/,
  });
  const drawn = planPairs(store, [run], {
    ...settings,
    rubrics: [makeRubric(usualPairRubric)],
    draw: { type: 'stratified' },
  });
  await expect(drawn).rejects.toMatchObject({ code: 'review-invalid' });
});

test('a card is blind, and a label says which answer was meant, whichever side it stood on', async () => {
  const { store, task } = await begin();
  const { cards } = await nextItems(store, task.id, by('ann'), 12);
  expect(JSON.stringify(cards)).not.toMatch(/brief|long"|run-1|"a"|"b"/);
  const sides = cards.map(({ answer }) => answer?.startsWith('short'));
  expect(new Set(sides)).toEqual(new Set([true, false]));
  await labelAll(store, task, 'ann', preferLong);
  const labels = await labelsOf(store);
  expect(labels).toHaveLength(count);
  expect(new Set(labels.map(({ outcome }) => outcome.status === 'answered' && outcome.value))).toEqual(
    new Set(['b']),
  );
  for (const [index, { item, turn = 0 }] of cards.entries()) {
    const label = labels.find((each) => each.item === item);
    expect(label?.first).toBe(firstInTurn(task, item, turn));
    expect(label?.first).toBe(sides[index] === true ? 'a' : 'b');
  }
});

test('of two people each sees the other order, and one person sees the other order the second time', async () => {
  const { store, task } = await begin({ overlap: { people: 2, share: 1 }, repeats: 1 });
  await labelAll(store, task, 'ann', () => 'first');
  await labelAll(store, task, 'bob', () => 'first');
  const labels = await labelsOf(store);
  for (let item = 0; item < count; item += 1) {
    const [one, other] = labels.filter((each) => each.item === item);
    expect(new Set([one?.first, other?.first])).toEqual(new Set(['a', 'b']));
  }
  clock += 2 * 86_400_000;
  const { cards } = await nextItems(store, task.id, by('ann'), 3);
  expect(cards.map(({ purpose }) => purpose)).toEqual(['repeat', 'repeat', 'repeat']);
  for (const { item, turn = 0 } of cards) {
    const own = labels.find((label) => label.item === item && label.by.person === 'ann');
    expect(firstInTurn(task, item, turn)).not.toBe(own?.first);
  }
});

test('a label that comes after another one still means the order that was on the screen', async () => {
  const { store, task } = await begin({ overlap: { people: 2, share: 1 } });
  const late = (await nextItems(store, task.id, by('ann'), 1)).cards[0];
  clock += 3_600_000;
  await labelAll(store, task, 'bob', preferLong);
  const { item = 0, turn = 0, answer, second } = late ?? {};
  const value = preferLong(answer ?? '', second?.answer ?? '');
  await addLabels(store, task.id, by('ann'), { item, turn, labels: [{ rubric: 'preference', value }] });
  const labels = (await labelsOf(store)).filter((label) => label.item === item);
  expect(labels.map(({ by: { person }, outcome }) => [person, outcome])).toEqual([
    ['bob', { status: 'answered', value: 'b' }],
    ['ann', { status: 'answered', value: 'b' }],
  ]);
});

test('people who always choose the same side disagree: no pair is measured, and the sides are counted', async () => {
  const { store, task } = await begin({ overlap: { people: 2, share: 1 } });
  await labelAll(store, task, 'ann', () => 'first');
  await labelAll(store, task, 'bob', () => 'first');
  const report = await readPeoplePreferences(store, task.id);
  expect(report.pairs).toMatchObject([
    {
      verdict: 'not-enough-data',
      measured: 0,
      notMeasured: [{ code: 'disputed', pairs: count }],
      // scipy.stats.binomtest(24, 24).pvalue
      position: { toFirst: 24, toSecond: 0, pValue: expect.closeTo(1.1920928955078125e-7, 12) },
    },
  ]);
  expect(report.people).toMatchObject({ people: 2, items: count, agreement: { value: 0 } });
  expect((await readProgress(store, task.id)).states.disputed).toBe(count);
  // A decision settles a pair, whatever side the adjudicator saw it on.
  const judge = { ...by('cy'), role: 'adjudicator' as const };
  const [card] = (await nextItems(store, task.id, judge, 1)).cards;
  expect(card?.others?.map(({ outcome }) => outcome)).toEqual(
    expect.arrayContaining([
      { status: 'answered', value: 'first' },
      { status: 'answered', value: 'second' },
    ]),
  );
  const isShortFirst = card?.answer?.startsWith('short') === true;
  const labels = [{ rubric: 'preference', value: isShortFirst ? 'first' : 'second' }];
  await adjudicate(store, task.id, judge, { item: card?.item ?? 0, turn: card?.turn ?? 0, labels });
  expect((await readPeoplePreferences(store, task.id)).pairs[0]).toMatchObject({ measured: 1, wins: 1 });
});

test('both answers bad is a tie with a reason, and agrees with a tie', async () => {
  const { store, task } = await begin({ overlap: { people: 2, share: 1 } });
  await labelAll(store, task, 'ann', () => 'tie');
  await labelAll(store, task, 'bob', () => 'both-bad');
  const report = await readPeoplePreferences(store, task.id);
  expect(report).toMatchObject({ labels: 24, bothBad: 12, people: { agreement: { value: 1 } } });
  expect(report.pairs[0]).toMatchObject({ ties: 12, measured: 12, winRate: { value: 0.5 } });
  expect((await readProgress(store, task.id)).states.settled).toBe(count);
});

/** Creates a judge that prefers the longer answer, except to the questions 0 to 2. */
const createTestJudge = () =>
  scriptedJudge.definition.create(
    scriptedJudge.definition.options.parse({
      rules: [
        { part: 'question', when: 'question [012]\\?', reply: { reason: 'alike', better: 'tie' } },
        { part: 'first answer', when: 'longer', reply: { reason: 'more', better: 'first' } },
        { reply: { reason: 'more', better: 'second' } },
      ],
    }),
    {
      environment: {},
      resolveModel: () => expect.fail('no model is used'),
      resolveJudge: () => expect.fail('no judge is used'),
    },
  );

test('the judge is held against people on the same pairs, and is shown after the label alone', async () => {
  const { store, run, task } = await begin();
  const judge = createTestJudge();
  const rules = { judge, criterion: usualCriterion, order: 'both', seed: 0, reusesJudgements: true } as const;
  const executor = createLocalExecutor();
  await preferRuns([run], rules, { store, executor, observer: {}, signals: neverStopped });
  // People find two pairs alike, and agree with the judge on one of its ties.
  const isTie = (answer: string) => / (2|3)$/.test(answer);
  await labelAll(store, task, 'ann', (first, second) => (isTie(first) ? 'tie' : preferLong(first, second)));
  const { pairs } = await readPeoplePreferences(store, task.id);
  const [held] = pairs[0]?.judges ?? [];
  expect(held).toMatchObject({ judge: 'scripted', pairs: 12, same: 9 });
  // sklearn.metrics.cohen_kappa_score(people, judge): b 8, tie 1, people tie and judge b 1, people b and judge tie 2
  expect(held?.table).toEqual([
    [0, 0, 0],
    [0, 8, 2],
    [0, 1, 1],
  ]);
  expect(held?.kappa.value).toBeCloseTo(0.25000000000000006, 12);
  // statsmodels.stats.inter_rater.cohens_kappa([[8, 2], [1, 1]]): kappa_low, kappa_upp
  expect(held?.kappa.lower).toBeCloseTo(-0.3716081859557217, 9);
  expect(held?.kappa.upper).toBeCloseTo(0.8716081859557219, 9);
  const item = (await labelsOf(store)).find(({ subject }) => subject.caseId === 'q5')?.item ?? 0;
  const revealed = await reveal(store, task.id, by('ann'), item);
  const [label] = (await labelsOf(store)).filter((each) => each.item === item);
  expect(revealed.pair).toMatchObject({
    first: label?.first === 'a' ? 'brief' : 'long',
    second: label?.first === 'a' ? 'long' : 'brief',
    judges: [
      { judge: 'scripted', preference: label?.first === 'a' ? 'second' : 'first', isConsistent: true },
    ],
  });
  await expect(reveal(store, task.id, by('bob'), item)).rejects.toMatchObject({ code: 'label-refused' });
});

test('a judge is held against settled pairs alone', async () => {
  const { store, run, task } = await begin({ overlap: { people: 2, share: 1 } });
  const rules = { judge: createTestJudge(), criterion: usualCriterion, order: 'both', seed: 0 } as const;
  const executor = createLocalExecutor();
  const needs = { store, executor, observer: {}, signals: neverStopped };
  await preferRuns([run], { ...rules, reusesJudgements: true }, needs);
  await labelAll(store, task, 'ann', preferLong);
  expect((await readPeoplePreferences(store, task.id)).pairs[0]?.judges).toEqual([]);
  await labelAll(store, task, 'bob', (first, second) =>
    / [0-3]$/.test(first) ? 'tie' : preferLong(first, second),
  );
  // Disputed are 0 to 3; the judge finds 0 to 2 alike, and says the same of the others.
  expect((await readPeoplePreferences(store, task.id)).pairs[0]).toMatchObject({
    measured: 8,
    judges: [{ pairs: 8, same: 8, kappa: { value: null, reason: 'all ratings are alike' } }],
  });
});

test('a correction after the label means the side that the person saw, and does not count against judges', async () => {
  const { store, task } = await begin({ overlap: { people: 2, share: 1 } });
  await labelAll(store, task, 'ann', () => 'first');
  await labelAll(store, task, 'bob', () => 'second');
  const [own] = (await labelsOf(store)).filter(({ by: { person }, item }) => person === 'ann' && item === 0);
  const label = { rubric: 'preference', value: 'second' };
  const made = await correct(store, task.id, by('ann'), { item: 0, finding: 'own-error', label });
  expect(made.first).toBe(own?.first);
  expect(made.outcome).toEqual({ status: 'answered', value: own?.first === 'a' ? 'b' : 'a' });
  expect((await readPeoplePreferences(store, task.id)).pairs[0]?.measured).toBe(12);
});

test('more than two targets are ranked, and those that cannot be told apart share a place', async () => {
  const names = ['best', 'good', 'alike'];
  const targets = Object.fromEntries(
    names.map((name) => [name, Array.from({ length: 30 }, (_, index) => `${name} ${index}`)]),
  );
  const { store, task } = await begin({}, targets);
  await labelAll(store, task, 'ann', (first, second) => {
    if (first.startsWith('best') || second.startsWith('best'))
      return first.startsWith('best') ? 'first' : 'second';
    return 'tie';
  });
  const { ranking, pairs } = await readPeoplePreferences(store, task.id);
  expect(pairs).toHaveLength(3);
  expect(ranking?.targets.map(({ name, rank, lastRank }) => [name, rank, lastRank])).toEqual([
    ['best', 1, 1],
    [expect.any(String), 2, 3],
    [expect.any(String), 2, 3],
  ]);
});
