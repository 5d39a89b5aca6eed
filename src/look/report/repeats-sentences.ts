import type { MeasureNoise, Noise, NoiseAdvice, NoisePart, Reliability } from '../../core/schema/estimate.ts';
import { formatCount, formatInterval, formatPercent, formatPlural, formatPoints } from './format.ts';
import { type Phrase, quote } from './phrase.ts';

/**
 * Describes the verdicts on cases under the case rule of the run, and the savings of stopping early; empty without a
 * rule.
 */
export function ruleSentences({ rule, attempts }: Reliability): string[] {
  if (rule === undefined) return [];
  const { passes, passed, failed, undecided, share, notNeeded } = rule;
  const cases = passed + failed + undecided;
  const rate = [formatPercent(share.value), formatInterval(share)].filter(Boolean).join(' ');
  const open = undecided === 0 ? '' : `; ${formatCount(undecided)} undecided`;
  const planned = cases * attempts;
  const saved = `Stopping once that was settled saved ${formatCount(notNeeded)} of ${formatPlural(planned, 'attempt')} (${formatPercent(notNeeded / planned)}); rates make up for it.`;
  return [
    `A question passes when ${formatCount(passes)} of ${formatPlural(attempts, 'attempt')} do: ${formatCount(passed)} of ${formatPlural(passed + failed, 'question')} passed, ${rate}${open}.`,
    ...(notNeeded > 0 ? [saved] : []),
  ];
}

/** Explains why pass@k or pass^k is missing for some k; empty when none is missing. */
export function levelReasons({ levels, rule }: Reliability): string[] {
  if (rule?.isCurtailed !== true) return [];
  const isMissing = levels.some(({ any, all }) => any.value === null || all.value === null);
  return isMissing
    ? ['A – means that this many equal attempts in a row cannot occur, because attempts stop earlier.']
    : [];
}

/** Describes the sources of the differences between values: a sentence for each measure, as standard deviations. */
export function noiseSentences({ measures }: Noise): Phrase[] {
  return measures.map((noise) => {
    const name = noise.measure === 'score' ? 'the score' : quote(noise.name);
    const parts = [`questions ${formatPart(noise.between)}`, agentPart(noise), judgePart(noise)];
    return ['Noise of ', name, ` (standard deviations in points): ${parts.filter(Boolean).join(', ')}.`];
  });
}

function agentPart({ agent, judge }: MeasureNoise): string {
  const isJoined = agent.reason?.startsWith('with ') === true && judge.variance === null;
  return `${isJoined ? 'agent and judge together' : 'agent'} ${formatPart(agent)}`;
}

function judgePart({ agent, judge }: MeasureNoise): string {
  if (judge.variance !== null) return `judge ${formatPart(judge)}`;
  return agent.reason === undefined ? '' : `judge not separated (${judge.reason ?? 'not known'})`;
}

function formatPart({ variance, reason }: NoisePart): string {
  return variance === null ? `not known (${reason ?? 'no values'})` : formatPoints(Math.sqrt(variance));
}

const nouns = { questions: 'questions', attempts: 'attempts', 'judge-samples': 'judge samples' } as const;

/** Describes which measurements to increase, in one or two sentences; empty without advice. */
export function adviceSentences({ advice }: Noise): string[] {
  if (advice === undefined) return [];
  const { more, standardError, choices, isPriced, questionPrice } = advice;
  const twice = choices.map(
    (choice) => `twice the ${nouns[choice.twice]} ${formatPoints(choice.standardError)}`,
  );
  const basis = isPriced ? 'for their price' : 'call for call';
  const first = `More ${nouns[more]} would reduce the uncertainty most, ${basis}: the standard error is ${formatPoints(standardError)} points now, with ${twice.join(', with ')}.`;
  return [first, ...priceSentence(more, questionPrice)];
}

function priceSentence(more: NoiseAdvice['more'], price: number | null): string[] {
  if (more !== 'questions' || price === null || !Number.isFinite(price)) return [];
  const attempts = formatPlural(Math.max(1, Math.ceil(price)), 'attempt');
  return [
    `Repeating every question is worth more only where a new question costs more than ${attempts} to make.`,
  ];
}
