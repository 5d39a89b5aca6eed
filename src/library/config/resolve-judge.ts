import type { Judge, JudgeNeeds } from '../../evaluate/judges/judge.ts';
import * as judgeExports from '../../evaluate/judges/registry.ts';
import { canonicalJson } from '../../core/lib/content-hash.ts';
import type { NamedUse } from '../../core/lib/define.ts';
import type { ModelNeeds } from '../../evaluate/models/model.ts';
import { isModel, modelNames, modelRegistry } from './registries.ts';
import { createRegistry, resolveUse } from './resolve-use.ts';

const judgeRegistry = createRegistry<'judge', Judge, JudgeNeeds>('judge', judgeExports, modelNames);

type Written = NamedUse | string;

/** The judges of a config. Equal settings give the same judge, so that metrics share its limits. */
interface JudgeFinder {
  /**
   * Returns the judge of a metric at a place in the config: its own, else the config's; undefined when there is
   * neither. Throws `ConfigProblem`.
   */
  find(use: Written | undefined, path: readonly PropertyKey[]): Judge | undefined;
}

/** Creates the judge finder of one config. */
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
