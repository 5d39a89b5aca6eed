import type { Dataset } from '../datasets/dataset.ts';
import { TouchstoneError } from '../errors.ts';
import type { Json } from '../schema/json.ts';
import { findTranslation } from '../conditions/perturbations/language.ts';
import { parseCondition } from './condition-setting.ts';
import type { CheckedConfig } from './config.ts';

/**
 * Throws `usage-invalid` for questions in another language when there is neither a model to translate them nor one case
 * in the dataset that has a translation. Standard input is not looked at: it can be read only once.
 */
export async function refuseUntranslated(
  { perturb, perturbModel }: Pick<CheckedConfig, 'perturb' | 'perturbModel'>,
  dataset: Dataset,
): Promise<void> {
  if (perturbModel !== undefined || dataset.sources.includes('<stdin>')) return;
  for (const { kind, variant } of perturb.map(parseCondition)) {
    if (kind !== 'language' || (await hasTranslation(dataset, variant))) continue;
    const message = `language:${variant} needs a model that translates, and the config names none.`;
    throw new TouchstoneError('usage-invalid', message, {
      remedy: `Set \`perturbModel\` in the config, or give cases a \`metadata.translations.${variant}\`.`,
    });
  }
}

async function hasTranslation(dataset: Dataset, variant: string | undefined): Promise<boolean> {
  for await (const { value } of dataset.drafts()) {
    const metadata = (value['metadata'] ?? {}) as Record<string, Json>;
    if (findTranslation({ metadata, variant }) !== undefined) return true;
  }
  return false;
}
