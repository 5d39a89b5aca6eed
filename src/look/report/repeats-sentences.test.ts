import { expect, test } from 'vitest';
import type { Estimate, MeasureNoise, NoiseAdvice } from '../../core/schema/estimate.ts';
import { adviceSentences, levelReasons, noiseSentences, ruleSentences } from './repeats-sentences.ts';

const share: Estimate = { value: 0.86, lower: 0.738, upper: 0.93, n: 50, confidence: 0.95, method: 'wilson' };
const rule = { passes: 4, isCurtailed: true, passed: 43, failed: 7, undecided: 0, share, notNeeded: 61 };
const reliability = { attempts: 5, rule, levels: [], groups: [], unmeasured: 0 };

test('the verdicts by a case rule are described with the savings', () => {
  expect(ruleSentences(reliability)).toEqual([
    'A question passes when 4 of 5 attempts do: 43 of 50 questions passed, 86.0 % [73.8, 93.0].',
    'Stopping once that was settled saved 61 of 250 attempts (24.4 %); rates make up for it.',
  ]);
  const open = { ...reliability, rule: { ...rule, undecided: 2, notNeeded: 0 } };
  expect(ruleSentences(open)).toEqual([expect.stringContaining('; 2 undecided.')]);
  const { rule: _none, ...without } = reliability;
  expect(ruleSentences(without)).toEqual([]);
});

test('missing values of k are explained', () => {
  const none: Estimate = { ...share, value: null, lower: null, upper: null, n: 0 };
  expect(levelReasons({ ...reliability, levels: [{ k: 5, any: none, all: none }] })).toHaveLength(1);
  expect(levelReasons({ ...reliability, levels: [{ k: 1, any: share, all: share }] })).toEqual([]);
});

const noise: MeasureNoise = {
  measure: 'score',
  name: 'three-component',
  questions: 50,
  attempts: 150,
  samples: 300,
  between: { variance: 0.09 },
  agent: { variance: 0.04 },
  judge: { variance: 0.01 },
};

test('noise is described as standard deviations, with unknown parts named', () => {
  const metric = { ...noise, measure: 'metric', name: 'relevance' } as const;
  const joined = {
    ...metric,
    agent: { variance: 0.05, reason: 'with the noise of samples: no answer was judged more than once' },
    judge: { variance: null, reason: 'no answer was judged more than once' },
  };
  const alone = { ...noise, judge: { variance: null, reason: 'no judge is involved' } };
  const sentences = noiseSentences({ measures: [noise, metric, joined, alone] });
  const texts = sentences.map((parts) =>
    parts.map((part) => (typeof part === 'string' ? part : `<${part.quoted}>`)).join(''),
  );
  expect(texts).toEqual([
    'Noise of the score (standard deviations in points): questions 30.0, agent 20.0, judge 10.0.',
    'Noise of <relevance> (standard deviations in points): questions 30.0, agent 20.0, judge 10.0.',
    'Noise of <relevance> (standard deviations in points): questions 30.0, agent and judge together 22.4, judge not separated (no answer was judged more than once).',
    'Noise of the score (standard deviations in points): questions 30.0, agent 20.0.',
  ]);
});

const advice: NoiseAdvice = {
  more: 'questions',
  standardError: 0.046,
  choices: [
    { twice: 'questions', standardError: 0.032, costRatio: 2 },
    { twice: 'judge-samples', standardError: 0.045, costRatio: 1.5 },
  ],
  questionPrice: 7.4,
  isPriced: true,
};

test('advice is one or two plain sentences, and empty without advice', () => {
  expect(adviceSentences({ measures: [noise], advice })).toEqual([
    'More questions would reduce the uncertainty most, for their price: the standard error is 4.6 points now, with twice the questions 3.2, with twice the judge samples 4.5.',
    'Repeating every question is worth more only where a new question costs more than 8 attempts to make.',
  ]);
  const samples = { ...advice, more: 'judge-samples', isPriced: false } as const;
  expect(adviceSentences({ measures: [noise], advice: samples })).toEqual([
    expect.stringContaining('More judge samples would reduce the uncertainty most, call for call'),
  ]);
  expect(adviceSentences({ measures: [noise] })).toEqual([]);
});
