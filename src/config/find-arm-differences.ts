import { canonicalJson } from '../lib/canonical-json.ts';
import { findRuleNotices, type RunRules } from '../analysis/compare/find-notices.ts';
import type { Evaluation } from '../run/evaluation.ts';
import { hashPlan } from '../run/prepare/plan.ts';
import type { LoadedEvaluation } from './load-evaluation.ts';

/** In what two evaluations differ beside their targets, a sentence each: what is asked, how often and how, and how it is scored. */
export async function findArmDifferences(a: LoadedEvaluation, b: LoadedEvaluation): Promise<string[]> {
  const [ofA, ofB] = [a.evaluation, b.evaluation];
  return [
    ...((await asksTheSame(a, b)) ? [] : [tellDatasets(ofA, ofB)]),
    ...findRuleNotices(rulesOf(ofA), rulesOf(ofB)).map(({ name, message }) =>
      name === undefined ? message : `metric ${name} ${message}`,
    ),
    ...settingDifferences(settingsOf(ofA), settingsOf(ofB)),
  ];
}

/** What is read once, such as standard input, is only the same where both are the one setting. */
async function asksTheSame(a: LoadedEvaluation, b: LoadedEvaluation): Promise<boolean> {
  const isOneSetting = canonicalJson(a.config.dataset) === canonicalJson(b.config.dataset);
  if (isOneSetting && a.folder === b.folder) return true;
  const isReadOnce = [a, b].some(({ evaluation }) => evaluation.dataset.sources.includes('<stdin>'));
  if (isReadOnce) return isOneSetting;
  return (await hashPlan(a.evaluation)) === (await hashPlan(b.evaluation));
}

function tellDatasets({ dataset: a }: Evaluation, { dataset: b }: Evaluation): string {
  return `the datasets do not hold the same cases: ${a.sources.join(', ')} in A, ${b.sources.join(', ')} in B`;
}

function rulesOf({ metrics, scorecard, users }: Evaluation): RunRules {
  const { evaluate: _rule, ...card } = scorecard ?? {};
  const rules = { metrics, scorecard: scorecard === null ? null : (card as RunRules['scorecard']) };
  return { ...rules, ...(users.simulated !== undefined && { user: users.simulated }) };
}

function settingsOf(evaluation: Evaluation): Record<string, unknown> {
  const { attempts, caseRule, seed, settings, reusesJudgements } = evaluation;
  return { attempts, caseRule, seed, ...settings, judgeCache: reusesJudgements };
}

function settingDifferences(a: Record<string, unknown>, b: Record<string, unknown>): string[] {
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return names
    .filter((name) => canonicalJson(a[name]) !== canonicalJson(b[name]))
    .map((name) => `${name} is ${tell(a[name])} in A and ${tell(b[name])} in B`);
}

function tell(value: unknown): string {
  return value === undefined ? 'not set' : JSON.stringify(value);
}
