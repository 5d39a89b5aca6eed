import {
  contradictionPhrase,
  countNote,
  correlationNote,
  correlationPhrases,
  countText,
  seenDisagreements,
  targetPhrases,
} from '../../report/disagreements.ts';
import { formatPlural } from '../../report/format/format-number.ts';
import type { ReportInput } from '../reporter.ts';
import type { Disagreement } from '../../schema/disagreement.ts';
import { setPhrase } from './advice-lines.ts';
import { flow, indented } from './flow.ts';
import { commandLines } from './command-lines.ts';
import { joined, type Line, lineWidth, span, whole } from './line.ts';

const mostKinds = 3;
const mostNamed = 1;

/** On what metrics contradict each other, kind by kind; nothing when they do not. */
export function disagreementLines(input: ReportInput, width: number): Line[] {
  const seen = seenDisagreements(input.summary);
  if (seen.length === 0) return [];
  const shown = seen.slice(0, mostKinds);
  const countWidth = Math.max(...shown.map((one) => countText(one).length));
  const others = seen.length - shown.length;
  const hint = { lead: 'Both verdicts in full: ', flags: '--disagreements', indent: 2 };
  return [
    ...flow([span('Where metrics contradict each other', 'strong'), span('  '), span(countNote, 'quiet')], {
      width,
      first: [span('  ')],
    }),
    ...shown.flatMap((one) => kindLines(one, width, { countWidth, named: mostNamed })),
    ...(others > 0 ? [[span(`  … and ${formatPlural(others, 'more kind')}`, 'quiet')]] : []),
    ...commandLines(input, hint, width),
  ];
}

/** How often a kind was seen, what it is, what is likely behind it, with which targets, and an answer or more. */
export function kindLines(
  disagreement: Disagreement,
  width: number,
  { countWidth, named }: { readonly countWidth: number; readonly named: number },
): Line[] {
  const { kind, title, reading, widest } = disagreement;
  const first = [span('  '), span(countText(disagreement).padStart(countWidth), 'strong'), span('  ')];
  const column = lineWidth(first);
  const targets = targetPhrases(disagreement).map((phrase) => setPhrase(phrase));
  const answers = widest.slice(0, named).map((one) => contradictionPhrase(one, disagreement));
  return [
    ...flow([whole(kind, 'fair'), span(`: ${title}`)], { width, first }),
    ...indented([span(reading, 'quiet')], width, column),
    ...(targets.length === 0 ? [] : indented(joined(targets), width, column)),
    ...answers.flatMap((phrase) => indented(setPhrase(phrase), width, column)),
  ];
}

/** Which metrics rank answers alike, or the other way round; nothing when none do. */
export function correlationLines({ summary }: ReportInput, width: number): Line[] {
  const phrases = correlationPhrases(summary.correlations);
  if (phrases.length === 0) return [];
  return [
    [span('  Metrics that say the same, or the opposite', 'strong')],
    ...phrases.flatMap((phrase) => indented(setPhrase(phrase), width, 4)),
    ...indented([span(correlationNote, 'quiet')], width, 4),
  ];
}
