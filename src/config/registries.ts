import path from 'node:path';
import { TouchstoneError } from '../errors.ts';
import { type NamedUse, rememberedDefinition } from '../lib/define.ts';
import type { ChatModel, ModelNeeds } from '../models/model.ts';
import * as modelExports from '../models/registry.ts';
import * as reporterExports from '../reporters/registry.ts';
import type { Reporter } from '../reporters/reporter.ts';
import { createRegistry } from './resolve-use.ts';

const reporters: readonly Reporter[] = Object.values(reporterExports);

/** The reporter for a file, chosen by the end of its name. Throws `output-invalid`. */
export function findReporterFor(file: string): Reporter {
  const extension = path.extname(file).toLowerCase();
  const found = reporters.find(({ extensions }) => extensions.includes(extension));
  if (found !== undefined) return found;
  const known = reporters.flatMap(({ extensions }) => extensions).join(', ');
  throw new TouchstoneError('output-invalid', `No report is written to files like ${file}.`, {
    remedy: `Use a file name that ends in ${known}, or \`github\` in a GitHub job.`,
  });
}

/** The models that a config can name. */
export const modelRegistry = createRegistry<'model', ChatModel, ModelNeeds>('model', modelExports);

/** Whether a model stands where a judge or a user is asked for: then it is the one that judges, or plays the user. */
export function isModel(written: NamedUse | string): boolean {
  if (typeof written === 'string') return false;
  const remembered = rememberedDefinition(written) as { readonly kind?: string } | undefined;
  if (remembered !== undefined) return remembered.kind === 'model';
  return modelRegistry.definitions.some(({ name }) => name === written.use);
}
