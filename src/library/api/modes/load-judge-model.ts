import { TouchstoneError } from '../../../core/errors.ts';
import type { NamedUse } from '../../../core/lib/define.ts';
import type { ChatModel } from '../../../evaluate/models/model.ts';
import type { Config } from '../../config/config.ts';
import { explainProblems } from '../../config/config-problem.ts';
import { readConfig } from '../../config/load-config.ts';
import { loadModel } from '../../config/load-model.ts';
import { isModel } from '../../config/registries.ts';
import { checkConfig } from '../../config/resolve.ts';

/** The model to load, and where it is looked for. */
export interface JudgeModelChoice {
  /** A model as in a config, its file, or its name; the model of the config's judge by default. */
  readonly model?: NamedUse | string;
  readonly config?: Config | string;
  readonly folder?: string;
}

/** Loads the chat model of a config's judge. Throws `judge-missing` where there is none, with the remedy that is given. */
export async function loadJudgeModel(
  { model, config, folder = process.cwd() }: JudgeModelChoice,
  remedy: string,
): Promise<ChatModel> {
  if (model !== undefined) return await loadModel(model, folder);
  const loaded = await readConfig(config, folder);
  const { judge } = await explainProblems(loaded.locate, async () => checkConfig(loaded.written));
  const own = judge === undefined || isModel(judge) ? judge : modelIn(judge);
  if (own === undefined)
    throw new TouchstoneError('judge-missing', 'The config names no judge that is a chat model.', { remedy });
  return await loadModel(own, loaded.folder);
}

/** Returns the model of a judge that has one; undefined for any other. */
function modelIn(judge: NamedUse | string): NamedUse | string | undefined {
  const { model } = (typeof judge === 'string' ? {} : judge) as { readonly model?: NamedUse | string };
  return model;
}
