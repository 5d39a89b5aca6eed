import { toTerminalText } from '../../core/lib/text/terminal-text.ts';
import { caseTitle, exemptionOf, explainResult } from '../report/case-outcome.ts';
import { formatPlural } from '../report/format.ts';
import { decisionWarnings, judgedParagraphs } from '../report/judged-rates.ts';
import { missingParts } from '../report/headline.ts';
import { ofPlainTargets } from '../report/report-input.ts';
import { scoreInWords } from '../report/score-in-words.ts';
import { listedQuestion } from '../../core/schema/case.ts';
import { outcomeOfTrial, type Result } from '../../core/schema/result.ts';
import type { Run } from '../../core/schema/run.ts';
import type { ChosenTrials } from '../../core/schema/selection.ts';
import type { TargetSummary } from '../../core/schema/summary.ts';
import type { Decision } from '../../core/schema/decision.ts';
import type { Reporter, ReportInput } from './reporter.ts';

/** The most questions that are annotated. GitHub shows ten annotations of a level in a step; one is for the decision. */
const mostQuestions = 9;

/** The most warnings about judges; they take the places of questions. */
const mostWarnings = 2;

const decisionTitles = {
  pass: 'Touchstone: pass',
  fail: 'Touchstone: fail',
  inconclusive: 'Touchstone: inconclusive',
  'not-measured': 'Touchstone: not measured',
} as const satisfies Record<Decision['outcome'], string>;

/**
 * The reporter for GitHub Actions: one annotation for the decision, then one for each of the first questions that did not
 * pass. These are warnings when the gate passes nevertheless. It is printed to the log, so it has no file extension.
 */
export const github: Reporter = {
  name: 'github',
  extensions: [],
  async *report(input) {
    const { outcome } = input.summary.decision;
    const { ordinals, count } = unresolvedQuestions(input);
    const level = outcome === 'pass' ? 'notice' : 'error';
    yield annotation(level, decisionTitles[outcome], decisionText(input, count));
    for (const warning of decisionWarnings(input.summary.decision).slice(0, mostWarnings))
      yield annotation('warning', 'Touchstone: judge without a certificate', warning);
    const questionLevel = outcome === 'pass' ? 'warning' : 'error';
    if (ordinals.length === 0) return;
    for await (const result of input.results(ordinals)) yield questionText(input.run, result, questionLevel);
  },
};

/** Selects the first questions that did not pass, over all targets without a condition, and counts all of them. */
function unresolvedQuestions(input: ReportInput): ChosenTrials {
  const chosen = ofPlainTargets(input).summary.targets.map(({ selection }) => selection.questions);
  const ordinals = chosen.flatMap((questions) => questions.ordinals).sort((a, b) => a - b);
  return {
    count: chosen.reduce((sum, { count }) => sum + count, 0),
    ordinals: ordinals.slice(0, mostQuestions),
  };
}

function decisionText(input: ReportInput, unresolved: number): string {
  const { run, summary } = ofPlainTargets(input);
  const scores = summary.targets.map((target) => `${target.target}: ${headlineOf(run, target)}`);
  const count = `${formatPlural(unresolved, 'question')} did not pass`;
  const judged = judgedParagraphs(summary).flatMap(({ metric, rates }) =>
    rates.map(({ target, text }) => `${target === null ? metric : `${metric}, ${target}`}: ${text}`),
  );
  return [...summary.decision.reasons, ...scores, ...judged, ...(unresolved === 0 ? [] : [count])].join('\n');
}

/** Says the score of a target, how sure it is, and what is missing. */
function headlineOf(run: Run, target: TargetSummary): string {
  return [scoreInWords(target, run), ...missingParts(target, run)].join(' · ');
}

function questionText(run: Run, result: Result, level: AnnotationLevel): string {
  const { case: asked, trial } = result;
  const target = run.targets.length > 1 ? ` (${trial.target})` : '';
  const attempt = run.attempts > 1 ? `attempt ${trial.attempt}: ` : '';
  const title = `${caseTitle(trial.caseId, listedQuestion(asked))}${target}`;
  const exemption = exemptionOf(run, asked);
  const message = `${attempt}${outcomeOfTrial(run, result)}: ${explainResult(run, result)}`;
  if (exemption !== undefined) return annotation('notice', title, `${exemption}; ${message}`);
  return annotation(level, title, message);
}

/** The level of an annotation; GitHub shows ten of each in a step. */
type AnnotationLevel = 'error' | 'warning' | 'notice';

/**
 * Formats the workflow command for an annotation as one line. It is escaped as in `@actions/core`, so that no text can end
 * the line or the title; control characters are made visible.
 */
function annotation(level: AnnotationLevel, title: string, message: string): string {
  return `::${level} title=${escapeProperty(title)}::${escapeData(message)}\n`;
}

function escapeData(text: string): string {
  return text.split(/\r?\n/).map(toTerminalText).join('\n').replaceAll('%', '%25').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(toTerminalText(text)).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
