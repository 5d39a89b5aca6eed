import { quoteForShell } from '../../../core/lib/text/quote-for-shell.ts';
import { hasFewClusters } from '../../../core/schema/estimate.ts';
import type {
  ComparisonNotice,
  PairComparison,
  RunComparison,
  RunDifference,
  TargetChange,
} from '../../../core/schema/run-comparison.ts';
import { type ComparisonInput, formatLimits, formatSigned, formatSize, pValuePhrase } from './rows.ts';
import { formatConfidence, formatCount, formatPlural, formatWeight } from '../format.ts';
import { type Phrase, quote, storeFlag } from '../phrase.ts';

/** The outcome of a comparison in two or three words, with the sentences that explain it. */
export interface DescribedVerdict {
  readonly outcome: string;
  readonly sentences: readonly Phrase[];
}

const outcomes = {
  better: 'B is better',
  worse: 'B is worse',
  'better-on-most': 'B is better on most questions that differ, not shown on average',
  'worse-on-most': 'B is worse on most questions that differ, not shown on average',
  'no-visible-difference': 'No visible difference',
  'not-enough-data': 'Not enough data',
  'not-comparable': 'Not comparable by this judge',
} as const satisfies Record<PairComparison['verdict']['outcome'], string>;

/** Describes the verdict of a comparison with the numbers behind it. */
export function describeVerdict({ verdict, differences, pairing }: PairComparison): DescribedVerdict {
  const [row] = differences;
  const outcome = outcomes[verdict.outcome];
  if (row === undefined) return { outcome, sentences: [] };
  if (verdict.outcome === 'not-enough-data') return { outcome, sentences: [tooLittle(row, pairing.pairs)] };
  if (verdict.outcome === 'not-comparable') return { outcome, sentences: [notComparable(row)] };
  const sentences = [
    numbers(row),
    ...(isOnMost(verdict.outcome) ? [onMost(row)] : []),
    ...(verdict.outcome === 'no-visible-difference' ? sensitivity(row) : []),
    ...missed(row, verdict.isCertain),
    ...(row.isRuleChanged
      ? [['A and B were measured by different rules, which may explain the difference.']]
      : []),
  ];
  return { outcome, sentences };
}

function numbers(row: RunDifference): Phrase {
  const { difference, unit, adjustedPValue } = row;
  const points = unit === undefined ? ' points' : '';
  const limits = formatLimits(difference, unit);
  const parts = [
    `${formatSigned(difference.value, unit)}${points}`,
    limits === '' ? `no interval (${difference.reason ?? 'none'})` : limits,
    pValuePhrase(adjustedPValue),
    `n = ${formatPlural(difference.n, 'question')}`,
  ];
  return ['On the ', ...nameMeasure(row), `, B − A is ${parts.join(', ')}.${corrected(row)}`];
}

/** Says what a difference would be by the judge alone, if it is corrected by people's labels; empty otherwise. */
function corrected({ judged, said, unit }: RunDifference): string {
  if (judged === 'uncorrected')
    return ' This is as the judge says: it is not corrected to what people would say.';
  if (judged !== 'corrected' || said === undefined) return '';
  const points = unit === undefined ? ' points' : '';
  return ` This is what people would say; as the judge says, it is ${formatSigned(said.difference, unit)}${points}.`;
}

function isOnMost(outcome: PairComparison['verdict']['outcome']): boolean {
  return outcome === 'better-on-most' || outcome === 'worse-on-most';
}

/** Says what is shown of most questions, and why nothing is of their mean. */
function onMost({ better, higher, lower, difference, adjustedSignPValue = null }: RunDifference): Phrase {
  const isHigher = higher > lower;
  const isBetter = isHigher === (better === 'higher');
  const [most, others] = [Math.max(higher, lower), Math.min(higher, lower)].map(formatCount);
  const [is, isNot, unseen] = isBetter ? ['better', 'worse', 'losses'] : ['worse', 'better', 'gains'];
  return [
    `B is ${is} on ${most} and ${isNot} on ${others} of ${formatPlural(difference.n, 'question')} (sign test, ${pValuePhrase(adjustedSignPValue)}); ${unseen} too rare to show in so few could outweigh that.`,
  ];
}

function notComparable(row: RunDifference): Phrase {
  return [
    ...nameMeasure(row),
    ` cannot be compared: ${row.difference.reason ?? 'its judge treats the targets differently'}. Label answers of both targets, and calibrate the judge by them.`,
  ];
}

function tooLittle(row: RunDifference, pairs: number): Phrase {
  const { n, reason } = row.difference;
  const why = n > 0 && reason !== undefined ? ` (${reason})` : '';
  return [
    `${formatPlural(pairs, 'question')} in both runs, of which ${formatCount(n)} have a number in both${why}. Fewer than 5 questions, or a single cluster, cannot distinguish a difference from chance.`,
  ];
}

