import type { Decision, RuleDecision } from '../../schema/decision.ts';
import { codeSpan, setTable } from './code-span.ts';

const mostRules = 40;

const words = {
  pass: 'pass',
  fail: '**fail**',
  inconclusive: '**inconclusive**',
  'not-measured': '**not measured**',
} as const satisfies Record<Decision['outcome'], string>;

/** Every rule of a gate with what it said, and how the numbers came about; empty without rules. */
export function ruleTable({ rules = [] }: Decision): string {
  if (rules.length === 0) return '';
  const hasTargets = new Set(rules.map(({ target }) => target)).size > 1;
  const rows = rules
    .slice(0, mostRules)
    .map((rule) => [
      codeSpan(nameOf(rule, hasTargets)),
      words[rule.outcome],
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
