import path from 'node:path';
import { didYouMean } from '../lib/nearest-name.ts';
import { locateBaseline } from '../gate/baselines/named-baselines.ts';
import type { Gate } from '../schema/gate.ts';
import type { GateRule } from '../schema/gate-rule.ts';
import type { CheckedConfig } from './config.ts';
import { parseStoreSetting } from './store-setting.ts';
import { type ConfigIssue, ConfigProblem } from './config-problem.ts';

/** What rules of a gate can name. */
export interface GateNames {
  readonly metrics: readonly { readonly name: string }[];
  readonly scorecard: { readonly criteria: readonly { readonly name: string }[] } | null;
}

/**
 * The gate of a config, with the baseline as the path of a file. Throws `ConfigProblem` for a rule about a metric or a
 * criterion that is not there.
 */
export function resolveGate(
  { gate, store }: Pick<CheckedConfig, 'gate' | 'store'>,
  folder: string,
  names: GateNames,
): Gate {
  const issues = Object.entries(gate.rules ?? {}).flatMap(([name, rule]) => findUnknown(name, rule, names));
  if (issues.length > 0) throw new ConfigProblem(issues);
  if (gate.baseline === undefined) return gate;
  const storeFolder = path.resolve(folder, parseStoreSetting(store).path);
  return { ...gate, baseline: locateBaseline(gate.baseline, { folder, storeFolder }) };
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
