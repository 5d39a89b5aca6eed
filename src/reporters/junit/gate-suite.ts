import type { Decision, GateOutcome, RuleDecision } from '../../schema/decision.ts';
import { addTest, noTests, type TestCounts } from './test-counts.ts';
import { xmlAttributes, xmlText } from './xml-text.ts';

const outcomes = {
  pass: 'passed',
  fail: 'failure',
  inconclusive: 'error',
  'not-measured': 'error',
} as const satisfies Record<GateOutcome, string>;

/** The numbers of the suite of the gate: a test for the decision, and one for each rule. */
export function countGate({ outcome, rules = [] }: Decision): TestCounts {
  const counts = noTests();
  for (const said of [outcome, ...rules.map((rule) => rule.outcome)]) addTest(counts, outcomes[said], null);
  return counts;
}

/** The tests of the gate as XML. A rule that is not shown to hold does not pass. */
export function gateCases({ outcome, reasons, rules = [] }: Decision): string {
  const decision = { name: 'decision', outcome, message: reasons.join('; ') || outcome, detail: '' };
  return [decision, ...rules.map(toTest)].map(setTest).join('');
}

function toTest({ name, category, target, outcome, reason, arithmetic }: RuleDecision) {
  const place = [name, category, target].filter((part) => part !== undefined).join(' · ');
  return { name: place, outcome, message: reason, detail: arithmetic };
}

function setTest({ name, outcome, message, detail }: ReturnType<typeof toTest>): string {
  const open = `<testcase${xmlAttributes({ name, classname: 'touchstone.gate' })}`;
  const word = outcomes[outcome];
  if (word === 'passed') return `${open}/>\n`;
  return `${open}>\n<${word}${xmlAttributes({ message, type: outcome })}>${xmlText(detail)}</${word}>\n</testcase>\n`;
}
