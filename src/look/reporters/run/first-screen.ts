import { quoteForShell } from '../../../core/lib/text/quote-for-shell.ts';
import type { Decision } from '../../../core/schema/decision.ts';
import type { TrialOutcome } from '../../../core/schema/result.ts';
import { adviseFirst } from '../../report/advice.ts';
import {
  type FailedQuestion,
  type FailedQuestions,
  failedQuestions,
  failsForAll,
} from '../../report/rows/failed-questions.ts';
import type { ReportedTarget } from '../../report/findings.ts';
import { formatCount, formatPlural } from '../../report/format.ts';
import { countParts, unreadParts } from '../../report/headline.ts';
import { type Phrase, quote, quoteText } from '../../report/phrase.ts';
import { rangeInWords, shownScore } from '../../report/score-in-words.ts';
import { type Block, list, paragraph, section, note } from '../blocks/block.ts';
import { joined, markTones, name, quoted, span, whole } from '../blocks/text.ts';
import type { ReportInput } from '../reporter.ts';
import { troubleBlock } from './advice.ts';
import { attackBlocks } from './attacks.ts';
import { robustnessBlocks } from './comparison.ts';
import { failedItem, onOneLine, sentence } from './failed-item.ts';
import { scoreText } from './overview.ts';
import { questionTable, targetTable } from './target-columns.ts';
import { showHint } from './title.ts';

/** The parts of a first screen. */
interface FirstScreen {
  /** The run with the targets that are reported, and their findings. */
  readonly input: ReportInput;
  readonly reported: readonly ReportedTarget[];
  /** The decision of a gate, as the format shows it. */
  readonly decision: readonly Block[];
  /** The most questions that are listed. */
  readonly most: number;
}

/**
 * Lays out what somebody reads first after a run: the score in words and the counts, the decision of a gate, the questions that
 * did not pass with what the bot said, what to look at first, and two commands. All else is in the whole report.
 */
export function firstScreen({ input, reported, decision, most }: FirstScreen): Block[] {
  const failed = failedQuestions(reported);
  const shown = failed.questions.slice(0, most);
  const [only] = reported.length === 1 ? reported : [];
  return [
    ...(only === undefined ? [targetTable(reported)] : scoreBlocks(only)),
    ...reported.slice(0, 1).flatMap(repeatsBlock),
    ...unreadBlocks(reported, input.summary.decision),
    troubleBlock(input.run, ['Tools', 'Stopped']),
    section(...decision),
    section(
      only === undefined
        ? questionTable(reported, shown)
        : list(
            shown.map((question) => failedItem(question, input.run.attempts)),
            { indent: 0 },
          ),
      ...moreBlocks(input, { failed, shown }),
    ),
    section(...attackBlocks(input)),
    section(...robustnessBlocks(input)),
    section(...lookBlocks(reported, failed)),
    section(...nextCommands(input, shown)),
  ];
}

/** Lays out the score of the only target in words, and the counts of its outcomes. */
function scoreBlocks({ run, target }: ReportedTarget): Block[] {
  const range = rangeInWords(target);
  const counts = countParts(target, run).map((part) => [whole(part, toneOf(part))]);
  return [
    paragraph(scoreText(run, target), { mark: [name(target.target, 'strong'), span('  ')], indent: 0 }),
    paragraph([...joined(counts), ...(range === '' ? [] : [span(': '), whole(`the score is ${range}`)])], {
      indent: 0,
    }),
    note(run.scorecard === null ? nothingDecided : '', { indent: 0 }),
  ];
}

const nothingDecided = 'Without a scorecard nothing passes or fails.';

const tones: readonly (readonly [word: string, outcome: TrialOutcome])[] = [
  ['passed', 'passed'],
  ['failed', 'failed'],
  ['error', 'error'],
  ['not', 'not-measured'],
];

function toneOf(part: string) {
  const outcome = part.startsWith('0 ') ? undefined : tones.find(([word]) => part.includes(` ${word}`))?.[1];
  return outcome === undefined ? undefined : markTones[outcome];
}

