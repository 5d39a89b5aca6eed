import { listCounted } from '../../../../src/look/report/comparison/preferences.ts';
import {
  preferenceChoices,
  preferenceListSchema,
  preferenceAnswersPath,
  preferenceAnswersSchema,
  preferencesPath,
} from '../../../../src/core/schema/api/preference/view.ts';
import type { DataSource } from '../data-source.ts';
import { type EmbeddedAnswers, missingAnswer } from './answers.ts';

/** Creates the source of a comparison of answers in pairs in one file. The verdicts behind a number are chosen here. */
export function createEmbeddedPreferences(answers: EmbeddedAnswers): DataSource {
  const list = preferenceListSchema.parse(answers.read(preferencesPath));
  return {
    isFile: true,
    get: async (path) => {
      const { pathname, searchParams: given } = new URL(path, 'http://report');
      if (pathname === preferencesPath) return await Promise.resolve(list);
      const choice = preferenceChoices.find((each) => each === given.get('choice'));
      if (pathname !== `${preferencesPath}/cases` || choice === undefined) throw missingAnswer(path);
      const { rows } = preferenceAnswersSchema.parse(answers.read(preferenceAnswersPath));
      const pair = list.preferences[0]?.pairs[Number(given.get('pair'))];
      return listCounted(rows, { pair, choice, limit: Number(given.get('limit') ?? 50) });
    },
  };
}
