import { shorten } from '../../../core/lib/text/terminal-text.ts';
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
import { judgedParagraphs } from '../../report/judged-rates.ts';
import { judgeParts } from '../../report/overview.ts';
import { joinSentences, type Phrase } from '../../report/phrase.ts';
import { troublesOf } from '../../report/troubles.ts';
import type { Run } from '../../../core/schema/run.ts';
import type { Disagreement, Summary } from '../../../core/schema/summary.ts';
import type { Decision } from '../../../core/schema/decision.ts';
import type { ReportInput } from '../reporter.ts';
import { flow, indented } from './flow.ts';
import { joined, type Line, lineWidth, span, type Tone, whole } from './line.ts';
import { commandLines } from './title.ts';

const widestName = 60;

/** Formats the advice on what to look at first, numbered; nothing when there is none. */
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

/** Formats a phrase: our own words in a tone, quoted names highlighted. */
function setPhrase(phrase: Phrase, tone?: Tone): Line {
  return phrase.map((part) => {
    if (typeof part === 'string') return span(part, tone);
    const shown = shorten(part.quoted, widestName);
    return whole(part.isText ? `"${shown}"` : shown, tone ?? 'strong');
  });
}

/** Formats how far the numbers can be trusted, as a dimmed paragraph. */
export function certaintyLines({ run, target }: ReportedTarget, width: number): Line[] {
  return indented(setPhrase(joinSentences(certaintyOf(run, target)), 'quiet'), width, 2);
}

const mostKinds = 3;
const mostNamed = 1;

/** Formats the contradictions between metrics by kind; nothing when there are none. */
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

/** Formats one kind of disagreement: its count, its meaning, its likely cause, the targets, and some answers. */
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

/** Formats the metrics that rank answers alike or in opposite order; nothing when there are none. */
export function correlationLines({ summary }: ReportInput, width: number): Line[] {
  const phrases = correlationPhrases(summary.correlations);
  if (phrases.length === 0) return [];
  return [
    [span('  Metrics that agree, or contradict each other', 'strong')],
    ...phrases.flatMap((phrase) => indented(setPhrase(phrase), width, 4)),
    ...indented([span(correlationNote, 'quiet')], width, 4),
  ];
}

/** Formats the problems during the run; nothing when there were none. */
export function troubleLines(run: Run, width: number): Line[] {
  return troublesOf(run).flatMap(({ title, about, details }) => [
    ...flow(setPhrase(about), { width, first: [span(`  ${title.padEnd(8)}`)] }),
    ...details.flatMap((detail) => indented(setPhrase(detail, 'fault'), width, 10)),
  ]);
}

/** Formats the calls and costs of judging over all targets; nothing when nothing was judged. */
export function judgeLines({ judge }: Pick<Summary, 'judge'>, width: number): Line[] {
  if (judge === undefined) return [];
  return flow(joined(judgeParts(judge).map((part) => [whole(part)])), { width, first: [span('  Judge   ')] });
}

const mostJudged = 8;

/** Formats both rates of each judged metric, as its judge says and as people would, with the state of its certificate. */
export function judgedMetricLines(summary: Pick<Summary, 'judged'>, width: number): Line[] {
  const all = judgedParagraphs(summary);
  if (all.length === 0) return [];
  return [
    [span('  What judges say, and people would', 'strong')],
    ...all.slice(0, mostJudged).flatMap(({ metric, status, certificate, rates }) => [
      ...rates.flatMap(({ target, text }) => {
        const name = shorten(target === null ? metric : `${metric}, ${target}`, widestName);
        return indented([whole(name, 'strong'), span(`  ${shorten(text, longest)}`)], width, 4);
      }),
      ...indented([span(shorten(certificate, longest), status === 'ended' ? 'fair' : 'quiet')], width, 6),
    ]),
    ...(all.length > mostJudged
      ? [[span(`    … and ${formatPlural(all.length - mostJudged, 'more judged metric')}`, 'quiet')]]
      : []),
  ];
}

const mostRules = 5;
const longest = 400;

/** Formats the decision of a sequential gate that ended the run: the savings, and the arithmetic of each rule. */
export function sequentialLines(
  { sequential, outcome, reasons, rules = [] }: Decision,
  width: number,
): Line[] {
  const [first, caution] = reasons;
  if (sequential?.isDecided !== true || first === undefined) return [];
  const label = outcome === 'pass' ? span('PASS', 'good') : span('FAIL', 'bad');
  const ruleLines = rules
    .slice(0, mostRules)
    .flatMap(({ name, arithmetic }) =>
      indented([span(shorten(`${name}: ${arithmetic}`, longest), 'quiet')], width, 2),
    );
  const rest = rules.length - mostRules;
  return [
    [],
    ...flow([span(shorten(first, longest))], { width, first: [label, span('  ')] }),
    ...ruleLines,
    ...(caution === undefined || sequential.saved?.calls === 0
      ? []
      : indented([span(shorten(caution, longest), 'quiet')], width, 2)),
    ...(rest > 0 ? indented([span(`… and ${rest} more rules`, 'quiet')], width, 2) : []),
  ];
}
