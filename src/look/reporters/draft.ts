import { formatCount, formatMoney, formatPlural } from '../report/format.ts';
import { toTerminalText } from '../../core/lib/text/terminal-text.ts';
import {
  difficulties,
  type DraftedQuestion,
  type DraftReport,
  questionKinds,
  rejections,
} from '../../core/schema/api/draft-report.ts';
import type { ReportView } from './reporter.ts';
import { type Block, heading, paragraph, rule } from './blocks/block.ts';
import { renderTerminal } from './blocks/terminal.ts';
import { quoted, span, type Tone } from './blocks/text.ts';

/** The numbers of an estimate that are shown. */
interface ShownEstimate {
  readonly questions: number;
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** US dollars; null when the price is unknown. */
  readonly cost: number | null;
  readonly notices: readonly string[];
}

/** Formats what a draft takes at most, as text. */
export function estimateText({ questions, notices, ...estimate }: ShownEstimate): string {
  const { calls, inputTokens, outputTokens, cost } = estimate;
  const price = cost === null ? 'at an unknown price' : `about ${formatMoney(cost)}`;
  const tokens = `${formatCount(inputTokens)} + ${formatCount(outputTokens)} tokens`;
  return `${[
    `${formatPlural(questions, 'question')}: at most ${formatPlural(calls, 'call')}, about ${tokens}, ${price}; stored replies are not asked again.`,
    ...notices.map(toTerminalText),
  ].join('\n')}\n`;
}

/** Formats the report of a draft for the terminal: what was accepted, why the rest was not, and the questions where wanted. */
export function draftText(report: DraftReport, view: ReportView): string {
  return renderTerminal(
    [
      heading(1, [span('Touchstone', 'strong'), span('  draft', 'quiet')]),
      sentence(summarizeDraft(report)),
      ...describeKept(report).map((text) => sentence(text)),
      ...describeState(report).map((text) => sentence(text)),
      ...report.notices.map((text) => sentence(text, 'quiet')),
      ...(view.verbose ? [rule, ...report.questions.flatMap(questionBlocks)] : []),
      rule,
      ...nextSteps(report).map((text) => sentence(text, 'quiet')),
    ],
    view,
  );
}

/** The longest text that is shown, in columns. */
const longest = 20_000;

function sentence(text: string, tone?: Tone, indent?: number): Block {
  return paragraph([quoted(text, tone, longest)], { indent });
}

/** Sums a draft up in one sentence: `drafted 40, kept 31: 5 answerable without the document, 3 duplicates, 1 quote not found`. */
function summarizeDraft({ drafted, kept, rejected, notChecked }: DraftReport): string {
  const reasons = rejected.map(({ rejection, questions }) => {
    const [one, many] = rejections[rejection];
    return `${formatCount(questions)} ${questions === 1 ? one : many}`;
  });
  if (notChecked > 0) reasons.push(`${formatCount(notChecked)} not checked`);
  const why = reasons.length === 0 ? '' : `: ${reasons.join(', ')}`;
  return `drafted ${formatCount(drafted)}, kept ${formatCount(kept)}${why}`;
}

function describeKept({ questions, dataset, known, kept }: DraftReport): string[] {
  if (kept === 0) return [];
  const own = questions.filter(({ outcome }) => outcome === 'kept');
  const list = (names: readonly string[], nameOf: (question: DraftedQuestion) => string) =>
    names
      .map((name) => ({ name, count: own.filter((question) => nameOf(question) === name).length }))
      .filter(({ count }) => count > 0)
      .map(({ name, count }) => `${formatCount(count)} ${name}`)
      .join(', ');
  const before = known === 0 ? '' : ` (${formatCount(known)} of them before)`;
  return [
    `Proposed for ${dataset}${before}: ${list(questionKinds, ({ kind }) => kind)}; ${list(difficulties, ({ difficulty }) => difficulty)}.`,
  ];
}

function describeState({ spending, isStopped, planned, drafted, documents }: DraftReport): string[] {
  const { calls, cost } = spending;
  const price = cost === null ? 'at an unknown price' : formatMoney(cost);
  const unasked = documents.filter(({ questions }) => questions === 0).map(({ id }) => id);
  const missing = planned - drafted;
  return [
    ...(unasked.length === 0 ? [] : [`No question from: ${unasked.join(', ')}.`]),
    ...(missing === 0 ? [] : [`${formatPlural(missing, 'question')} could not be drafted.`]),
    ...(isStopped ? ['It was stopped. The same command continues, and asks only what is missing.'] : []),
    `${formatPlural(calls, 'new call')}, ${price}.`,
  ];
}

function questionBlocks(question: DraftedQuestion): Block[] {
  const { outcome, kind, difficulty, category, reason, answer, facts } = question;
  const isKept = outcome === 'kept';
  const title = { text: outcome, tone: isKept ? 'good' : 'fair', isStrong: true } as const;
  return [
    paragraph([title, span('  '), quoted(question.question, undefined, longest)]),
    sentence([kind, difficulty, category].join(' · '), 'quiet', 4),
    sentence(reason ?? '', undefined, 4),
    sentence(isKept ? (answer ?? '') : '', undefined, 4),
    ...(isKept ? facts : []).map(({ document, quote }) => sentence(`${document}: "${quote}"`, 'quiet', 4)),
  ];
}

function nextSteps({ kept, seed, drafted, rejected }: DraftReport): string[] {
  const unwritten = rejected.reduce(
    (sum, { rejection, questions }) =>
      sum + (rejection === 'not-written' || rejection === 'reply-unusable' ? questions : 0),
    0,
  );
  return [
    ...(2 * unwritten > drafted ? ['This model seldom writes what it is asked for: try a larger one.'] : []),
    kept === 0
      ? 'Nothing is proposed.'
      : 'Look at them: touchstone proposals list. Nothing enters the set unseen.',
    `Other questions: --seed ${Number.isInteger(Number(seed)) ? Number(seed) + 1 : 1}. Every question with its checks: --verbose, or -o draft.json.`,
  ];
}