/** Describes the difference that could have been detected, and the number of questions that smaller ones need. */
function sensitivity({ sensitivity: known, unit, difference, equal }: RunDifference): Phrase[] {
  if (known === null) {
    return equal === difference.n ? [['Both runs are equal on every question.']] : [];
  }
  const points = unit === undefined ? ' points' : '';
  const { detectable, power, plans } = known;
  const takes = plans.map(({ difference: wanted, questions }) => {
    return `${formatSize(wanted, unit)}${points} about ${formatPlural(questions, 'question')}`;
  });
  return [
    [
      `A true difference of ${formatSize(detectable, unit)}${points} would have been detected with ${formatWeight(power)} power; a smaller one may exist.`,
    ],
    [`Detecting a smaller one takes more: ${takes.join(', ')}.`],
  ];
}

function missed({ difference, pairs, onlyA, onlyB, neither }: RunDifference, isCertain: boolean): Phrase[] {
  const count = pairs - difference.n;
  if (count === 0) return [];
  const where = [
    ...(onlyB > 0 ? [`${formatCount(onlyB)} not in A`] : []),
    ...(onlyA > 0 ? [`${formatCount(onlyA)} not in B`] : []),
    ...(neither > 0 ? [`${formatCount(neither)} in neither`] : []),
  ];
  const doubt = isCertain ? '' : ' If they had all come out the other way, the verdict would be another one.';
  return [
    [
      `${formatPlural(count, 'pair')} of ${formatCount(pairs)} not measured (${where.join(', ')}).${doubt} A and B are compared over the rest; a run's own score is over all of its answers and can differ.`,
    ],
  ];
}

/** Describes the result of `--fail-on-regression`. */
export function describeRegression({
  regression,
  regressionOnThese,
  differences,
  pairing,
}: PairComparison): Phrase | undefined {
  const unit = differences[0]?.unit;
  if (regression === undefined) return undefined;
  const { decision, margin, lower, upper, confidence, reason, needed } = regression;
  const allowed = unit === undefined ? `${formatSize(margin, unit)} points` : formatSize(margin, unit);
  const words = {
    pass: `no regression: B is shown not to be worse by more than ${allowed}`,
    fail: `regression: B is shown to be worse by more than ${allowed}`,
    inconclusive:
      needed === undefined
        ? `inconclusive: B is neither shown to be worse by more than ${allowed}, nor not to be`
        : `inconclusive: a loss of more than ${allowed} could go unnoticed in so few ${pairing.clusters === undefined ? 'questions' : 'clusters'}; it takes at least ${formatCount(needed)}`,
    'not-measured': `not measured: ${reason ?? 'there are too few numbers'}`,
  }[decision];
  const bounds =
    lower === null || upper === null
      ? ''
      : ` (one-sided ${formatWeight(confidence)} bounds ${formatSigned(lower, unit)} and ${formatSigned(upper, unit)})`;
  const scope =
    regressionOnThese === undefined || decision === 'not-measured' ? '' : ' for questions of this kind';
  return [`Gate: ${words}${scope}${bounds}.`];
}

/** Describes the same check on the questions of the two runs alone. */
export function describeFixedRegression({ regressionOnThese: check }: PairComparison): Phrase | undefined {
  if (check === undefined) return undefined;
  const { decision, margin, lower, upper, confidence, reason, questions, attempts } = check;
  const [before, now] = attempts;
  const tries =
    before === now ? formatPlural(now, 'attempt') : `${before} attempts in A, ${formatCount(now)} in B`;
  const sure = reason ?? `${formatWeight(confidence)}, ${tries}`;
  const where = `On these ${formatPlural(questions, 'question')}`;
  const scope = 'It says nothing of questions that are not in the set.';
  if (decision === 'not-measured')
    return [`${where}: not measured: ${reason ?? 'there are too few numbers'}.`];
  if (lower === null || upper === null) return [`${where}: inconclusive: ${reason ?? 'nothing is known'}.`];
  const allowed = `${formatSize(margin, undefined)} points`;
  const most = lower >= 0 ? 'nothing lost' : `at worst ${formatSize(-lower, undefined)} points lost`;
  const words = {
    pass: `no regression: ${most} (${sure})`,
    fail: `regression: at least ${formatSize(Math.max(0, -upper), undefined)} points lost, more than ${allowed} (${sure})`,
    inconclusive: `inconclusive: from ${formatSigned(lower, undefined)} to ${formatSigned(upper, undefined)} (${sure}); more attempts would narrow it`,
  }[decision];
  return [`${where}: ${words}. ${scope}`];
}

function fewClusters(head: RunDifference | undefined): string {
  if (head === undefined || !hasFewClusters(head.difference)) return '';
  return ' They are so few, or so unequal, that intervals may be too narrow and p-values too small.';
}

