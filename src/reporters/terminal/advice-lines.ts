import { shorten } from '../../lib/text/terminal-text.ts';
import { type Advice, adviseOn } from '../../report/advice.ts';
import { certaintyOf } from '../../report/certainty.ts';
import {
  contradictionPhrase,
  correlationNote,
  correlationPhrases,
  countNote,
  countText,
  seenDisagreements,
  targetPhrases,
} from '../../report/disagreements.ts';
import type { ReportedTarget } from '../../report/findings.ts';
import { formatPlural } from '../../report/format.ts';
import { judgeParts } from '../../report/overview.ts';
import { joinSentences, type Phrase } from '../../report/phrase.ts';
import { troublesOf } from '../../report/troubles.ts';
import type { Run } from '../../schema/run.ts';
import type { Decision, Disagreement, Summary } from '../../schema/summary.ts';
import type { ReportInput } from '../reporter.ts';
import { flow, indented } from './flow.ts';
import { joined, type Line, lineWidth, span, type Tone, whole } from './line.ts';
import { commandLines } from './title.ts';

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
function setPhrase(phrase: Phrase, tone?: Tone): Line {
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

/** What did not go as planned while the run was made; nothing where all went well. */
export function troubleLines(run: Run, width: number): Line[] {
  return troublesOf(run).flatMap(({ title, about, details }) => [
    ...flow(setPhrase(about), { width, first: [span(`  ${title.padEnd(8)}`)] }),
    ...details.flatMap((detail) => indented(setPhrase(detail, 'fault'), width, 10)),
  ]);
}

/** What judging took, for all targets together; nothing where nothing was judged. */
export function judgeLines({ judge }: Pick<Summary, 'judge'>, width: number): Line[] {
  if (judge === undefined) return [];
  return flow(joined(judgeParts(judge).map((part) => [whole(part)])), { width, first: [span('  Judge   ')] });
}

const mostRules = 5;
const longest = 400;

/** Of a run that ended when its gate was decided: the decision, what that saved, and what each rule rests on. */
export function sequentialLines(
  { sequential, outcome, reasons, rules = [] }: Decision,
  width: number,
): Line[] {
  const [first, caution] = reasons;
  if (sequential?.isDecided !== true || first === undefined) return [];
  const word = outcome === 'pass' ? span('PASS', 'good') : span('FAIL', 'bad');
  const told = rules
    .slice(0, mostRules)
    .flatMap(({ name, arithmetic }) =>
      indented([span(shorten(`${name}: ${arithmetic}`, longest), 'quiet')], width, 2),
    );
  const rest = rules.length - mostRules;
  return [
    [],
    ...flow([span(shorten(first, longest))], { width, first: [word, span('  ')] }),
    ...told,
    ...(caution === undefined || sequential.saved?.calls === 0
      ? []
      : indented([span(shorten(caution, longest), 'quiet')], width, 2)),
    ...(rest > 0 ? indented([span(`… and ${rest} more rules`, 'quiet')], width, 2) : []),
  ];
}
