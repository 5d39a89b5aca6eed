import { type Advice, adviseOn } from '../report/advice.ts';
import { certaintyOf } from '../report/certainty.ts';
import { collectFindings, type ReportedTarget } from '../report/findings.ts';
import { formatGit, formatPlural, formatTime } from '../report/format.ts';
import { headlineParts } from '../report/headline.ts';
import { decisionWarnings, judgedParagraphs } from '../report/judged-rates.ts';
import { judgeParts } from '../report/overview.ts';
import { importOf, joinSentences } from '../report/phrase.ts';
import { ofPlainTargets } from '../report/report-input.ts';
import { questionRow } from '../report/rows/question-row.ts';
import { troublesOf } from '../report/troubles.ts';
import type { Decision, RuleDecision } from '../../core/schema/decision.ts';
import type { Run } from '../../core/schema/run.ts';
import type { TargetSummary } from '../../core/schema/summary.ts';
import { codeSpan, setPhrase, setTable } from './markdown/code-span.ts';
import {
  comparisonText,
  disagreementListing,
  disagreementText,
  robustnessText,
} from './markdown/comparison.ts';
import { questionItem, unresolvedQuestions } from './markdown/questions.ts';
import {
  categoryMetricTable,
  categoryTable,
  componentTable,
  criterionTable,
  extraTable,
  intervalText,
  labelText,
  noiseText,
  outcomeSentence,
  outcomeTable,
  reliabilityText,
  sharedIntervalText,
  usageSentence,
  weightedSentence,
} from './markdown/tables.ts';
import type { Reporter, ReportInput } from './reporter.ts';

const mostQuestions = 40;
const longestReason = 500;

/** The Markdown reporter for pull requests and notes: short, with all text from targets and datasets set as code. */
export const markdown: Reporter = {
  name: 'markdown',
  extensions: ['.md'],
  async *report(input, view) {
    if (input.narrowing !== undefined) {
      yield* narrowedText(input, input.narrowing);
      return;
    }
    const plain = ofPlainTargets(input);
    const targets = await collectFindings(plain);
    const showsMethods = view.verbose || view.methods === true;
    yield* paragraphs([
      title(input),
      decisionText(input),
      warningText(input.summary.decision),
      ruleTable(input.summary.decision),
      comparisonText(plain),
    ]);
    // A comment on GitHub is limited to 65,536 characters, so the targets share the number of questions.
    const most = Math.ceil(mostQuestions / targets.length);
    for (const reported of targets) {
      yield* paragraphs(targetParagraphs(reported, most));
      if (showsMethods) yield* paragraphs([intervalText(reported.run, reported.target)]);
    }
    yield* paragraphs([
      robustnessText(input),
      judgedText(input),
      judgeText(input),
      troubleText(input),
      disagreementText(input),
      showsMethods ? sharedIntervalText(plain.summary) : '',
    ]);
    yield `${certaintyText(targets)}\n`;
  },
};

/** Yields the report of a part of a run: a note that it is a part, the score of the whole, and every question of the part. */
async function* narrowedText(input: ReportInput, narrowing: string): AsyncGenerator<string> {
  const { run, summary } = input;
  const note = `**Only a part of the run is listed:** ${codeSpan(narrowing, 160)}. The scores are for the whole run.`;
  yield* paragraphs([title(input), `${note}\n`]);
  if (input.disagreements !== undefined) {
    yield* disagreementListing(input, input.disagreements);
    return;
  }
  for (const target of summary.targets) {
    yield `${targetTitle(run, target)}\n`;
    for await (const result of input.results()) {
      if (result.trial.target === target.target) yield questionItem(questionRow(run, result));
    }
    yield '\n';
  }
}

function targetTitle(run: Run, target: TargetSummary): string {
  const [score = '', ...parts] = headlineParts(target, run);
  return `### ${codeSpan(target.target)}\n\n**${score}**  ${parts.join(' · ')}\n`;
}

function* paragraphs(all: readonly string[]): Generator<string> {
  for (const paragraph of all) {
    if (paragraph !== '') yield `${paragraph}\n`;
  }
}

function title({ run }: ReportInput): string {
  const facts = [
    `run ${codeSpan(run.id)}`,
    formatPlural(run.dataset.cases, 'question'),
    codeSpan(run.dataset.sources.join(', '), 160),
    ...(run.rescoredFrom === undefined ? [] : [`answers of ${codeSpan(run.rescoredFrom)}, scored again`]),
    formatTime(run.createdAt),
    ...importOf(run),
    ...(run.git === undefined ? [] : [codeSpan(formatGit(run.git), 160)]),
    ...(run.status === 'completed' ? [] : [`**${run.status}**`]),
  ];
  return `## Touchstone\n\n${facts.join(' · ')}\n`;
}