/** Describes the methods behind the numbers: pairing, intervals, corrections. */
export function describeMethods(
  { pairing, differences, isInterleaved }: PairComparison,
  { corrected }: RunComparison,
): Phrase[] {
  const methods = [
    ...new Set(differences.flatMap(({ difference }) => (difference.n > 0 ? [difference.method] : []))),
  ];
  const confidence = differences[0] === undefined ? '95 %' : formatConfidence(differences[0].difference);
  const clustered =
    pairing.clusters === undefined
      ? ''
      : ` Questions that share a cluster are not independent: ${formatPlural(pairing.clusters, 'cluster')} count.${fewClusters(differences[0])}`;
  return [
    [
      ...(isInterleaved === true
        ? ['A and B were asked side by side, in turns: the time of day favours neither. ']
        : []),
      `Paired by what is asked and expected; attempts of a question are averaged first.${clustered} Brackets are ${confidence} intervals of B − A (`,
      ...methods.flatMap((method, place): Phrase => [...(place > 0 ? [', '] : []), quote(method)]),
      ').',
    ],
    [
      `The verdict is based on one measure, chosen before looking${corrected.verdicts > 1 ? ` and corrected for ${formatCount(corrected.verdicts)} comparisons` : ''}. The p-values of the ${formatPlural(corrected.others, 'other row')} are corrected together for their number (Holm): the chance that any of them is marked without a real difference is below 5 %.`,
    ],
  ];
}

const subjects: Partial<Record<ComparisonNotice['kind'], string>> = {
  metric: 'metric ',
  judge: 'metric ',
  unfinished: 'run ',
  unread: 'run ',
  'same-target': 'target ',
  version: '',
};

/** Describes a difference between two runs other than their answers. */
export function noticePhrase({ kind, name, message }: ComparisonNotice): Phrase {
  if (name === undefined) return [message];
  const subject = subjects[kind] ?? '';
  if (kind === 'same-target') return [`${message} (`, quote(name), ')'];
  return [subject, quote(name), ` ${message}`];
}

const ofRules: readonly ComparisonNotice['kind'][] = ['metric', 'judge', 'scorecard'];

/**
 * Returns the commands that score the older run by the current rules and compare again; empty when both were scored
 * by the same rules.
 */
export function rescoreCommands(
  { a, b, notices }: PairComparison,
  { storeFolder, files }: Pick<ComparisonInput, 'storeFolder' | 'files'>,
): string[] {
  if (!notices.some(({ kind }) => ofRules.includes(kind))) return [];
  const isForward = a.createdAt <= b.createdAt;
  const older = isForward ? a : b;
  const flag = storeFolder === undefined ? '' : ` ${storeFlag(storeFolder)}`;
  const imports = [...new Set([a.run, b.run])].flatMap((run) => {
    const file = files?.get(run);
    return file === undefined ? [] : [`touchstone import ${quoteForShell(file)}${flag}`];
  });
  const sides = isForward ? `latest ${b.run}` : `${a.run} latest`;
  return [...imports, `touchstone rescore ${older.run}${flag}`, `touchstone compare ${sides}${flag}`];
}

const mostChanges = 8;

/**
 * Describes the settings of target B that differ from target A; undefined when the target is the same or the changes
 * are unknown.
 */
export function describeTargetChanges(changes: readonly TargetChange[] | undefined): Phrase | undefined {
  if (changes === undefined) return undefined;
  if (changes.length === 0) return ['Different in B: no setting, but the files behind it'];
  const rest = changes.length > mostChanges ? [`; and ${changes.length - mostChanges} more settings`] : [];
  const described = changes
    .slice(0, mostChanges)
    .flatMap((change, place): Phrase => [...(place > 0 ? ['; '] : []), ...describeChange(change)]);
  return ['Different in B: ', ...described, ...rest];
}

function describeChange({ setting, a, b, isSecret }: TargetChange): Phrase {
  if (isSecret === true) return [quote(setting)];
  return [quote(setting), ' ', describeValue(a), ' → ', describeValue(b)];
}

function describeValue(value: string | null): Phrase[number] {
  return value === null ? 'not set' : quote(value);
}

const names: Partial<Record<RunDifference['measure'], string>> = {
  score: 'score',
  passed: 'pass rate',
  errors: 'error rate',
  latency: 'answer time',
  'input-tokens': 'tokens in, per call',
  'output-tokens': 'tokens out, per call',
  cost: 'cost per call',
};

/** Names the measure of a row: a fixed name, or a quoted name from outside. */
export function nameMeasure({ measure, name }: Pick<RunDifference, 'measure' | 'name'>): Phrase {
  const own = names[measure];
  if (own !== undefined) return [own];
  return measure === 'category' ? ['category ', quote(name)] : [quote(name)];
}
