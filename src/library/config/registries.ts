import path from 'node:path';
import { TouchstoneError } from '../../core/errors.ts';
import { type NamedUse, rememberedDefinition } from '../../core/lib/define.ts';
import type { ChatModel, ModelNeeds } from '../../evaluate/models/model.ts';
import { providerModels } from '../../evaluate/models/providers/provider-models.ts';
import * as modelExports from '../../evaluate/models/registry.ts';
import * as reporterExports from '../../look/reporters/registry.ts';
import type { Reporter } from '../../look/reporters/reporter.ts';
import { createRegistry } from './resolve-use.ts';

const reporters: readonly Reporter<string | Uint8Array>[] = Object.values(reporterExports);

/** Returns the reporter for a file by its extension. Throws `output-invalid`. */
export function findReporterFor(file: string): Reporter<string | Uint8Array> {
  const extension = path.extname(file).toLowerCase();
  const found = reporters.find(({ extensions }) => extensions.includes(extension));
  if (found !== undefined) return found;
  const known = reporters.flatMap(({ extensions }) => extensions).join(', ');
  throw new TouchstoneError('output-invalid', `A report cannot be written as ${file}.`, {
    remedy: `Use a file name that ends in ${known}, or \`github\` in a GitHub job.`,
  });
}

/** The registry of models: the kinds of them, and the providers by name. */
export const modelRegistry = createRegistry<'model', ChatModel, ModelNeeds>('model', {
  ...modelExports,
  ...providerModels,
});

/** The models that a `use` of another kind may name, in place of a target, a judge or a user. */
export const modelNames: readonly string[] = modelRegistry.definitions.map(({ name }) => name).sort();

/** Returns whether a `use` names a model. In place of a target it is asked, of a judge it judges, of a user it plays the user. */
export function isModel(written: NamedUse | string): boolean {
  if (typeof written === 'string') return false;
  const remembered = rememberedDefinition(written) as { readonly kind?: string } | undefined;
  if (remembered !== undefined) return remembered.kind === 'model';
  return modelNames.includes(written.use);
}
