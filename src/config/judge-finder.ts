import * as judgeExports from '../judges/registry.ts';
import type { Judge, JudgeNeeds } from '../judges/judge.ts';
import { canonicalJson } from '../lib/canonical-json.ts';
import type { NamedUse } from '../lib/define.ts';
import type { ModelNeeds } from '../models/model.ts';
import { isModel, modelRegistry } from './model-registry.ts';
import { createRegistry, resolveUse } from './resolve-use.ts';

const judgeRegistry = createRegistry<'judge', Judge, JudgeNeeds>('judge', judgeExports);

type Written = NamedUse | string;

/** Finds the judges that a config names: the same one for the same words, so that they share its limits. */
export interface JudgeFinder {
  /**
   * The judge of a metric at a place in the config; that of the config itself when the metric names none; undefined when
   * there is neither. Throws `ConfigProblem`.
   */
  find(use: Written | undefined, path: readonly PropertyKey[]): Judge | undefined;
}

/** Makes a finder for one config. */
export function createJudgeFinder(configured: Written | undefined, needs: ModelNeeds): JudgeFinder {
  const judges = new Map<string, Judge>();

  const resolve = (written: Written, path: readonly PropertyKey[]): Judge => {
    const use = isModel(written) ? { use: 'chat-model', model: written } : written;
    const key = canonicalJson(use);
    const found = judges.get(key) ?? create(use, path);
    judges.set(key, found);
    return found;
  };

  const create = (use: Written, path: readonly PropertyKey[]): Judge =>
    resolveUse(use, path, judgeRegistry, {
      environment: needs.environment,
      resolveModel: (model) => resolveUse(model, [...path, 'model'], modelRegistry, needs).instance,
      resolveJudge: (judge) => resolve(judge, [...path, 'judges']),
    }).instance;

  return {
    find: (use, path) => {
      if (use !== undefined) return resolve(use, [...path, 'judge']);
      return configured === undefined ? undefined : resolve(configured, ['judge']);
    },
  };
}
