import { expect, test } from 'vitest';
import { estimateEffects, type GridDesign } from './effects.ts';

const design: GridDesign = {
  settings: [
    { name: 'model', levels: ['m1', 'm2'] },
    { name: 'prompt', levels: ['p1', 'p2', 'p3'] },
  ],
  cells: [0, 1].flatMap((model) => [0, 1, 2].map((prompt) => [model, prompt])),
};
const worked = '111111 110111 011111 000111 111111 010010 000010 111111 000110 111111 000000 010111'.split(
  ' ',
);
const rows = worked.map((row) => ({ scores: Array.from(row, Number), cluster: undefined }));

test('the worked example: nothing is shown at 12 questions, and the report says how many would do', () => {
  const effects = estimateEffects(design, rows);
  const main = effects.filter(({ kind }) => kind === 'main');
  const six = (value: number) => expect.closeTo(value, 6);
  expect(
    main.map(({ levels: [pair], value, standardError, pValue }) => [
      pair?.level,
      pair?.than,
      value,
      standardError,
      pValue,
    ]),
  ).toEqual([
    ['m2', 'm1', six(0.277778), six(0.099098), six(0.01718)],
    ['p2', 'p1', six(0.208333), six(0.096498), six(0.053804)],
    ['p3', 'p1', six(-0.041667), six(0.074324), six(0.586299)],
    ['p3', 'p2', six(-0.25), six(0.097312), six(0.026095)],
  ]);
  expect(main[0]).toMatchObject({
    lower: six(0.059664),
    upper: six(0.495891),
    adjustedPValue: expect.closeTo(0.06872, 5),
  });
  expect(effects.every(({ finding }) => finding === 'not-shown')).toBe(true);
  expect(main[0]?.needed).toBeGreaterThan(12);
  expect(effects.find(({ kind }) => kind === 'interaction')).toMatchObject({
    settings: ['model', 'prompt'],
    value: six(-0.083333),
    standardError: six(0.148647),
    lower: expect.closeTo(-0.410504, 5),
    upper: six(0.243837),
  });
});

test('an effect that is there in every fifth question is shown among sixty, and nothing else', () => {
  const many = Array.from({ length: 60 }, (_, question) => ({
    scores: design.cells.map(([model]) => Number(model === 1 || question % 3 > 0)),
    cluster: undefined,
  }));
  const shown = estimateEffects(design, many).filter(({ finding }) => finding !== 'not-shown');
  expect(shown.map(({ settings, finding }) => [settings, finding])).toEqual([[['model'], 'higher']]);
});

test('main effects of a part of the cells are those of least squares, and cells that do not tell them give none', () => {
  const part = {
    ...design,
    cells: [
      [0, 0],
      [0, 1],
      [1, 1],
      [1, 2],
    ],
  };
  // Additive scores: model 2 adds 0.1, prompts add 0, 0.2 and 0.3.
  const additive = Array.from({ length: 8 }, (_, question) => ({
    scores: part.cells.map(
      ([model = 0, prompt = 0]) => 0.1 * model + [0, 0.2, 0.3][prompt]! + 0.01 * (question % 2),
    ),
    cluster: undefined,
  }));
  const effects = estimateEffects(part, additive);
  expect(effects.map(({ value }) => value)).toEqual(
    [0.1, 0.2, 0.3, 0.1].map((value) => expect.closeTo(value, 9)),
  );
  const apart = {
    ...design,
    cells: [
      [0, 0],
      [1, 1],
      [1, 2],
    ],
  };
  expect(estimateEffects(apart, [])).toEqual([]);
});
