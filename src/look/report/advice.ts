import type { Criterion } from '../../core/schema/verdict.ts';
import { aspectOf, declaredParts } from '../../core/schema/metric.ts';
import { areWhole, type ChosenTrials } from '../../core/schema/selection.ts';
import type { TargetSummary } from '../../core/schema/summary.ts';
import type { Findings, ReportedTarget } from './findings.ts';
import { calledCount } from './headline.ts';
import { formatCount, formatPercent, formatPlural } from './format.ts';
import { listPhrase, type Phrase, quote, quoteText } from './phrase.ts';
import { errorHintFor, hintOfUnmeasured } from './problem-hints.ts';
import { findMetric } from '../../core/trials/verdict-evidence.ts';
import type { Tally } from './rows/tally.ts';

/** A problem worth looking at: what is wrong, what the data show about it, its possible cause, and where to begin. */
export interface Advice {
  readonly title: Phrase;
  readonly facts: readonly Phrase[];
  /** A question about the possible cause; empty when the data need no explanation. */
  readonly hint: string;
  /** Ids of the questions to open first. */
  readonly ids: readonly string[];
}

/** The mean below which a component or category is worth a look: what the scorecards call good starts here. */
const good = 0.8;
const most = 3;

/** Returns the problems in the results of a target, the costliest first; empty when nothing stands out. */
export function adviseOn(source: ReportedTarget): Advice[] {
  const components = lowCriteria(source).map(({ criterion, mean }) =>
    componentAdvice(source, criterion, mean),
  );
  return [
    ...errorAdvice(source),
    ...replayAdvice(source),
    ...retrievalAdvice(source),
    ...components,
    ...unmeasuredAdvice(source),
    ...categoryAdvice(source),
  ];
}

/**
 * Returns the one problem of a target to look at first, in a sentence without the names of components; undefined when nothing
 * stands out.
 */
export function adviseFirst(source: ReportedTarget): Phrase | undefined {
  const { selection } = source.target;
  const errors = errorsInWords(source);
  // A few errors among many wrong answers are not what matters most.
  if (errors !== undefined && 2 * selection.errors.count >= selection.unresolved.count) return errors;
  const [problem] = [...replayAdvice(source), ...retrievalAdvice(source), ...unmeasuredAdvice(source)];
  if (problem !== undefined) {
    const { title, hint } = problem;
    return hint === '' ? [...title, '.'] : [...title, `. ${hint}`];
  }
  return missedMost(source.findings) ?? errors ?? weakestInWords(source);
}

function errorsInWords({ target: { counts }, findings }: ReportedTarget): Phrase | undefined {
  const [code] = findings.errors.top(1);
  if (code === undefined) return undefined;
  const what =
    counts.errors > 0
      ? formatPlural(counts.errors, 'error')
      : `${formatPlural(counts.errorReports, 'answer')} with an error in it`;
  return [`${what}. ${errorHintFor(code.name)}`];
}

/** Names the tool, or the term, that several answers miss; undefined when no two miss the same. */
function missedMost({ missedTools, missedTerms }: Findings): Phrase | undefined {
  const [tool] = missedTools.top(1);
  if (tool !== undefined && tool.count > 1) {
    return [
      quote(tool.name),
      ` was not used in ${formatPlural(tool.count, 'answer')} that should have used it. Does its description say when to use it?`,
    ];
  }
  const [term] = [...missedTerms.values()]
    .flatMap((tally) => tally.top(1))
    .toSorted((a, b) => b.count - a.count);
  if (term === undefined || term.count < 2) return undefined;
  return [quoteText(term.name), ` is missing from ${formatCount(term.count)} answers.`];
}

function weakestInWords(source: ReportedTarget): Phrase | undefined {
  const [weakest] = categoryAdvice(source).length === 0 ? [] : weakestFirst(source.target);
  // One question is no category: the question itself is what to look at.
  if (weakest === undefined || weakest.counts.measured < 2) return undefined;
  const { category, counts } = weakest;
  const passed = `${formatCount(counts.passed)} of ${formatCount(counts.measured)} passed`;
  return ['the questions under ', quoteText(category), `, of which ${passed}.`];
}

