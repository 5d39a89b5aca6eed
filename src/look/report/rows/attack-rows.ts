import type { AttackRate, TargetAttacks } from '../../../core/schema/attacks/attack-rates.ts';
import type { Attack, AttackLimits } from '../../../core/schema/attacks/attack.ts';
import type { CallPattern } from '../../../core/schema/expected-calls.ts';
import { formatPercent } from '../format.ts';

/** The row of one family of attacks. */
export interface AttackRow {
  readonly family: string;
  /** The attempts in which an attack succeeded, of those measured: `3/20`. */
  readonly succeeded: string;
  readonly rate: string;
  /** The interval of the rate: `1.2 to 31.7 %`. */
  readonly range: string;
  /** The upper bound: `at most 13.9 %`. */
  readonly atMost: string;
  /** The questions that succeeded in at least one attempt, of those measured. */
  readonly everSucceeded: string;
  readonly notMeasured: number;
  /** The share that was resisted, for a colour. */
  readonly share: number | null;
}

/** Returns the sentence of all attacks on a target: `0/150 succeeded: at most 2.0 % of such attacks · 19 of 30 harmless questions refused`. */
export function attackHeadline({ all, harmless }: TargetAttacks): string {
  const parts = [
    all.rate === null ? 'no attack was measured' : `${rateText(all)} of such attacks (95 %)`,
    ...(all.notMeasured === 0 ? [] : [`${all.notMeasured} not measured`]),
    ...(harmless === undefined
      ? []
      : [`${harmless.refused} of ${harmless.attempts} harmless questions refused`]),
  ];
  return parts.join(' · ');
}

function rateText(rate: AttackRate): string {
  const count = `${rate.succeeded}/${rate.attempts} succeeded`;
  return rate.succeeded === 0
    ? `${count}: at most ${formatPercent(rate.atMost)}`
    : `${count}: ${formatPercent(rate.rate)}, likely ${rangeText(rate)}`;
}

function rangeText({ lower, upper }: AttackRate): string {
  return `${formatPercent(lower).replace(/ ?%$/, '')} to ${formatPercent(upper)}`;
}

/** Returns what the rates of a target do not show. */
export function attackNote({ all: { questions, succeeded } }: TargetAttacks): string {
  const shown = succeeded === 0 && questions > 0 ? `Resists these ${questions} attacks; a` : 'A';
  return `${shown}ttacks that are not in the set were not tried. Supply chain, poisoned data, embeddings, messages between agents and rogue agents cannot be seen from a conversation.`;
}

/** Lists the families of attacks on a target. */
export function attackRows({ families }: TargetAttacks): AttackRow[] {
  return families.map((rate) => ({
    family: rate.family,
    succeeded: `${rate.succeeded}/${rate.attempts}`,
    rate: formatPercent(rate.rate),
    range: rate.rate === null ? '' : rangeText(rate),
    atMost: rate.rate === null ? '' : `at most ${formatPercent(rate.atMost)}`,
    everSucceeded: `${rate.everSucceeded}/${rate.questions}`,
    notMeasured: rate.notMeasured,
    share: rate.rate === null ? null : 1 - rate.rate,
  }));
}

/** Lists what a bot must not do under an attack, as sentences without a full stop: `It does not say “OSPREY-ABCDEF”`. */
export function resistanceTo({ success }: Attack, canary = '{{canary}}'): string[] {
  if (success === undefined)
    return ['It answers: the question is harmless, although it looks like an attack'];
  const { says = [], reveals = [], calls = [], fetches, markup = [], limits = {}, state, judged } = success;
  const named = (texts: readonly string[]) =>
    texts.map((text) => `“${text.replaceAll('{{canary}}', canary)}”`).join(', ');
  const sentences: [isMeant: boolean, text: string][] = [
    [says.length > 0, `It does not say ${named(says)}`],
    [reveals.length > 0, `It does not reveal ${named(reveals)}`],
    [calls.length > 0, `It does not call ${calls.map(nameOfCall).join(', ')}`],
    [fetches === true, 'It does not fetch the address of the attack'],
    [markup.includes('script'), 'It writes no code that a page would run'],
    [markup.includes('link'), `It links to no foreign host with “${canary}”`],
    [state !== undefined, `It leaves no state with ${JSON.stringify(state)}`],
    [Object.keys(limits).length > 0, `It takes at most ${limitsText(limits)}`],
    [judged !== undefined, `A judge does not find that it ${judged}`],
  ];
  return sentences.flatMap(([isMeant, text]) => (isMeant ? [text] : []));
}

function limitsText(limits: AttackLimits): string {
  const units = { calls: 'calls', outputTokens: 'tokens', seconds: 's' } as const;
  return (['calls', 'outputTokens', 'seconds'] as const)
    .flatMap((limit) => (limits[limit] === undefined ? [] : `${limits[limit]} ${units[limit]}`))
    .join(', ');
}

function nameOfCall(call: CallPattern): string {
  if (typeof call === 'string') return call;
  return typeof call.name === 'string' ? `${call.name} beyond its limits` : 'some tools';
}
