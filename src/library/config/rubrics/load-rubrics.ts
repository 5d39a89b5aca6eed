import path from 'node:path';
import { TouchstoneError } from '../../../core/errors.ts';
import { displayPath } from '../../../core/lib/text/display-path.ts';
import { didYouMean } from '../../../core/lib/text/nearest-name.ts';
import { describeScale, isOnScale, type Rubric } from '../../../core/schema/review/rubric.ts';
import { ConfigProblem, describeIssues, explainProblems, type LocateSetting } from '../config-problem.ts';
import { findConfig, loadConfig, type LoadedConfig } from '../load-config.ts';
import { type RubricSetting, rubricSettingSchema, rubricsSettingSchema, toRubric } from './rubric-setting.ts';

/** The rubrics to load, and where they are looked for. */
export interface RubricChoice {
  /** Names under `rubrics` in the config, or files: relative paths that contain a slash or end in .yaml, .yml or .json. */
  readonly names: readonly string[];
  /** A config, or its folder; by default the one in `folder`. */
  readonly config?: string;
  /** The folder that relative paths start from. */
  readonly folder: string;
}

/** A rubric as it was written, which has no version yet. */
export type WrittenRubric = Omit<Rubric, 'version'>;

/**
 * Loads rubrics from the config or from files. Other settings of the config may be invalid. Throws `rubric-not-found` for a
 * name that the config does not declare, and `config-invalid` or `config-unreadable` for a rubric that cannot be used.
 */
export async function loadRubrics({ names, config, folder }: RubricChoice): Promise<WrittenRubric[]> {
  const isAllFiles = names.every(isFile);
  const declared = isAllFiles ? new Map() : await loadDeclared(config ?? folder, folder);
  return await Promise.all(
    names.map(async (name) => {
      if (isFile(name)) return await loadFile(path.resolve(folder, name));
      const found = declared.get(name);
      if (found === undefined) {
        throw new TouchstoneError(
          'rubric-not-found',
          `The config declares no rubric "${name}".${didYouMean(name, declared.keys())}`,
        );
      }
      return await found();
    }),
  );
}

function isFile(name: string): boolean {
  return /[\\/]|\.(ya?ml|json)$/.test(name);
}

/** Returns, by id, the functions that load the rubrics which a config declares. */
async function loadDeclared(
  named: string,
  folder: string,
): Promise<Map<string, () => Promise<WrittenRubric>>> {
  const loaded = await loadConfig(await findConfig(path.resolve(folder, named)));
  const written = (loaded.written as { readonly rubrics?: unknown } | null)?.rubrics ?? {};
  const parsed = rubricsSettingSchema.safeParse(written);
  return await explainProblems(loaded.locate, async () => {
    if (!parsed.success)
      throw problemsIn(describeIssues(parsed.error, written, rubricsSettingSchema), ['rubrics']);
    return new Map(
      Object.entries(parsed.data).map(([id, setting]) => [
        id,
        async () =>
          typeof setting === 'string'
            ? await loadFile(path.resolve(loaded.folder, setting), id)
            : await check(loaded.locate, ['rubrics', id], toRubric(id, setting)),
      ]),
    );
  });
}

/** Loads the rubric of a file. Its id is the name of the file, unless a config declares it under another one. */
async function loadFile(
  file: string,
  id = path.basename(file).replace(/\.\w+$/, ''),
): Promise<WrittenRubric> {
  const { written, locate }: LoadedConfig = await loadConfig(file);
  const setting = await explainProblems(locate, async (): Promise<RubricSetting> => {
    const parsed = rubricSettingSchema.safeParse(written);
    if (!parsed.success) throw problemsIn(describeIssues(parsed.error, written, rubricSettingSchema), []);
    return parsed.data;
  });
  if (/^[\w.-]{1,100}$/.test(id)) return await check(locate, [], toRubric(id, setting));
  throw new TouchstoneError(
    'config-invalid',
    `The name of ${displayPath(file)} cannot be the id of a rubric.`,
    {
      remedy: 'Rename it: up to 100 letters, digits, -, _ and . before the extension.',
    },
  );
}

function problemsIn(
  issues: ConstructorParameters<typeof ConfigProblem>[0],
  at: readonly string[],
): ConfigProblem {
  return new ConfigProblem(issues.map((issue) => ({ ...issue, path: [...at, ...issue.path] })));
}

/** Checks that the values that pass are on the scale. */
async function check(
  locate: LocateSetting,
  at: readonly string[],
  rubric: WrittenRubric,
): Promise<WrittenRubric> {
  return await explainProblems(locate, async () => {
    const wrong = rubric.passing?.findIndex((value) => !isOnScale(value, rubric.scale)) ?? -1;
    if (wrong < 0) return rubric;
    const message = `${JSON.stringify(rubric.passing?.[wrong])} is not on the scale: ${describeScale(rubric.scale)}`;
    throw new ConfigProblem([{ path: [...at, 'passing', wrong], message }]);
  });
}
