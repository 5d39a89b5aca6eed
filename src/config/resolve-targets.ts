import { TouchstoneError } from '../errors.ts';
import { hashContent } from '../lib/content-hash.ts';
import { didYouMean } from '../lib/text/nearest-name.ts';
import type { LiveTarget } from '../run/evaluation.ts';
import * as targetExports from '../targets/registry.ts';
import type { Target, TargetNeeds } from '../targets/target.ts';
import type { CheckedConfig } from './config.ts';
import { modelRegistry } from './registries.ts';
import { readDataFile } from './load-config.ts';
import { refuseDuplicates } from './config-problem.ts';
import type { ResolveNeeds } from './resolve-needs.ts';
import { createRegistry, resolveUse, withSetting } from './resolve-use.ts';

const targetRegistry = createRegistry<'target', Target, TargetNeeds>('target', targetExports);

/** The targets of a config that are asked for by name, or all. Throws `ConfigProblem` or `usage-invalid`. */
export async function resolveTargets(config: CheckedConfig, needs: ResolveNeeds): Promise<LiveTarget[]> {
  const targets = config.targets.map((written, index) => resolveTarget(written, ['targets', index], needs));
  refuseDuplicates('targets', targets);
  return await identifyTargets(keepNamed(targets, needs.targetNames));
}

interface ResolvedTarget extends LiveTarget {
  readonly version: number;
  readonly path: readonly PropertyKey[];
}

function resolveTarget(
  written: CheckedConfig['targets'][number],
  path: readonly PropertyKey[],
  { folder, environment }: ResolveNeeds,
): ResolvedTarget {
  const needs: TargetNeeds = {
    folder,
    environment,
    readRows: (file) => readDataFile(file, folder),
    resolveModel: (model) =>
      resolveUse(model, [...path, 'model'], modelRegistry, { folder, environment }).instance,
  };
  const { instance, ...rest } = resolveUse(written, path, targetRegistry, needs);
  return { ...rest, path, target: instance };
}

/** Targets whose answers come from more than their options: another prompt, another model is another target. */
async function identifyTargets(targets: readonly ResolvedTarget[]): Promise<LiveTarget[]> {
  return await Promise.all(
    targets.map(async ({ name, use, version, fingerprint, path, target }) => {
      try {
        const identity = await target.identity?.();
        if (identity === undefined) return { name, use, fingerprint, target };
        return { name, use, fingerprint: hashContent({ use: use.use, version, identity }), target };
      } catch (error) {
        throw withSetting(error, path);
      }
    }),
  );
}

function keepNamed(
  targets: ResolvedTarget[],
  names: readonly string[] | undefined,
): readonly ResolvedTarget[] {
  if (names === undefined || names.length === 0) return targets;
  const known = targets.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const message = `No target is named "${unknown}".${didYouMean(unknown, known)}`;
    throw new TouchstoneError('usage-invalid', message, { remedy: `Choose from ${known.join(', ')}.` });
  }
  return targets.filter(({ name }) => names.includes(name));
}
