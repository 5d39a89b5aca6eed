import { expect, test } from 'vitest';
import { certificateSchema } from '../../../core/schema/review/certificate.ts';
import { buildRubric, buildTask } from '../../../../test/support/build-labels.ts';
import { calibrate, type CalibrationInput, certificateFile, certify } from './calibrate.ts';
import type { LabelledAnswer, Ratings } from '../../../decide/certificates/pair-labels.ts';

const now = new Date('2026-02-01T00:00:00.000Z');
const release = { now, touchstoneVersion: '0.0.0' };
type Cell = readonly [count: number, truth: boolean, passed: boolean];

/** The table of the example of docs/calibrate.md: 200 of 1,000 answers, drawn at random. */
const table: readonly Cell[] = [
  [138, true, true],
  [12, true, false],
  [9, false, true],
  [41, false, false],
];

function answersOf(cells: readonly Cell[], parts: Partial<LabelledAnswer> = {}): LabelledAnswer[] {
  return cells.flatMap(([count, truth, passed]) =>
    Array.from({ length: count }, (_, index): LabelledAnswer => {
      const item = index;
      const category = index % 2 === 0 ? 'billing' : 'legal';
      const cluster = `${String(truth)} ${String(passed)} ${index}`;
      return {
        item,
        truth,
        passed,
        stratum: 'all',
        probability: 0.2,
        category,
        target: 'bot',
        cluster,
        ...parts,
      };
    }),
  );
}

/** Labels of two people on 40 items, who differ on the given number of them. */
function ratingsOf(different: number): Ratings[] {
  return Array.from(
    { length: 40 },
    (_, index) =>
      new Map([
        ['ann', index % 2 === 0],
        ['bob', index < different ? index % 2 !== 0 : index % 2 === 0],
      ]),
  );
}

function inputOf(
  answers: readonly LabelledAnswer[],
  parts: Partial<CalibrationInput> = {},
): CalibrationInput {
  const { frame, draw, id } = buildTask({ items: answers.length });
  const others = (count: number, passed: boolean) =>
    Array.from({ length: count }, (_, index) => ({
      passed,
      target: 'bot',
      cluster: `other ${String(passed)} ${index}`,
      isLabelled: false,
    }));
  const labelledPasses = answers.filter(({ passed }) => passed).length;
  return {
    judge: { name: 'gpt/5: mini', fingerprint: 'a'.repeat(32), models: ['gpt-5-mini-2026'] },
    metric: { name: 'politeness', fingerprint: 'b'.repeat(32) },
    rubric: { id: 'tone', version: buildRubric().version },
    run: frame.run,
    task: id,
    frame,
    draw,
    population: { dataset: '2'.repeat(32), targets: [], categories: [], at: now.toISOString() },
    strata: [{ name: 'all', size: 1000, drawn: answers.length }],
    paired: {
      answers,
      labels: ['l1', 'l2'],
      settled: ['l1', 'l2'],
      leftOut: { open: 0, disputed: 0, notApplicable: 0, notBlind: 0, noVerdict: 0 },
      ratings: ratingsOf(3),
    },
    answers: [
      ...answers.map(({ passed, target, cluster }) => ({ passed, target, cluster, isLabelled: true })),
      ...others(739 - labelledPasses, true),
      ...others(261 - (answers.length - labelledPasses), false),
    ],
    isFromFrame: true,
    drawFault: null,
    samples: [],
    split: { part: 'all', why: 'All labels count.', tuning: 0 },
    leaks: [],
    ...parts,
  };
}

/** The draw of the same answers by verdict: 100 of the 739 passes, 94 of them right, and 100 of the 261 fails, 22 wrong. */
function stratified(): CalibrationInput {
  const passed = answersOf(
    [
      [94, true, true],
      [6, false, true],
    ],
    { stratum: 'passed', probability: 100 / 739 },
  );
  const failed = answersOf(
    [
      [22, true, false],
      [78, false, false],
    ],
    { stratum: 'failed', probability: 100 / 261 },
  );
  return inputOf([...passed, ...failed], {
    draw: { type: 'stratified', metric: 'politeness', byCategory: false },
    strata: [
      { name: 'passed', size: 739, drawn: 100 },
      { name: 'failed', size: 261, drawn: 100 },
    ],
  });
}

const close = (value: number) => expect.closeTo(value, 6);