function judgeText({ summary: { judge } }: ReportInput): string {
  return judge === undefined ? '' : `judge: ${judgeParts(judge).join(' · ')}\n`;
}

function troubleText({ run }: ReportInput): string {
  return troublesOf(run)
    .map(({ title: kind, about, details }) => {
      const kinds = details.map((detail) => `  - ${setPhrase(detail)}\n`).join('');
      return `- ${kind.toLowerCase()}: ${setPhrase(about)}\n${kinds}`;
    })
    .join('');
}

const outcomeLabels = {
  pass: 'PASS',
  fail: 'FAIL',
  inconclusive: 'INCONCLUSIVE',
  'not-measured': 'NOT MEASURED',
} as const satisfies Record<Decision['outcome'], string>;

function decisionText({ run, summary }: ReportInput): string {
  const { outcome, reasons } = summary.decision;
  if (outcome === 'pass' && run.gate.failUnder === undefined && reasons.length === 0) return '';
  const shown = reasons.slice(0, 12).map((reason) => codeSpan(reason, longestReason));
  return `**${[outcomeLabels[outcome], shown.join(', ')].filter(Boolean).join('** ')}${shown.length > 0 ? '' : '**'}\n`;
}

/** Formats the warnings of the gate: judges without a certificate that it rests on. */
function warningText(decision: Decision): string {
  return decisionWarnings(decision)
    .map((warning) => `- warning: ${codeSpan(warning, longestReason)}\n`)
    .join('');
}

/** Formats both rates of each judged metric with the state of its certificate. */
function judgedText({ summary }: ReportInput): string {
  const items = judgedParagraphs(summary).flatMap(({ metric, certificate, rates }) => [
    ...rates.map(({ target, text }) => {
      const name = target === null ? codeSpan(metric) : `${codeSpan(metric)}, ${codeSpan(target)}`;
      return `- ${name}: ${codeSpan(text, longestReason)}\n`;
    }),
    `  - ${codeSpan(certificate, longestReason)}\n`,
  ]);
  return items.length === 0 ? '' : `**What judges say, and people would**\n\n${items.join('')}`;
}

function targetParagraphs(reported: ReportedTarget, most: number): string[] {
  return [
    targetTitle(reported.run, reported.target),
    outcomeSentence(reported),
    weightedSentence(reported),
    usageSentence(reported),
    outcomeTable(reported),
    componentTable(reported),
    criterionTable(reported),
    reliabilityText(reported),
    noiseText(reported),
    extraTable(reported),
    labelText(reported),
    categoryTable(reported),
    categoryMetricTable(reported),
    adviceText(adviseOn(reported)),
    unresolvedQuestions(reported, most),
  ];
}

function adviceText(advice: readonly Advice[]): string {
  if (advice.length === 0) return '';
  const items = advice.map(({ title: about, facts, hint, ids }, index) => {
    const open = ids.length === 0 ? '' : `Open first: ${ids.map((id) => codeSpan(id)).join(', ')}`;
    const lines = [...facts.map(setPhrase), hint, open].filter(Boolean);
    return `${index + 1}. ${setPhrase(about)}\n${lines.map((line) => `   - ${line}\n`).join('')}`;
  });
  return `**What to look at first**\n\n${items.join('')}`;
}

function certaintyText(targets: readonly ReportedTarget[]): string {
  const texts = targets.map(({ run, target }) => {
    const name = targets.length > 1 ? `${codeSpan(target.target)}: ` : '';
    return name + setPhrase(joinSentences(certaintyOf(run, target)));
  });
  return texts.join('\n\n');
}

const mostRules = 40;

const ruleOutcomeLabels = {
  pass: 'pass',
  fail: '**fail**',
  inconclusive: '**inconclusive**',
  'not-measured': '**not measured**',
} as const satisfies Record<Decision['outcome'], string>;

/** Formats every rule of a gate with its decision, the reason and the arithmetic; empty without rules. */
function ruleTable({ rules = [] }: Decision): string {
  if (rules.length === 0) return '';
  const hasTargets = new Set(rules.map(({ target }) => target)).size > 1;
  const rows = rules
    .slice(0, mostRules)
    .map((rule) => [
      codeSpan(nameOf(rule, hasTargets)),
      ruleOutcomeLabels[rule.outcome],
      codeSpan(rule.reason, 200),
      codeSpan(rule.arithmetic, 200),
    ]);
  const rest = rules.length - mostRules;
  const table = setTable(['rule', 'decision', 'because', 'arithmetic'], rows);
  return rest > 0 ? `${table}\n… and ${rest} more\n` : table;
}

function nameOf({ name, category, target }: RuleDecision, hasTargets: boolean): string {
  return [name, category, hasTargets ? target : undefined].filter((part) => part !== undefined).join(' · ');
}
