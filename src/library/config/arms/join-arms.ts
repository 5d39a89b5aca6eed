import type { TargetChoice } from '../../../decide/analysis/compare/compared-run.ts';
import {
  findRuleNotices,
  findTargetChanges,
  type RunRules,
} from '../../../decide/analysis/compare/find-notices.ts';
import { TouchstoneError } from '../../../core/errors.ts';
import { canonicalJson } from '../../../core/lib/content-hash.ts';
import { toTerminalText } from '../../../core/lib/text/terminal-text.ts';
import { describeTargetChanges } from '../../../look/report/comparison/phrases.ts';
import type { Evaluation, ResolvedTarget } from '../../../evaluate/run/evaluation.ts';
import { hashPlan } from '../../../evaluate/run/prepare/plan.ts';
import { gateSchema } from '../../../core/schema/gate.ts';
import { joinSecrets } from '../known-secrets.ts';
import type { LoadedEvaluation } from '../load-evaluation.ts';

/** An A/B test that is ready to run. */
export interface LoadedArms {
  /** The evaluation of both targets over one dataset, in turns. */
  readonly loaded: LoadedEvaluation;
  /** The names of the two targets in it. */
  readonly targets: TargetChoice;
}

/**
 * Joins two evaluations into one over a target of each. Both have to ask the same questions and score by the same rules.
 * Throws `usage-invalid` when they differ in that, and when both targets are the same.
 */
export async function joinArms(a: LoadedEvaluation, b: LoadedEvaluation): Promise<LoadedArms> {
  const differences = await findArmDifferences(a, b);
  if (differences.length > 0) throw notComparable(differences);
  const [first, second] = pickArms(a.evaluation.targets, b.evaluation.targets);
  const [armA, armB] = first.name === second.name ? [named(first, 'a'), named(second, 'b')] : [first, second];
  return {
    loaded: {
      ...a,
      evaluation: {
        ...a.evaluation,
        targets: [armA, armB],
        notices: [...(a.evaluation.notices ?? []), describeArms(armA, armB)],
        ...caseRuleOf(a),
        isInterleaved: true,
        gate: gateSchema.parse({}),
        ...secretsOf(a, b),
      },
    },
    targets: { a: armA.name, b: armB.name },
  };
}

/** Returns the rule on attempts without early stopping: both targets make all attempts, so that these stay paired. */
function caseRuleOf({ evaluation: { caseRule } }: LoadedEvaluation): Pick<Evaluation, 'caseRule'> {
  return caseRule === undefined ? {} : { caseRule: { ...caseRule, isCurtailed: false } };
}

function secretsOf(a: LoadedEvaluation, b: LoadedEvaluation): Pick<Evaluation, 'secrets'> {
  const [one, other] = [a.evaluation.secrets, b.evaluation.secrets];
  return { secrets: one === undefined || other === undefined ? (one ?? other) : joinSecrets(one, other) };
}

function named(target: ResolvedTarget, side: 'a' | 'b'): ResolvedTarget {
  return { ...target, name: `${target.name}-${side}` };
}

function notComparable(differences: readonly string[]): TouchstoneError {
  const list = differences.map((difference) => `\n  ${difference}`).join('');
  const message = `A and B must differ only in the target, since a difference in the rules would change scores too. They also differ in:${list}`;
  return new TouchstoneError('usage-invalid', message, {
    remedy:
      'Make these the same on both sides; to compare runs that were made by different rules, use `touchstone rescore` and `touchstone compare`.',
  });
}

/** Describes which targets are A and B, and what differs in B. */
function describeArms(a: ResolvedTarget, b: ResolvedTarget): string {
  const changes = describeTargetChanges(findTargetChanges(a, b)) ?? [];
  const texts = changes.map((part) => (typeof part === 'string' ? part : toTerminalText(part.quoted)));
  return `A is ${a.name}, B is ${b.name}. ${texts.join('')}.`;
}

