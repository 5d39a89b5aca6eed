import { decisionWarnings } from '../../report/judged-rates.ts';
import type { Decision, RuleDecision } from '../../../core/schema/decision.ts';
import type { Run } from '../../../core/schema/run.ts';
import { type Block, paragraph, table, note } from '../blocks/block.ts';
import { quoted, span, type Text, textWidth, type Tone } from '../blocks/text.ts';

const mostReasons = 12;
const longestReason = 600;

const outcomes = {
  pass: ['PASS', 'good'],
  fail: ['FAIL', 'bad'],
  inconclusive: ['INCONCLUSIVE', 'fair'],
  'not-measured': ['NOT MEASURED', 'fault'],
} as const satisfies Record<Decision['outcome'], readonly [string, Tone]>;

/** Lays out the decision of a gate with its first reasons and warnings; empty without a gate. */
export function decisionBlocks({ gate }: Pick<Run, 'gate'>, decision: Decision, most = mostReasons): Block[] {
  const { outcome, reasons, rules } = decision;
  const isUngated = outcome === 'pass' && gate.failUnder === undefined && rules === undefined;
  const warnings = decisionWarnings(decision).map((text) =>
    entry([span('WARNING', 'fair'), span('  ')], text),
  );
  // Without a gate there is no decision to show.
  if (isUngated && reasons.length === 0) return warnings;
  const [label, tone] = isUngated ? (['DONE', 'strong'] as const) : outcomes[outcome];
  const mark = [{ text: label, tone, isStrong: true }, span('  ')];
  const [first = '', ...others] = reasons.slice(0, most);
  const blank = [span(' '.repeat(textWidth(mark)))];
  return [
    entry(mark, first),
    ...others.map((reason) => entry(blank, reason)),
    ...(reasons.length > most ? [entry(blank, `… and ${reasons.length - most} more`)] : []),
    ...warnings.slice(0, most),
  ];
}

function entry(mark: Text, text: string): Block {
  return paragraph([quoted(text, undefined, longestReason)], { mark, indent: 0 });
}

const mostShownRules = 5;
const longestRule = 400;

/** Lays out the decision of a sequential gate that ended the run: the savings, and the arithmetic of each rule. */
export function sequentialBlocks({ sequential, outcome, reasons, rules = [] }: Decision): Block[] {
  const [first, caution] = reasons;
  if (sequential?.isDecided !== true || first === undefined) return [];
  const label = outcome === 'pass' ? span('PASS', 'good') : span('FAIL', 'bad');
  const rest = rules.length - mostShownRules;
  const quiet = (text: string) => paragraph([quoted(text, 'quiet', longestRule)]);
  return [
    paragraph([quoted(first, undefined, longestRule)], { mark: [label, span('  ')], indent: 0 }),
    ...rules.slice(0, mostShownRules).map(({ name, arithmetic }) => quiet(`${name}: ${arithmetic}`)),
    ...(caution === undefined || sequential.saved?.calls === 0 ? [] : [quiet(caution)]),
    note(rest > 0 ? `… and ${rest} more rules` : ''),
  ];
}

const mostRules = 40;
const widestCell = 200;

const ruleOutcomes = {
  pass: span('pass'),
  fail: span('fail', 'strong'),
  inconclusive: span('inconclusive', 'strong'),
  'not-measured': span('not measured', 'strong'),
} as const satisfies Record<Decision['outcome'], unknown>;

/** Lays out the rules of a gate with its decision, the reason and the arithmetic; empty without rules. */
export function ruleBlocks({ rules = [] }: Decision, most = mostRules): Block[] {
  const hasTargets = new Set(rules.map(({ target }) => target)).size > 1;
  const rows = rules
    .slice(0, most)
    .map((rule) => [
      [quoted(nameOf(rule, hasTargets))],
      [ruleOutcomes[rule.outcome]],
      [quoted(rule.reason, undefined, widestCell)],
      [quoted(rule.arithmetic, undefined, widestCell)],
    ]);
  const rest = rules.length - most;
  return [
    table(
      ['rule', 'decision', 'because', 'arithmetic'].map((title) => ({ title })),
      rows,
    ),
    ...(rest > 0 ? [paragraph([span(`… and ${rest} more`)])] : []),
  ];
}

function nameOf({ name, category, target }: RuleDecision, hasTargets: boolean): string {
  return [name, category, hasTargets ? target : undefined].filter((part) => part !== undefined).join(' · ');
}
