import path from 'node:path';
import { locateBaseline } from '../../decide/gate/baselines.ts';
import { didYouMean } from '../../core/lib/text/nearest-name.ts';
import type { Evaluation } from '../../evaluate/run/evaluation.ts';
import type { CaseRule } from '../../core/schema/expected.ts';
import type { Gate, GateRule } from '../../core/schema/gate.ts';
import type { MetricAspect } from '../../core/schema/metric.ts';
import { type ConfigIssue, ConfigProblem } from './config-problem.ts';
import type { CheckedConfig } from './config.ts';

/** The metrics and criteria that the rules of a gate can name. */
export interface GateNames {
  readonly metrics: readonly { readonly name: string; readonly aspect?: MetricAspect | null }[];
  readonly scorecard: { readonly criteria: readonly { readonly name: string }[] } | null;
}

/**
 * Returns the gate of a config, with its baseline as a name or an absolute path, and an absolute folder of certificates. Throws `ConfigProblem` for a rule on an unknown
 * metric or criterion.
 */
export function resolveGate({ gate }: Pick<CheckedConfig, 'gate'>, folder: string, names: GateNames): Gate {
  const issues = Object.entries(gate.rules ?? {}).flatMap(([name, rule]) => findUnknown(name, rule, names));
  if (issues.length > 0) throw new ConfigProblem(issues);
  const { baseline, judge } = gate;
  const attacked = names.metrics.find(({ aspect }) => aspect === 'resisted-attack')?.name;
  const rules = Object.entries(gate.rules ?? {}).map(([name, rule]): [string, GateRule] => [
    name,
    rule.type === 'attack-rate' ? { ...rule, metric: rule.metric ?? attacked } : rule,
  ]);
  return {
    ...gate,
    rules: gate.rules && Object.fromEntries(rules),
    ...(baseline !== undefined && { baseline: locateBaseline(baseline, folder) }),
    ...(judge?.certificates !== undefined && {
      judge: { ...judge, certificates: path.resolve(folder, judge.certificates) },
    }),
  };
}

/** Checks the targets that a gate and its rules name. Throws `ConfigProblem` for one that the config does not have. */
export function checkGateTargets(
  { gate }: Pick<CheckedConfig, 'gate'>,
  targets: readonly { readonly name: string }[],
): void {
  const known = targets.map(({ name }) => name);
  const named = [
    ...(gate.targets ?? []).map((name, index) => ({ name, path: ['gate', 'targets', index] })),
    ...Object.entries(gate.rules ?? {}).map(([rule, { target: name }]) => ({
      name,
      path: ['gate', 'rules', rule, 'target'],
    })),
  ];
  const issues = named.flatMap(({ name, path: at }): ConfigIssue[] => {
    if (name === undefined || known.includes(name)) return [];
    const hint = didYouMean(name, known) || ` Known are ${known.join(', ')}.`;
    return [{ path: at, message: `there is no target "${name}".${hint}` }];
  });
  if (issues.length > 0) throw new ConfigProblem(issues);
}

function findUnknown(ruleName: string, rule: GateRule, { metrics, scorecard }: GateNames): ConfigIssue[] {
  const check = (part: 'metric' | 'criterion', named: readonly { name: string }[]): ConfigIssue[] => {
    const name = (rule as Partial<Record<typeof part, string>>)[part];
    const known = named.map((each) => each.name);
    if (name === undefined || known.includes(name)) return [];
    const hint = didYouMean(name, known) || ` Known are ${known.join(', ') || 'none'}.`;
    const at = ['gate', 'rules', ruleName, part];
    return [{ path: at, message: `there is no ${part} "${name}".${hint}` }];
  };
  return [...check('metric', metrics), ...check('criterion', scorecard?.criteria ?? [])];
}

/**
 * Returns the number of attempts at each case, and the rule on how many of them must pass. `4 of 5` sets both. Throws
 * `ConfigProblem` for more passes than attempts, and for contradicting numbers of attempts.
 */
export function resolveAttempts({
  attempts,
  passes,
  curtail,
  scorecard,
}: Pick<CheckedConfig, 'attempts' | 'passes' | 'curtail' | 'scorecard'>): Pick<
  Evaluation,
  'attempts' | 'caseRule'
> {
  if (passes === undefined) return { attempts };
  const [needed, of = attempts] = typeof passes === 'number' ? [passes] : readRule(passes);
  if (attempts !== 1 && attempts !== of) {
    throw problem(`it sets ${of} attempts, but \`attempts\` is ${attempts}`);
  }
  if (needed > of) {
    const made = of === 1 ? 'one is made' : `${of} are made`;
    throw problem(
      `${needed} attempts cannot pass where ${made}: write as in \`4 of 5\`, or raise \`attempts\``,
    );
  }
  if (scorecard === null) throw problem('it needs a scorecard: without one no attempt passes or fails');
  const caseRule: CaseRule = { passes: needed, isCurtailed: curtail };
  return { attempts: of, caseRule };
}

/** Parses a rule such as `4 of 5`. */
function readRule(text: string): [needed: number, of: number] {
  const [needed, of] = text.split('of').map(Number);
  return [needed ?? Number.NaN, of ?? Number.NaN];
}

function problem(message: string): ConfigProblem {
  return new ConfigProblem([{ path: ['passes'], message }]);
}