/** Describes each difference between two evaluations besides their targets: in the dataset, the rules and the settings. */
async function findArmDifferences(a: LoadedEvaluation, b: LoadedEvaluation): Promise<string[]> {
  const [ofA, ofB] = [a.evaluation, b.evaluation];
  return [
    ...((await hasSameCases(a, b)) ? [] : [describeDatasets(ofA, ofB)]),
    ...findRuleNotices(rulesOf(ofA), rulesOf(ofB)).map(({ name, message }) =>
      name === undefined ? message : `metric ${name} ${message}`,
    ),
    ...settingDifferences(settingsOf(ofA), settingsOf(ofB)),
  ];
}

/** Returns whether both ask the same cases. A stream can be read only once, so there the settings are compared. */
async function hasSameCases(a: LoadedEvaluation, b: LoadedEvaluation): Promise<boolean> {
  const isOneSetting = canonicalJson(a.config.dataset) === canonicalJson(b.config.dataset);
  if (isOneSetting && a.folder === b.folder) return true;
  const isReadOnce = [a, b].some(({ evaluation }) => evaluation.dataset.isReadOnce);
  if (isReadOnce) return isOneSetting;
  return (await hashPlan(a.evaluation)) === (await hashPlan(b.evaluation));
}

function describeDatasets({ dataset: a }: Evaluation, { dataset: b }: Evaluation): string {
  return `the datasets have different questions: ${a.sources.join(', ')} in A, ${b.sources.join(', ')} in B`;
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
    .map((name) => `${name} is ${formatValue(a[name])} in A and ${formatValue(b[name])} in B`);
}

function formatValue(value: unknown): string {
  return value === undefined ? 'not set' : JSON.stringify(value);
}

/**
 * Returns the two targets of an A/B test: the only one of each side, else the only pair of equal names that differs, else
 * the two targets of one config in their order. Throws `usage-invalid` when several pairs remain, or none that differs.
 */
function pickArms(
  a: readonly ResolvedTarget[],
  b: readonly ResolvedTarget[],
): [ResolvedTarget, ResolvedTarget] {
  const pairs = findPairs(a, b);
  const [pair] = pairs;
  if (pair === undefined) throw nothingDiffers(a);
  if (pairs.length > 1) throw notOne(a, b);
  return pair;
}

function findPairs(
  a: readonly ResolvedTarget[],
  b: readonly ResolvedTarget[],
): [ResolvedTarget, ResolvedTarget][] {
  const all = a.flatMap((one) =>
    b.flatMap((other): [ResolvedTarget, ResolvedTarget][] =>
      one.fingerprint === other.fingerprint ? [] : [[one, other]],
    ),
  );
  const sameNames = all.filter(([one, other]) => one.name === other.name);
  if (sameNames.length > 0) return sameNames;
  // A config with two targets, on both sides: the pair and its mirror image.
  return all.filter(
    ([one, other], place) =>
      !all.slice(0, place).some(([before, after]) => before.name === other.name && after.name === one.name),
  );
}

const waysToNameArms =
  'Name two configs (`touchstone ab a.config.json b.config.json`), two targets of one config (`--a v1 --b v2`), or a setting to change for B (`--set targets.0.model.model=gpt-5-mini`).';

function nothingDiffers(targets: readonly ResolvedTarget[]): TouchstoneError {
  const names = namesOf(targets);
  const message = `A and B are the same (${names}): there is nothing to compare.`;
  return new TouchstoneError('usage-invalid', message, { remedy: waysToNameArms });
}

function notOne(a: readonly ResolvedTarget[], b: readonly ResolvedTarget[]): TouchstoneError {
  const [namesA, namesB] = [namesOf(a), namesOf(b)];
  const has = namesA === namesB ? `They have ${namesA}` : `A has ${namesA}; B has ${namesB}`;
  const message = `It is not clear which targets are A and B. ${has}.`;
  return new TouchstoneError('usage-invalid', message, { remedy: 'Name them: `--a NAME --b NAME`.' });
}

function namesOf(targets: readonly ResolvedTarget[]): string {
  return targets.map(({ name }) => name).join(', ');
}