/** Says that calls of tools were not in the recording that a run replayed, and what records them. */
function replayAdvice({ run, target: { counts } }: ReportedTarget): Advice[] {
  const { notRecorded = 0 } = counts;
  if (run.tools?.mode !== 'replay' || notRecorded === 0) return [];
  return [
    {
      title: [`${formatPlural(notRecorded, 'attempt')} used a tool in a way that is not recorded`],
      facts: [],
      hint: 'With the real tools, `touchstone run --tools record-missing --failed` records what is missing.',
      ids: [],
    },
  ];
}

/** Says that a target never found an expected document, with an expected and a retrieved id. */
function retrievalAdvice({ target: { neverRetrieved } }: ReportedTarget): Advice[] {
  if (neverRetrieved === undefined) return [];
  const { trials, expected, retrieved } = neverRetrieved;
  return [
    {
      title: [`No expected document was ever retrieved, in ${formatPlural(trials, 'answer')}`],
      facts: [['Expected, for example: ', quoteText(expected), '. Retrieved: ', quoteText(retrieved), '.']],
      hint: 'Do ids of documents have the same form in the dataset and in the replies of the target?',
      ids: [],
    },
  ];
}

function lowCriteria({ run, target }: ReportedTarget): { criterion: Criterion; mean: number }[] {
  return (run.scorecard?.criteria ?? [])
    .flatMap((criterion) => {
      const mean = target.metrics.find(({ metric }) => metric === criterion.metric)?.estimate.value;
      return criterion.weight > 0 && typeof mean === 'number' && mean < good ? [{ criterion, mean }] : [];
    })
    .filter(({ criterion }) => aspectOf(findMetric(run, criterion.metric)) !== 'no-error')
    .toSorted((a, b) => b.criterion.weight * (1 - b.mean) - a.criterion.weight * (1 - a.mean));
}

function componentAdvice(source: ReportedTarget, { name, metric }: Criterion, mean: number): Advice {
  const { findings, run, target } = source;
  const about = {
    title: [quote(name), ` is low: ${formatPercent(mean)}`],
    ids: target.selection.lowest.find((one) => one.metric === metric)?.ids ?? [],
  };
  const among = amongFirst(target.selection.shortfalls, 'answers that fell short');
  const recorded = findMetric(run, metric);
  const aspect = aspectOf(recorded);
  if (aspect === 'expected-tools')
    return { ...about, facts: missedToolFacts(findings, among), hint: toolHint };
  const missed = findings.missedTerms.get(metric);
  if (aspect === 'expected-terms' && missed !== undefined) {
    return { ...about, facts: [missedTermFact(missed, among)], hint: termHint };
  }
  const missing = declaredParts(recorded).flatMap((part) => {
    const terms = part.aspect === 'expected-terms' ? findings.missedTerms.get(part.name) : undefined;
    return terms === undefined ? [] : [{ part: part.name, terms }];
  });
  if (missing.length > 0) {
    // The part is named only when several parts miss something.
    const facts = missing.map(({ part, terms }) =>
      missedTermFact(terms, among, missing.length === 1 ? undefined : part),
    );
    return { ...about, facts, hint: termHint };
  }
  return { ...about, facts: [], hint: '' };
}

const toolHint =
  'Does the description of the tool say when to use it? Does the system prompt distinguish the tools?';
const termHint =
  'Is the answer incomplete, did retrieval miss the passage, or does the question leave open what is asked for?';
/** Notes that counts cover only the first trials of a kind; empty when all were examined in full. */
function amongFirst(chosen: ChosenTrials, kind: string): Phrase {
  const { ordinals, count } = chosen;
  return areWhole(chosen)
    ? []
    : [`Among the first ${formatCount(ordinals.length)} of ${formatCount(count)} ${kind}: `];
}

