import { shorten, toTerminalText } from '../lib/terminal-text.ts';
import { formatPlural } from '../report/format/format-number.ts';
import type { Decision, RuleDecision } from '../schema/decision.ts';
import type { Run } from '../schema/run.ts';

const longest = 400;

const words = {
  pass: 'PASS',
  fail: 'FAIL',
  inconclusive: 'INCONCLUSIVE',
  'not-measured': 'NOT MEASURED',
} as const satisfies Record<Decision['outcome'], string>;

/** What a gate decided on a run: the decision, its reasons, and the arithmetic of every rule. */
export function formatDecision(run: Run, { outcome, reasons, rules = [] }: Decision): string {
  const lines = [
    `${words[outcome]}  run ${run.id}, ${formatPlural(run.dataset.cases, 'question')}`,
    ...reasons.map((reason) => `  ${shorten(reason, longest)}`),
    ...rules.flatMap(ruleLines),
  ];
  return `${lines.join('\n')}\n`;
}

function ruleLines({ name, target, category, outcome, reason, arithmetic }: RuleDecision): string[] {
  const place = [name, ...(category === undefined ? [] : [category]), target].map(toTerminalText).join(' · ');
  return [
    '',
    `${words[outcome]}  ${place}`,
    `  ${shorten(reason, longest)}`,
    `  ${shorten(arithmetic, longest)}`,
  ];
}
