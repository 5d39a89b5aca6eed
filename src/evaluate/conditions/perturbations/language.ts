import { isContainer } from '../../../core/lib/json/is-container.ts';
import { TargetFailure } from '../../targets/target.ts';
import type { Perturbation, QuestionContext } from './perturbation.ts';

/** A question in another language: the dataset's translation, else one by a model. */
export const language: Perturbation = {
  kind: 'language',
  version: 1,
  summary:
    'Another language, as in language:German: from `metadata.translations.German` of the question, else by `perturbModel`.',
  variants: 'a language, such as `language:German`',
  model: 'needed',
  perturb: async (question, context) => {
    const translation = findTranslation(context);
    if (translation !== undefined) return translation;
    const { variant = '', rewrite } = context;
    if (rewrite !== undefined) return await rewrite(taskFor(variant), question);
    throw new TargetFailure(
      'no-translation',
      `the question has no \`metadata.translations.${variant}\`, and the config names no \`perturbModel\``,
    );
  },
};

/** Returns the translation in a case's metadata; the name of its language is compared without regard to case. */
export function findTranslation({
  metadata,
  variant = '',
}: Pick<QuestionContext, 'metadata' | 'variant'>): string | undefined {
  const { translations } = metadata;
  if (!isContainer(translations) || Array.isArray(translations)) return undefined;
  const found = Object.entries(translations).find(([name]) => name.toLowerCase() === variant.toLowerCase());
  return typeof found?.[1] === 'string' ? found[1] : undefined;
}

function taskFor(wanted: string): string {
  return (
    `Translate the question into this language: ${wanted}. Keep every name, number, date, id, address and quotation ` +
    'exactly as it stands.'
  );
}