/** Says how often each question was asked. */
function repeatsBlock({ run: { attempts, caseRule, dataset } }: ReportedTarget): Block[] {
  if (attempts < 2) return [];
  const questions = formatPlural(dataset.cases, 'question');
  const rule = caseRule === undefined ? '' : `; ${caseRule.passes} of ${attempts} answers have to pass`;
  return [note(`${questions}, each asked ${attempts} times${rule}`, { indent: 0 })];
}

/** Names what nothing reads, unless the reasons of the gate do. */
function unreadBlocks(reported: readonly ReportedTarget[], { reasons }: Decision): Block[] {
  const parts = new Set(reported.flatMap(({ run, target }) => unreadParts(target, run)));
  return [...parts]
    .filter((part) => !reasons.includes(part))
    .slice(0, mostUnread)
    .map((part) => paragraph([quoted(part, 'fair')], { indent: 0 }));
}

const mostUnread = 3;

function moreBlocks(
  input: ReportInput,
  { failed, shown }: { readonly failed: FailedQuestions; readonly shown: readonly FailedQuestion[] },
): Block[] {
  const listed = shown.reduce((sum, { alike }) => sum + 1 + alike, 0);
  const more = failed.count - listed;
  if (more <= 0) return [];
  return [
    showHint(input, {
      lead: `… and ${formatCount(more)} more: `,
      flags: input.run.scorecard === null ? '--verbose' : '--failed',
      indent: 0,
    }),
  ];
}

function lookBlocks(reported: readonly ReportedTarget[], failed: FailedQuestions): Block[] {
  const advice = lookFirst(reported, failed);
  if (advice === undefined) return [];
  return [paragraph([span('Look at this first: ', 'strong'), ...sentence(advice)], { indent: 0 })];
}

/** Returns what to look at first; undefined when nothing failed and nothing stands out. */
function lookFirst(
  reported: readonly ReportedTarget[],
  { questions, count }: FailedQuestions,
): Phrase | undefined {
  const shared = questions.filter(failsForAll);
  const [first] = shared;
  if (first !== undefined) {
    const fail = shared.length === 1 ? '1 question fails' : `${formatCount(shared.length)} questions fail`;
    return [`${fail} for all: look at the expectation of `, quoteText(onOneLine(first.row.question)), '.'];
  }
  const scoreOf = ({ target }: ReportedTarget) => shownScore(target).value.value ?? -1;
  const lowest = reported.toSorted((a, b) => scoreOf(a) - scoreOf(b));
  for (const one of lowest) {
    const advice = adviseFirst(one);
    if (advice !== undefined)
      return reported.length > 1 ? [quote(one.target.target), ': ', ...advice] : advice;
  }
  const [worst] = questions;
  if (worst === undefined) return undefined;
  const isLow = worst.row.outcome === 'unscored';
  const why = count === 1 && !isLow ? 'the only one that did not pass' : 'which did worst';
  return ['the answer to ', quoteText(onOneLine(worst.row.question)), `, ${why}.`];
}

const leadWidth = 15;

/**
 * Lays out the two commands that lead on: to one question, and to asking again only what did not pass; or, where nothing can be
 * asked again or all passed, to everything.
 */
function nextCommands(input: ReportInput, [worst]: readonly FailedQuestion[]): Block[] {
  const hint = (lead: string, flags: string) =>
    showHint(input, { lead: lead.padEnd(leadWidth), flags, indent: 0 });
  const all = hint('All numbers:', '');
  const file = hint('To send it:', '--output report.html');
  if (worst === undefined) return [hint('Every answer:', '--verbose'), all, file];
  const { again: command } = input;
  const lead = 'Ask again:'.padEnd(leadWidth);
  return [
    hint('That question:', `--case ${quoteForShell(worst.row.id)}`),
    command === undefined || worst.row.outcome === 'unscored'
      ? all
      : { kind: 'command', lead, command, indent: 0 },
    file,
  ];
}