test('labels drawn at random: the worked example to six decimals', () => {
  const { rates, rate, table: counts, conditions, byCategory } = calibrate(inputOf(answersOf(table)));
  expect(counts).toEqual({ truePositives: 138, falseNegatives: 12, falsePositives: 9, trueNegatives: 41 });
  expect(byCategory.map(({ name, table: { truePositives } }) => [name, truePositives])).toEqual([
    ['billing', 69],
    ['legal', 69],
  ]);
  expect(rates).toMatchObject({
    truePositiveRate: { value: close(0.92), lower: close(0.865379), upper: close(0.953646) },
    trueNegativeRate: { value: close(0.82), lower: close(0.692039), upper: close(0.902298) },
    positivePredictiveValue: { value: close(0.938776) },
    negativePredictiveValue: { value: close(0.773585) },
    agreement: { value: close(0.895) },
    kappa: { value: close(0.72549), lower: close(0.615585), upper: close(0.835395) },
    ac1: { value: close(0.82999) },
  });
  expect(rate).toMatchObject({
    judge: { value: 0.739, n: 1000 },
    people: { value: 0.75, lower: close(0.685659), upper: close(0.804918) },
    method: 'ppi',
    corrected: { value: close(0.752875), lower: close(0.704227), upper: close(0.795841) },
    caution: null,
  });
  expect(rate.worth).toBeCloseTo(((0.804918 - 0.685659) / (0.795841 - 0.704227)) ** 2, 4);
  expect(conditions.map(({ id, state }) => `${id}: ${state}`)).toEqual([
    'labels: met',
    'blind: met',
    'draw: met',
    'complete: met',
    'informative: met',
    'people-agree: met',
    'estimate: met',
    'prompt: met',
    'targets-alike: not-measured',
    'steady: not-measured',
  ]);
});

test('labels drawn by verdict count 1/π, never straight from the table, and the estimate is that of strata', () => {
  const { rates, rate } = calibrate(stratified());
  // TPR = Σ w / Σ w over people's passes: 94 · 7.39 / (94 · 7.39 + 22 · 2.61); the table alone says 94 / 116.
  expect(rates.truePositiveRate.value).toBeCloseTo(694.66 / (694.66 + 57.42), 9);
  expect(rates.trueNegativeRate.value).toBeCloseTo(203.58 / (203.58 + 44.34), 9);
  expect(rates.agreement.value).toBeCloseTo((694.66 + 203.58) / 1000, 9);
  expect(rates.kappa).toMatchObject({ lower: null, reason: expect.stringContaining('unequal') });
  expect(rate).toMatchObject({
    method: 'stratified',
    corrected: { value: close(0.75208) },
    ofRun: { value: close(0.75208), lower: close(0.712549), upper: close(0.787794) },
  });
});

test('labels from elsewhere are corrected by the error rates, and give no certificate', () => {
  const fault = 'The labels are of other answers.';
  const other = calibrate(
    inputOf(answersOf(table), {
      isFromFrame: false,
      drawFault: fault,
    }),
  );
  expect(other.rate).toMatchObject({
    method: 'rogan-gladen',
    corrected: { value: close(0.755405), lower: close(0.683163), upper: close(0.823103) },
  });
  expect(certify(other, release)).toBeNull();
  const byVerdict = calibrate({ ...stratified(), isFromFrame: false, drawFault: fault });
  expect(byVerdict.rate).toMatchObject({ method: null, corrected: { value: null } });
});

test('a certificate is made where all conditions are met, and its file has a safe name', () => {
  const calibration = calibrate(inputOf(answersOf(table)));
  const certificate = certify(calibration, release);
  expect(certificate).toMatchObject({ madeAt: now.toISOString(), validUntil: '2026-05-02T00:00:00.000Z' });
  expect(certificateSchema.parse(JSON.parse(JSON.stringify(certificate)))).toEqual(certificate);
  expect(certificateFile(calibration)).toBe(`gpt-5-mini@${'b'.repeat(32)}.json`);
  const judge = { ...calibration.judge, name: '../..' };
  expect(certificateFile({ ...calibration, judge })).toBe(`judge@${'b'.repeat(32)}.json`);
});

test.each([
  [
    'labels',
    {
      paired: {
        answers: answersOf([
          [138, true, true],
          [2, true, false],
          [9, false, true],
          [40, false, false],
        ]),
      },
    },
  ],
  ['draw', { drawFault: 'picked' }],
  ['prompt', { leaks: [{ caseId: 'case 1', text: 'answer' }] }],
  [
    'complete',
    { paired: { leftOut: { open: 0, disputed: 23, notApplicable: 0, notBlind: 0, noVerdict: 0 } } },
  ],
  // A judge that says the opposite, one that always says yes, and one that says the same of both kinds.
  [
    'informative',
    {
      cells: [
        [9, true, true],
        [141, true, false],
        [48, false, true],
        [2, false, false],
      ],
    },
  ],
  [
    'informative',
    {
      cells: [
        [150, true, true],
        [50, false, true],
      ],
    },
  ],
  [
    'informative',
    {
      cells: [
        [75, true, true],
        [75, true, false],
        [25, false, true],
        [25, false, false],
      ],
    },
  ],
  ['people-agree', { paired: { ratings: ratingsOf(16) } }],
  ['people-agree', { paired: { ratings: [] } }],
] as readonly [
  string,
  {
    readonly cells?: readonly Cell[];
    readonly paired?: object;
    readonly drawFault?: string;
    readonly leaks?: CalibrationInput['leaks'];
  },
][])('without the condition %s there is no certificate', (id, { cells = table, paired, ...parts }) => {
  const input = inputOf(answersOf(cells), parts);
  const calibration = calibrate({ ...input, paired: { ...input.paired, ...paired } });
  const unmet = calibration.conditions.filter((each) => each.isRequired && each.state !== 'met');
  expect(unmet.map((each) => each.id)).toContain(id);
  expect(certify(calibration, release)).toBeNull();
});

