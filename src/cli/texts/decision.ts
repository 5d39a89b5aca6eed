import { shorten, toTerminalText } from '../../core/lib/text/terminal-text.ts';
import { formatPlural } from '../../look/report/format.ts';
import { decisionWarnings } from '../../look/report/judged-rates.ts';
import type { Decision, RuleDecision } from '../../core/schema/decision.ts';
import type { Run } from '../../core/schema/run.ts';

const longest = 600;

const outcomeLabels = {
  pass: 'PASS',
  fail: 'FAIL',
  inconclusive: 'INCONCLUSIVE',
  'not-measured': 'NOT MEASURED',
} as const satisfies Record<Decision['outcome'], string>;

/** Formats the decision on a run with its reasons and the arithmetic of every rule. */
export function decisionText(run: Run, decision: Decision): string {
  const { outcome, reasons, rules = [] } = decision;
  const lines = [
    `${outcomeLabels[outcome]}  run ${run.id}, ${formatPlural(run.dataset.cases, 'question')}`,
    ...reasons.map((reason) => `  ${shorten(reason, longest)}`),
    ...decisionWarnings(decision).map((warning) => `  WARNING  ${shorten(warning, longest)}`),
    ...rules.flatMap(ruleLines),
  ];
  return `${lines.join('\n')}\n`;
}

function ruleLines({ name, target, category, outcome, reason, arithmetic }: RuleDecision): string[] {
  const place = [name, ...(category === undefined ? [] : [category]), target].map(toTerminalText).join(' · ');
  return [
    '',
    `${outcomeLabels[outcome]}  ${place}`,
    `  ${shorten(reason, longest)}`,
    `  ${shorten(arithmetic, longest)}`,
  ];
}
