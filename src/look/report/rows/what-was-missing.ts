import { firstUnits } from '../../../core/lib/text/terminal-text.ts';
import { aspectOf, type MetricAspect } from '../../../core/schema/metric.ts';
import { outcomeOfTrial, type Result } from '../../../core/schema/result.ts';
import type { Run, RunMetric } from '../../../core/schema/run.ts';
import type { Verdict } from '../../../core/schema/verdict.ts';
import { formatCount, formatPercent, formatQuantity } from '../format.ts';
import { listPhrase, type Phrase, quote, quoteText } from '../phrase.ts';
import { breaksCallRule, readReportedError, readTerms, type TermsSeen } from '../read-evidence.ts';
import { findMetric, partsOf, readTools } from '../../../core/trials/verdict-evidence.ts';

/** The most terms, or tools, that are named. */
const mostNamed = 4;
/** The most characters of a text from outside in one phrase. */
const longest = 200;

/** Returns the beginning of the answer of a trial on one line; empty where there is none. */
export function sayAnswer({ trial }: Pick<Result, 'trial'>): string {
  return cut(trial.answer ?? '');
}

/**
 * Says in everyday words what the answer of a trial lacks, or why there is none; the most telling comes first, and nothing where
 * it passed in full.
 */
export function whatWasMissing(run: Run, result: Result): Phrase[] {
  const { trial } = result;
  if (trial.error !== undefined) {
    const tries = trial.retries > 0 ? ` (${formatCount(trial.retries + 1)} tries)` : '';
    const { message, code } = trial.error;
    return [['no answer: ', quote(cut(message === '' ? code : message)), tries]];
  }
  if (trial.status !== 'completed') return [[`no answer: ${trial.status}`]];
  const reported = readReportedError(run, result);
  const phrases = [
    ...(reported === undefined ? [] : [['the answer is an error report']]),
    ...missedTools(run, result),
    ...missedTerms(readTerms(run, result)),
    ...missedAnswer(run, result),
    ...otherShortfalls(run, result),
  ];
  if (phrases.length > 0 || outcomeOfTrial(run, result) !== 'not-measured') return phrases;
  return [['not measured: ', quote(cut(result.scorecard?.explanation ?? 'no verdict'))]];
}

/** Names the expected tools that were not used; none where it is not known which were. */
function missedTools(run: Run, result: Result): Phrase[] {
  const isUnknown = Object.entries(result.verdicts).some(
    ([name, { status }]) => status === 'failed' && aspectOf(findMetric(run, name)) === 'expected-tools',
  );
  if (isUnknown) return [];
  const { missing = [], used = [], expected = [] } = readTools(run, result) ?? {};
  if (missing.length === 0) return [];
  const others = used.filter((tool) => !expected.includes(tool));
  const instead = others.length === 0 ? [] : [', but ', ...named(others, quote)];
  return [['did not use ', ...named(missing, quote), ...instead]];
}

/** Names what all metrics of terms miss, once: a keyword may be a name as well. */
function missedTerms(seen: readonly TermsSeen[]): Phrase[] {
  const missing = [...new Set(seen.flatMap((one) => one.missing))];
  if (missing.length === 0) return [];
  const terms = missing.slice(0, mostNamed).map((term): Phrase => {
    const inside = seen.find(({ quotes }) => quotes.has(term))?.quotes.get(term);
    const only = inside === undefined ? [] : [' (only inside ', quoteText(cut(inside)), ')'];
    return [quoteText(cut(term)), ...only];
  });
  return [['missing ', ...listPhrase(terms), ...moreThan(missing.length)]];
}

function named(names: readonly string[], set: typeof quote): Phrase {
  return [
    ...listPhrase(names.slice(0, mostNamed).map((name) => [set(cut(name))])),
    ...moreThan(names.length),
  ];
}

function moreThan(count: number): Phrase {
  return count > mostNamed ? [` and ${formatCount(count - mostNamed)} more`] : [];
}