function missedToolFacts(findings: Findings, among: Phrase): Phrase[] {
  return findings.missedTools.top(most).map(({ name, count }) => {
    const instead = findings.usedInstead.get(name)?.top(most) ?? [];
    const others = instead.map((other) => [
      other.name === '' ? 'no tool at all' : quote(other.name),
      ` ${formatCount(other.count)}`,
    ]);
    const missed: Phrase = [...among, quote(name), ` was expected but not used ${times(count)}`];
    return others.length === 0 ? [...missed, '.'] : [...missed, '; instead: ', ...listPhrase(others), '.'];
  });
}

/**
 * Describes the terms that answers miss most.
 * @param part - The part of the metric, if several of its parts miss something.
 */
function missedTermFact(missed: Tally, among: Phrase, part?: string): Phrase {
  const terms = missed.top(5).map(({ name, count }) => [quoteText(name), ` ${times(count)}`]);
  const what = part === undefined ? 'missing most often' : `${part} missing most often`;
  const lead = among.length === 0 ? `${what.charAt(0).toUpperCase()}${what.slice(1)}: ` : `${what} `;
  return [...among, lead, ...listPhrase(terms), '.'];
}

function errorAdvice({ target, findings }: ReportedTarget): Advice[] {
  const codes = findings.errors.top(most);
  if (codes.length === 0) return [];
  const { errors } = target.selection;
  const fact = listPhrase(codes.map(({ name, count }) => [quote(name), ` ${times(count)}`]));
  return [
    {
      title: [
        `${formatPlural(errors.count, 'error')}: ${formatPercent(errors.count / calledCount(target.counts))} of the calls`,
      ],
      facts: [[...amongFirst(errors, 'errors'), ...fact, '.']],
      hint: errorHintFor(codes[0]?.name ?? ''),
      ids: codes.flatMap(({ ids }) => ids).slice(0, most),
    },
  ];
}

function unmeasuredAdvice({ run, target: { selection }, findings }: ReportedTarget): Advice[] {
  const nameOf = (metric: string): string =>
    run.scorecard?.criteria.find((criterion) => criterion.metric === metric)?.name ?? metric;
  return [...findings.unmeasured].map(([metric, codes]) => ({
    title: [
      quote(nameOf(metric)),
      ` could not be measured ${times(selection.unmeasured.find((one) => one.metric === metric)?.count ?? codes.total)}`,
    ],
    facts: [
      [
        ...amongFirst(selection.shortfalls, 'answers that fell short'),
        ...listPhrase(codes.top(most).map(({ name, count }) => [quote(name), ` ${times(count)}`])),
        '.',
      ],
    ],
    hint: hintOfUnmeasured(codes.top(1)[0]?.name ?? ''),
    ids: codes.top(1).flatMap(({ ids }) => ids),
  }));
}

function categoryAdvice({ target }: ReportedTarget): Advice[] {
  const [weakest] = weakestFirst(target);
  if (weakest === undefined || target.categories.length < 2 || !((weakest.score.value ?? 1) < good))
    return [];
  const { category, counts, score } = weakest;
  return [
    {
      title: ['Weakest category: ', quote(category), `, ${formatPercent(score.value)}`],
      facts: [[`${formatCount(counts.passed)} of ${formatCount(counts.measured)} passed.`]],
      hint: '',
      ids: target.selection.lowestInCategory.find((one) => one.category === category)?.ids ?? [],
    },
  ];
}

/** Sorts a target's categories by their mean, lowest first; those without a mean come last. */
export function weakestFirst(target: TargetSummary): TargetSummary['categories'] {
  return target.categories.toSorted((a, b) => (a.score.value ?? 2) - (b.score.value ?? 2));
}

function times(count: number): string {
  if (count === 1) return 'once';
  return count === 2 ? 'twice' : `${formatCount(count)} times`;
}
