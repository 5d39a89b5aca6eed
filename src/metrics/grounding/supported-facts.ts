import { z } from 'zod';
import type { Json } from '../../schema/json.ts';
import { defineMetric, type MetricInput } from '../metric.ts';
import { type DateStyle, monthNames, usualLocales } from '../values/find-dates.ts';
import { createSupport } from './fact-support.ts';
import { type Fact, factKinds, foldWords } from './fact.ts';
import { findFacts } from './find-facts.ts';
import { questionTexts, sourceKinds, sourceTexts } from './sources.ts';

const options = () =>
  z.strictObject({
    kinds: z
      .array(z.enum(factKinds))
      .min(1)
      .default([...factKinds])
      .describe('The kinds of facts to check.'),
    sources: z
      .array(z.enum(sourceKinds))
      .min(1)
      .default(['documents', 'tool-results'])
      .describe('Where the answer may take facts from, beside the question.'),
    arithmetic: z
      .boolean()
      .default(true)
      .describe('Whether the length, the sums and the means of lists that tools returned are supported too.'),
    known: z
      .array(z.string().min(1))
      .default([])
      .describe('Texts whose facts need no source, such as the name of your company.'),
    order: z
      .enum(['day-first', 'month-first'])
      .optional()
      .describe('How to read 03/04/2024; else both ways.'),
    locales: z
      .array(z.string().min(2))
      .min(1)
      .default(usualLocales)
      .describe('Languages whose names of months are known.'),
    threshold: z.number().min(0).max(1).optional().describe('Least share for the verdict to pass.'),
  });
type Options = z.output<ReturnType<typeof options>>;

/**
 * Groundedness without a model: the share of the numbers, dates, times, names, quotations and addresses in the answer
 * that its sources or the question hold. What they do not hold is listed with its place. A fact that is stated twice counts once. It finds
 * invented facts, not wrong conclusions from facts that are there; of what the bot worked out
 * itself, only counts, sums and means of lists that its tools returned are found.
 */
export const supportedFacts = defineMetric({
  name: 'supported-facts',
  family: 'grounding',
  version: 1,
  summary: 'Share of the numbers, dates, names, quotations and links in the answer that its sources hold.',
  options,
  create: (checked) => {
    const style: DateStyle = { order: checked.order, months: monthNames(checked.locales) };
    return { score: (input) => score(input, checked, style) };
  },
});

function score({ case: testCase, trial }: MetricInput, checked: Options, style: DateStyle) {
  const sources = sourceTexts(testCase, trial, checked);
  if (sources.length === 0) return notApplicable('there is no text that the answer could be held against');
  const facts = distinct(findFacts(trial.answer ?? '', checked.kinds, style));
  if (facts.length === 0) return notApplicable('the answer states nothing that can be looked up');

  const supports = createSupport([...sources, ...questionTexts(testCase, trial), ...checked.known], style);
  const unsupported = facts.filter((fact) => !supports(fact));
  const value = (facts.length - unsupported.length) / facts.length;
  const evidence: Json = { facts: facts.length, unsupported: unsupported.slice(0, mostListed).map(show) };
  return {
    status: 'scored' as const,
    value,
    passed: checked.threshold === undefined ? undefined : value >= checked.threshold - 1e-9,
    explanation: explain(unsupported),
    evidence,
  };
}

const mostListed = 50;
const mostNamed = 5;

function explain(unsupported: readonly Fact[]): string | undefined {
  if (unsupported.length === 0) return undefined;
  const named = unsupported.slice(0, mostNamed).map(({ text }) => text);
  const more = unsupported.length - named.length;
  return `not in the sources: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function show({ kind, text, index }: Fact): { [key: string]: Json } {
  return { kind, text, index };
}

/** The first of the facts that say the same. */
function distinct(facts: readonly Fact[]): Fact[] {
  const byMeaning = new Map<string, Fact>();
  for (const fact of facts) {
    const key = meaningOf(fact);
    if (!byMeaning.has(key)) byMeaning.set(key, fact);
  }
  return [...byMeaning.values()];
}

function meaningOf(fact: Fact): string {
  switch (fact.kind) {
    case 'number':
      return `number ${fact.readings
        .flat()
        .map(({ value, isPercent }) => `${value}${isPercent ? '%' : ''}`)
        .join()}`;
    case 'date':
      return `date ${fact.readings.map(({ year, month, day }) => `${year}-${month}-${day}`).join()}`;
    case 'time':
      return `time ${fact.readings.join()}`;
    default:
      return `${fact.kind}${foldWords(fact.text)}`;
  }
}

function notApplicable(reason: string) {
  return { status: 'not-applicable' as const, reason };
}