test('what is missing says how many labels it takes, unless labels cannot help', () => {
  const few = calibrate(
    inputOf(
      answersOf([
        [60, true, true],
        [5, true, false],
        [5, false, true],
        [20, false, false],
      ]),
    ),
  );
  // 25 of 50 fails are missing, and 26 of 92 further labels are expected to be fails: 25 · 92 / 26.
  expect(few.conditions[0]).toMatchObject({ id: 'labels', state: 'failed', labelsNeeded: 89 });
  const wrong = calibrate(
    inputOf(
      answersOf([
        [75, true, true],
        [75, true, false],
        [25, false, true],
        [25, false, false],
      ]),
    ),
  );
  expect(wrong.conditions[4]).toMatchObject({ id: 'informative', state: 'failed' });
  expect(wrong.conditions[4]).not.toHaveProperty('labelsNeeded');
});

test('a judge that treats targets differently may be certified, and the difference is said', () => {
  const v1 = answersOf(
    [
      [74, true, true],
      [1, true, false],
      [4, false, true],
      [21, false, false],
    ],
    { target: 'v1' },
  );
  const v2 = answersOf(
    [
      [60, true, true],
      [15, true, false],
      [4, false, true],
      [21, false, false],
    ],
    { target: 'v2' },
  );
  const { conditions, ofTargets } = calibrate(inputOf([...v1, ...v2]));
  const alike = conditions.find(({ id }) => id === 'targets-alike');
  expect(alike).toMatchObject({ state: 'failed', isRequired: false });
  expect(alike?.sentence).toContain('TPR of v1 and v2 differs by 18.7 points (p < 0.001)');
  expect(ofTargets.map(({ name, rates }) => [name, rates.truePositiveRate.value])).toEqual([
    ['v1', 74 / 75],
    ['v2', 60 / 75],
  ]);
});

test('repeats of the judge show whether it is steady', () => {
  const rows = (flips: number) => Array.from({ length: 100 }, (_, index) => [true, index >= flips]);
  const stateAt = (flips: number) =>
    calibrate(inputOf(answersOf(table), { samples: rows(flips) })).conditions.at(-1)?.state;
  expect([stateAt(4), stateAt(5)]).toEqual(['met', 'failed']);
});

test('several answers to one case count as a cluster, and by stratum only the answers of the run have limits', () => {
  const paired = (input: CalibrationInput): CalibrationInput => ({
    ...input,
    answers: input.answers.map((each, index) => ({ ...each, cluster: `case ${index >> 1}` })),
    paired: {
      ...input.paired,
      answers: input.paired.answers.map((each, index) => ({ ...each, cluster: `case ${index >> 1}` })),
    },
  });
  const { rate } = calibrate(paired(inputOf(answersOf(table))));
  expect(rate).toMatchObject({
    method: 'ppi',
    people: { value: 0.75, method: 'cluster-robust-t', clusters: 500 },
    corrected: { value: expect.closeTo(0.753, 2), method: 'cluster-robust-t', clusters: 500 },
  });
  const strata = calibrate(paired(stratified()));
  expect(strata.rate).toMatchObject({
    corrected: { value: close(0.75208), lower: null, reason: expect.stringContaining('one question') },
    ofRun: { lower: close(0.712549), upper: close(0.787794) },
    worth: null,
  });
  expect(strata.conditions.find(({ id }) => id === 'estimate')?.state).toBe('met');
});

test('where every answer is labelled, people alone give the rate, and the judge is not said to be worth nothing', () => {
  const input = inputOf(answersOf(table));
  const all = { ...input, answers: input.answers.filter(({ isLabelled }) => isLabelled) };
  expect(calibrate(all).rate).toMatchObject({
    method: 'people-alone',
    corrected: { value: 0.75, lower: close(0.685659), upper: close(0.804918) },
    worth: null,
  });
});

test('a judge that says the opposite of people is told from one that says nothing', () => {
  const sentenceOf = (cells: readonly Cell[]) =>
    calibrate(inputOf(answersOf(cells))).conditions.find(({ id }) => id === 'informative')?.sentence;
  const opposite: readonly Cell[] = [
    [90, true, false],
    [10, true, true],
    [80, false, true],
    [20, false, false],
  ];
  expect(sentenceOf(opposite)).toMatch(
    /^TPR \+ TNR − 1 is -0\.70.*the judge says the opposite of what people say/,
  );
  const coin: readonly Cell[] = [
    [50, true, false],
    [50, true, true],
    [50, false, true],
    [50, false, false],
  ];
  expect(sentenceOf(coin)).toContain('the judge says next to nothing');
});
