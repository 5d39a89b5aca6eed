import { z } from 'zod';
import { type Json, nonEmpty, share } from '../../../core/schema/json.ts';
import { defineMetric, type MetricInput } from '../metric.ts';
import { type DateStyle, monthNames } from '../../../core/lib/numbers/find-dates.ts';
import { createSupport } from './fact-support.ts';
import { type Fact, factKinds, foldWords } from './fact.ts';
import { dateOptions, findFacts } from './find-facts.ts';
import { questionTexts, sourceKinds, sourceTexts } from './sources.ts';
import { notApplicable, reaches } from '../verdicts.ts';

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
      .describe('The sources, besides the question, that the answer may take facts from.'),
    arithmetic: z
      .boolean()
      .default(true)
      .describe(
        'True when the length, the sums and the means of lists that tools returned count as supported too.',
      ),
    known: z
      .array(nonEmpty())
      .default([])
      .describe('Texts whose facts need no source, such as the name of your company.'),
    ...dateOptions(),
    threshold: share().optional().describe('The least share that passes.'),
  });
type Options = z.output<ReturnType<typeof options>>;

/**
 * Measures groundedness without a model: the share, from 0 to 1, of the numbers, dates, times, names, quotations and
 * addresses in the answer that its sources or the question contain. Unsupported facts are listed with their position; a
 * fact that is stated twice counts once. The metric finds invented facts, not wrong conclusions from real ones; of the
 * values that the bot computed itself it accepts only counts, sums and means of lists that its tools returned. Not
 * applicable without a source text, or when the answer states no such fact.
 */
export const supportedFacts = defineMetric({
  name: 'supported-facts',
  family: 'grounding',
  version: 1,
  summary: 'Share of the numbers, dates, names, quotations and links in the answer that its sources contain.',
  words:
    'hallucination, made up, numbers not in the sources, fabricated, citations, invented links, without a judge, rag, fake urls',
  options,
  create: (checked) => {
    const style: DateStyle = { order: checked.order, months: monthNames(checked.locales) };
    return { score: (input) => score(input, checked, style) };
  },
});

function score({ case: testCase, trial }: MetricInput, checked: Options, style: DateStyle) {
  const sources = sourceTexts(testCase, trial, checked);
  if (sources.length === 0) return notApplicable('there is no source text to compare the answer with');
  const facts = distinct(findFacts(trial.answer ?? '', checked.kinds, style));
  if (facts.length === 0) return notApplicable('the answer states no fact that can be looked up');

  const supports = createSupport([...sources, ...questionTexts(testCase, trial), ...checked.known], style);
  const unsupported = facts.filter((fact) => !supports(fact));
  const value = (facts.length - unsupported.length) / facts.length;
  const evidence: Json = { facts: facts.length, unsupported: unsupported.slice(0, mostListed).map(show) };
  return {
    status: 'scored' as const,
    value,
    passed: reaches(value, checked.threshold),
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

/** Returns the first of all facts with the same meaning. */
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
