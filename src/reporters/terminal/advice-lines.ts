import { shorten } from '../../lib/terminal-text.ts';
import { type Advice, adviseOn } from '../../report/advice.ts';
import { certaintyOf } from '../../report/certainty.ts';
import type { ReportedTarget } from '../../report/findings.ts';
import { joinSentences, type Phrase } from '../../report/phrase.ts';
import { flow, indented } from './flow.ts';
import { type Line, span, type Tone, whole } from './line.ts';

const widestName = 60;

/** What to look at first, numbered; nothing when nothing stands out. */
export function adviceLines(reported: ReportedTarget, width: number): Line[] {
  const advice = adviseOn(reported);
  if (advice.length === 0) return [];
  const numbered = advice.flatMap((one, index) => onePoint(one, `  ${index + 1}  `, width));
  return [[span('  What to look at first', 'strong')], ...numbered];
}

function onePoint({ title, facts, hint, ids }: Advice, number: string, width: number): Line[] {
  const inner = number.length;
  const open = ids.length === 0 ? [] : [span('Open first: ', 'quiet'), ...list(ids)];
  return [
    ...flow(setPhrase(title, 'fair'), { width, first: [span(number, 'quiet')] }),
    ...facts.flatMap((fact) => indented(setPhrase(fact), width, inner)),
    ...(hint === '' ? [] : indented([span(hint, 'quiet')], width, inner)),
    ...(open.length === 0 ? [] : indented(open, width, inner)),
  ];
}

function list(ids: readonly string[]): Line {
  return ids.flatMap((id, index) => [
    ...(index === 0 ? [] : [span(', ', 'quiet')]),
    whole(shorten(id, widestName)),
  ]);
}

/** Sets a sentence: our own words in a tone, names standing out from them. */
export function setPhrase(phrase: Phrase, tone?: Tone): Line {
  return phrase.map((part) => {
    if (typeof part === 'string') return span(part, tone);
    const shown = shorten(part.quoted, widestName);
    return whole(part.isText ? `"${shown}"` : shown, tone ?? 'strong');
  });
}

/** How far the numbers can be trusted, in a quiet paragraph. */
export function certaintyLines({ run, target }: ReportedTarget, width: number): Line[] {
  return indented(setPhrase(joinSentences(certaintyOf(run, target)), 'quiet'), width, 2);
}
