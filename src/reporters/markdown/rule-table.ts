import type { Decision, RuleDecision } from '../../schema/decision.ts';
import { codeSpan, setTable } from './code-span.ts';

const mostRules = 40;

const outcomeLabels = {
  pass: 'pass',
  fail: '**fail**',
  inconclusive: '**inconclusive**',
  'not-measured': '**not measured**',
} as const satisfies Record<Decision['outcome'], string>;

/** Formats every rule of a gate with its decision, the reason and the arithmetic; empty without rules. */
export function ruleTable({ rules = [] }: Decision): string {
  if (rules.length === 0) return '';
  const hasTargets = new Set(rules.map(({ target }) => target)).size > 1;
  const rows = rules
    .slice(0, mostRules)
    .map((rule) => [
      codeSpan(nameOf(rule, hasTargets)),
      outcomeLabels[rule.outcome],
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
