import { TouchstoneError } from '../../../errors.ts';
import { parseNearby } from '../../content/open-content.ts';
import type { ImportContent } from '../../content/content.ts';
import { asObject, type Fields } from '../../values.ts';
import { ConfigFiles } from './config-files.ts';
import { testOfRow } from './csv-tests.ts';
import { folderOf, type FoundConfig, isConfig } from './translate-config.ts';

/** The names of a config that contains no code, in the order in which they are looked for. */
const dataNames = ['promptfooconfig.yaml', 'promptfooconfig.yml', 'promptfooconfig.json'];
const codeName = /^promptfooconfig\.[cm]?[jt]s$/;

/** Finds a config of promptfoo: a file, a folder that contains one, or a table of tests. Undefined for anything else. */
export function findConfig(content: ImportContent): FoundConfig | undefined {
  if (content.form === 'csv') return ofTable(content.header, content.rows, content.path);
  if (content.form === 'folder') return inFolder(content);
  if (content.form !== 'json' && content.form !== 'yaml') return undefined;
  if (!isConfig(content.value)) return undefined;
  return found(content.value as Fields, content, false);
}

function found(
  config: Fields,
  content: Extract<ImportContent, { files: unknown }>,
  isFolder: boolean,
): FoundConfig {
  return { config, files: new ConfigFiles(content.files), folder: folderOf(content.path, isFolder) };
}

function inFolder(content: Extract<ImportContent, { form: 'folder' }>): FoundConfig | undefined {
  const name = dataNames.find((each) => content.names.includes(each));
  if (name === undefined) {
    const code = content.names.find((each) => codeName.test(each));
    if (code === undefined) return undefined;
    throw new TouchstoneError('import-invalid', `${content.name}: ${code} is code, which is never run.`, {
      remedy:
        'Write the config as YAML (`promptfoo` prints it in its results under `config`), or import the results.',
    });
  }
  const parsed = parseNearby(content.files.read(name), name);
  const config = 'value' in parsed ? asObject(parsed.value) : undefined;
  return config === undefined ? undefined : found(config, content, true);
}

/** A table is one of promptfoo when a column begins with `__expected`. */
function ofTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  file: string,
): FoundConfig | undefined {
  if (!header.some((column) => column.trim().startsWith('__expected'))) return undefined;
  const none = { read: () => '', list: () => [] };
  return {
    config: { prompts: [], providers: [], tests: rows.map((cells) => testOfRow(header, cells)) },
    files: new ConfigFiles(none),
    folder: folderOf(file, false),
  };
}