/** Cuts a text of any size to one line. */
function cut(text: string): string {
  const head = firstUnits(text, 4 * longest)
    .replaceAll(/\s+/g, ' ')
    .trim();
  const shown = firstUnits(head, longest);
  return shown === head && text.length <= 4 * longest ? shown : `${shown}…`;
}

/** Names the expected answer where a metric that compares with it gave less than its best value. */
function missedAnswer(run: Run, { case: { expected }, verdicts }: Result): Phrase[] {
  const [answer] = [expected.answer ?? []].flat();
  if (
    answer === undefined ||
    !Object.entries(verdicts).some(([name, verdict]) => isLow(findMetric(run, name), verdict))
  )
    return [];
  return [['expected ', answer === '' ? 'no answer' : quoteText(cut(answer))]];
}

/** The aspects that compare an answer with the expected one. */
const comparing: readonly (MetricAspect | null)[] = ['expected-answer', 'correct-answer'];

/** Returns whether a verdict, or the part of it that compares with the expected answer, has less than its best value. */
function isLow(metric: RunMetric | undefined, verdict: Verdict): boolean {
  if (verdict.status !== 'scored' || verdict.unit !== undefined || verdict.value >= 1 - 1e-9) return false;
  const parts = partsOf(metric, verdict.evidence ?? null);
  if (parts.length === 0) return comparing.includes(aspectOf(metric));
  return parts.some(({ aspect, value }) => comparing.includes(aspect) && value !== null && value < 1 - 1e-9);
}

function otherShortfalls(run: Run, { verdicts, scorecard }: Result): Phrase[] {
  const { criteria = [], outcomes } = run.scorecard ?? {};
  if (outcomes !== undefined) {
    const isMet = scorecard?.passed === true && (scorecard.total ?? 0) >= 1 - 1e-9;
    return isMet || scorecard === null ? [] : [[quote(cut(scorecard.explanation))]];
  }
  if (run.scorecard === null)
    return Object.entries(verdicts).flatMap(([name, verdict]) =>
      shortfallOf(name, findMetric(run, name), verdict),
    );
  return criteria.flatMap(({ name, metric, weight, required }) =>
    weight === 0 && !required ? [] : shortfallOf(name, findMetric(run, metric), verdicts[metric]),
  );
}

function shortfallOf(name: string, metric: RunMetric | undefined, verdict: Verdict | undefined): Phrase[] {
  if (verdict === undefined) return [[quote(name), ' was not measured']];
  if (verdict.status === 'failed') return [[quote(name), ' was not measured: ', quote(cut(verdict.reason))]];
  if (verdict.status === 'not-applicable' || isFine(verdict)) return [];
  const parts = partsOf(metric, verdict.evidence ?? null);
  if (parts.length > 0) {
    return parts
      .filter(({ aspect, value }) => value !== null && value < 1 - 1e-9 && !isSaid(aspect, metric))
      .map((part) => [quote(`${part.name}: ${cut(part.explanation ?? formatPercent(part.value))}`)]);
  }
  const { explanation = formatQuantity(verdict.value, verdict.unit) } = verdict;
  if (breaksCallRule(verdict)) return [[quote(cut(explanation))]];
  return isSaid(aspectOf(metric), metric) ? [] : [[quote(`${name}: ${cut(explanation)}`)]];
}

/** Returns whether a verdict has its best value, or, where it measures a quantity, whether it is within its bound. */
function isFine({ value, unit, passed }: Extract<Verdict, { status: 'scored' }>): boolean {
  return unit === undefined ? value >= 1 - 1e-9 : passed !== false;
}

/** The aspects of which other phrases say what was missing. */
const said: readonly (MetricAspect | null)[] = ['expected-tools', 'expected-terms', 'no-error'];

/** Returns whether another phrase says what was missing; of an answer that a judge compared, its reason says more. */
function isSaid(aspect: MetricAspect | null, metric: RunMetric | undefined): boolean {
  return said.includes(aspect) || (aspect === 'expected-answer' && metric?.judge === undefined);
}
