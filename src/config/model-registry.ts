import { type NamedUse, rememberedDefinition } from '../lib/define.ts';
import type { ChatModel, ModelNeeds } from '../models/model.ts';
import * as modelExports from '../models/registry.ts';
import { createRegistry } from './resolve-use.ts';

/** The models that a config can name. */
export const modelRegistry = createRegistry<'model', ChatModel, ModelNeeds>('model', modelExports);

/** Whether a model stands where a judge or a user is asked for: then it is the one that judges, or plays the user. */
export function isModel(written: NamedUse | string): boolean {
  if (typeof written === 'string') return false;
  const remembered = rememberedDefinition(written) as { readonly kind?: string } | undefined;
  if (remembered !== undefined) return remembered.kind === 'model';
  return modelRegistry.definitions.some(({ name }) => name === written.use);
}
