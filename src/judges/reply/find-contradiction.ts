import type { AnswerOf } from '../../schema/judgement.ts';

const number = String.raw`(?<value>-?\d+(?:\.\d+)?)(?:\s*(?<scale>%|per ?cent|\/\s*\d+(?:\.\d+)?|out of \d+))?`;
const noun = '(?:score|rating|grade)';
// "A score of 1 would need a date" states no score: only what is said to be it, or to be given, does.
const statedScore = new RegExp(
  String.raw`\b(?:${noun}(?:\s+(?:is|should be|must be))?\s*(?:[:=]|\bis\b|\bbe\b)|(?:give|assign|award|deserve|merit|earn|get|receive)\w*\b[^.,;\n]{0,24}\b${noun}(?: of)?)[\s"'*\`]*${number}`,
  'gi',
);
const statedVerdict = /\b(?:verdict|conclusion)\b\s*(?:is|:|=)\s*["'*`]*(yes|no)\b/gi;

/**
 * What a reason says in so many words that differs from the score beside it ("… so the score is 0", with a score of 1);
 * undefined when there is nothing. Only the last such statement counts: what comes before may be weighed and dropped.
 */
export function findScoreContradiction({ reason, score }: AnswerOf<'score'>): string | undefined {
  const last = [...reason.matchAll(statedScore)].at(-1);
  if (last?.groups === undefined) return undefined;
  const meant = readings(Number(last.groups['value']), last.groups['scale']);
  if (meant.some((value) => Math.abs(value - score) <= 0.051)) return undefined;
  return `the reason says "${last[0].trim()}", and the score is ${score}`;
}

/** What a stated number can mean on a scale from 0 to 1. */
function readings(value: number, scale: string | undefined): number[] {
  if (scale !== undefined) return [value / Number(/\d+(?:\.\d+)?/.exec(scale)?.[0] ?? 100)];
  return value > 1 ? [5, 10, 100].map((whole) => value / whole) : [value];
}

/** The same for a yes or a no. */
export function findVerdictContradiction({ reason, verdict }: AnswerOf<'verdict'>): string | undefined {
  const stated = [...reason.matchAll(statedVerdict)].at(-1)?.[1]?.toLowerCase();
  if (stated === undefined || stated === verdict) return undefined;
  return `the reason says "${stated}", and the verdict is "${verdict}"`;
}
