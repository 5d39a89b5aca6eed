import { hashContent } from '../lib/content-hash.ts';
import type { NamedUse } from '../lib/define.ts';
import type { ModelNeeds } from '../models/model.ts';
import type { LiveUser, Users } from '../run/evaluation.ts';
import * as userExports from '../users/registry.ts';
import type { User, UserNeeds } from '../users/user.ts';
import type { CheckedConfig } from './config.ts';
import { isModel, modelRegistry } from './model-registry.ts';
import { createRegistry, resolveUse, withSetting } from './resolve-use.ts';

const userRegistry = createRegistry<'user', User, UserNeeds>('user', userExports);

const path = ['user'];

/** The users that talk to the targets: the one that the config names, and the one that reads out scripts. Throws `ConfigProblem`. */
export async function resolveUsers(
  { user }: CheckedConfig,
  { folder, environment }: ModelNeeds,
): Promise<Users> {
  const needs: UserNeeds = {
    folder,
    environment,
    resolveModel: (model) =>
      resolveUse(model, [...path, 'model'], modelRegistry, { folder, environment }).instance,
  };
  const { instance: scripted } = resolveUse('scripted-user', path, userRegistry, needs);
  return user === undefined ? { scripted } : { scripted, simulated: await resolveSimulated(user, needs) };
}

async function resolveSimulated(written: NamedUse | string, needs: UserNeeds): Promise<LiveUser> {
  const simulated = isModel(written) ? { use: 'simulated-user', model: written } : written;
  const { name, use, version, fingerprint, instance } = resolveUse(simulated, path, userRegistry, needs);
  try {
    const identity = await instance.identity?.();
    if (identity === undefined) return { name, use, fingerprint, user: instance };
    return { name, use, fingerprint: hashContent({ use: use.use, version, identity }), user: instance };
  } catch (error) {
    throw withSetting(error, path);
  }
}
