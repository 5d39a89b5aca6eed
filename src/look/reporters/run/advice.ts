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
import { joinSentences } from '../../report/phrase.ts';
import { type Trouble, troublesOf } from '../../report/troubles.ts';
import type { Run } from '../../../core/schema/run.ts';
import type { Disagreement, Summary } from '../../../core/schema/summary.ts';
import { type Block, heading, type Item, list, paragraph, note } from '../blocks/block.ts';
import { joined, name, phrase, quoted, span, whole } from '../blocks/text.ts';
import type { ReportInput } from '../reporter.ts';
import { showHint } from './title.ts';

/** Lays out the advice on what to look at first, numbered; empty when there is none. */
export function adviceBlocks(reported: ReportedTarget): Block[] {
  const advice = adviseOn(reported);
  if (advice.length === 0) return [];
  return [
    heading(3, [span('What to look at first', 'strong')]),
    list(advice.map(adviceItem), { isNumbered: true }),
  ];
}

function adviceItem({ title, facts, hint, ids }: Advice): Item {
  const open = joined(
    ids.map((id) => [name(id)]),
    ', ',
  );
  return {
    text: phrase(title, 'fair'),
    details: [
      ...facts.map((fact) => phrase(fact)),
      [span(hint, 'quiet')],
      ids.length === 0 ? [] : [span('Open first: ', 'quiet'), ...open],
    ]
      .filter((text) => text.some((part) => part.text !== ''))
      .map((text) => ({ text })),
  };
}

/** Lays out how far the numbers can be trusted, as a dimmed paragraph. */
export function certaintyBlock({ run, target }: ReportedTarget): Block {
  return paragraph(phrase(joinSentences(certaintyOf(run, target)), 'quiet'));
}

const mostKinds = 3;
const mostNamed = 1;

/** Lays out the contradictions between metrics by kind; empty when there are none. */
export function disagreementBlocks(input: ReportInput): Block[] {
  const seen = seenDisagreements(input.summary);
  if (seen.length === 0) return [];
  const shown = seen.slice(0, mostKinds);
  const countWidth = Math.max(...shown.map((one) => countText(one).length));
  const others = seen.length - shown.length;
  return [
    paragraph([span('Where metrics contradict each other', 'strong'), span('  '), span(countNote, 'quiet')]),
    list(shown.map((one) => kindItem(one, { countWidth, named: mostNamed }))),
    note(others > 0 ? `… and ${formatPlural(others, 'more kind')}` : ''),
    showHint(input, { lead: 'Both verdicts in full: ', flags: '--disagreements' }),
  ];
}

/** Lays out one kind of disagreement: its count, its meaning, its likely cause, the targets, and some answers. */
export function kindItem(
  disagreement: Disagreement,
  { countWidth, named }: { readonly countWidth: number; readonly named: number },
): Item {
  const { kind, title, reading, widest } = disagreement;
  const targets = targetPhrases(disagreement).map((target) => phrase(target));
  const answers = widest.slice(0, named).map((one) => contradictionPhrase(one, disagreement));
  return {
    mark: [span(countText(disagreement).padStart(countWidth), 'strong'), span('  ')],
    text: [whole(kind, 'fair'), span(`: ${title}`)],
    details: [
      [span(reading, 'quiet')],
      ...(targets.length === 0 ? [] : [joined(targets)]),
      ...answers.map((answer) => phrase(answer)),
    ].map((text) => ({ text })),
  };
}

/** Lays out the metrics that rank answers alike or in opposite order; empty when there are none. */
export function correlationBlocks({ summary }: ReportInput): Block[] {
  const phrases = correlationPhrases(summary.correlations);
  if (phrases.length === 0) return [];
  return [
    heading(3, [span('Metrics that agree, or contradict each other', 'strong')]),
    list(
      phrases.map((pair) => ({ text: phrase(pair) })),
      { indent: 4 },
    ),
    note(correlationNote, { indent: 4 }),
  ];
}

/** Lays out the problems during the run, all or only some kinds; empty when there were none. */
export function troubleBlock(run: Run, only?: readonly Trouble['title'][]): Block {
  const troubles = troublesOf(run).filter(({ title }) => only?.includes(title) ?? true);
  return list(
    troubles.map(({ title, about, details }) => ({
      label: title,
      text: phrase(about),
      details: details.map((detail) => ({ text: phrase(detail, 'fault') })),
    })),
  );
}

/** Lays out the calls and costs of judging over all targets; nothing when nothing was judged. */
export function judgeBlock({ judge }: Pick<Summary, 'judge'>): Block {
  const parts = judge === undefined ? [] : judgeParts(judge).map((part) => [whole(part)]);
  return paragraph(joined(parts), { label: 'Judge' });
}

const mostJudged = 8;
const longest = 400;

/** Lays out both rates of each judged metric, as its judge says and as people would, with the state of its certificate. */
export function judgedMetricBlocks(summary: Pick<Summary, 'judged' | 'targets'>): Block[] {
  const all = judgedParagraphs(summary);
  if (all.length === 0) return [];
  const items = all.slice(0, mostJudged).flatMap(({ metric, status, certificate, rates }): Item[] => {
    const state = [quoted(certificate, status === 'ended' ? 'fair' : 'quiet', longest)];
    return rates.map(({ target, text }, index) => ({
      mark: [name(target === null ? metric : `${metric}, ${target}`, 'strong'), span('  ')],
      text: [quoted(text, undefined, longest)],
      details: index === rates.length - 1 ? [{ text: state }] : [],
    }));
  });
  const more = all.length - mostJudged;
  return [
    heading(3, [span('What the judge says, and what people would say', 'strong')]),
    list(items, { indent: 4 }),
    note(more > 0 ? `… and ${formatPlural(more, 'more judged metric')}` : '', { indent: 4 }),
  ];
}
