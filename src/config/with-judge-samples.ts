import { type NamedUse, withOptions } from '../lib/define.ts';
import { judgedOptions } from '../metrics/judged/judged-options.ts';
import { findDefinition, type Registry } from './resolve-use.ts';

/**
 * The same metric, with so many samples in place of its own where it asks a judge. Throws `ConfigProblem` for one that is not
 * known.
 */
export function withJudgeSamples<Instance, Needs>(
  written: NamedUse | string,
  samples: number | undefined,
  {
    path,
    registry,
  }: { readonly path: readonly PropertyKey[]; readonly registry: Registry<'metric', Instance, Needs> },
): NamedUse | string {
  if (samples === undefined) return written;
  const use = typeof written === 'string' ? { use: written } : written;
  const { options } = findDefinition(use, path, registry);
  const isJudged =
    'shape' in options && (options.shape as object as Shape).samples === judgedOptions().shape.samples;
  return isJudged ? withOptions(use, { samples }) : written;
}

interface Shape {
  readonly samples?: unknown;
}
