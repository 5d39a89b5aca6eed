import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { stringify } from 'yaml';
import { messageOf, TouchstoneError } from '../../core/errors.ts';
import { displayPath } from '../../core/lib/text/display-path.ts';
import { ownFile, packageName, touchstoneVersion } from '../../core/own-package.ts';
import { makeOutputFolder } from '../../library/api/write-file.ts';
import type { BotChoice } from './beginning.ts';
import { configText, datasetSetting } from './config-text.ts';
import type { QuestionFile } from './survey-questions.ts';
import { relativePath } from '../../core/lib/files/path-within.ts';

/** A file to write. */
export interface PlannedFile {
  readonly name: string;
  readonly text: string;
  /** Its meaning, for the list of written files. */
  readonly meaning: string;
  /** True for a file that is there, and gets something added. */
  readonly isChanged?: boolean;
  /** False for one of many files that another row of the list speaks for. */
  readonly isListed?: boolean;
}

/** The parts of which a project is made. */
export interface ProjectParts {
  readonly folder: string;
  /** The bot; undefined where answers are recorded and no bot is asked. */
  readonly bot: BotChoice | undefined;
  readonly questions: QuestionFile | undefined;
  /** True to list Touchstone in the package.json, which makes a config in TypeScript possible. */
  readonly isSaved: boolean;
}

/** Returns the files of a project, complete with their texts. Nothing is written. */
export function planFiles(parts: ProjectParts): PlannedFile[] {
  const { folder, bot, isSaved } = parts;
  const own =
    bot === undefined
      ? []
      : templateOf(bot) === undefined
        ? filesOfBot(parts, bot)
        : filesOfTemplate(parts, bot);
  const present = existsSync(folder) ? readdirSync(folder) : [];
  return [
    // A project that has a README keeps it.
    ...own.filter(({ name }) => !(name === 'README.md' && present.includes(name))),
    ...ignoring(folder),
    ...(isSaved ? saving(folder) : []),
  ];
}

/** Returns the template of a bot that is not there yet; undefined for one that is. */
export function templateOf({
  kind,
  url,
  command,
  path: file,
}: BotChoice): 'module' | 'command' | 'http' | undefined {
  if (kind === 'http') return url === undefined ? 'http' : undefined;
  if (kind === 'command') return command === undefined ? 'command' : undefined;
  if (kind === 'model') return undefined;
  return file === undefined ? 'module' : undefined;
}

const meanings = {
  sample: 'ten questions to a small shop, to see a run: replace them with your own',
  config: 'which questions go to which bot, and how answers are scored',
};

function filesOfBot({ folder, questions }: ProjectParts, bot: BotChoice): PlannedFile[] {
  const name = 'touchstone.config.yaml';
  const config = {
    name,
    text: withSchema(folder, configText(folder, bot, questions)),
    meaning: meanings.config,
  };
  if (questions !== undefined) return [config];
  return [{ name: 'golden.jsonl', text: sampleQuestions(), meaning: meanings.sample }, config];
}

/** Returns the questions of the sample without the tools of its bot: another has none of these. */
function sampleQuestions(): string {
  const rows = readTemplate('module', 'golden.jsonl').trimEnd().split('\n');
  const withoutTools = rows.map((row) => {
    const { expected_tools: _tools, ...question } = JSON.parse(row) as Record<string, unknown>;
    return JSON.stringify(question);
  });
  return `${withoutTools.join('\n')}\n`;
}

function filesOfTemplate({ folder, questions, isSaved }: ProjectParts, bot: BotChoice): PlannedFile[] {
  const template = templateOf(bot) ?? 'module';
  const readme = readTemplate(template, 'README.md');
  const described = new Map(
    [...readme.matchAll(/^- `([^`]+)`: (.*)$/gm)].map(([, file, meaning = '']) => [file, meaning]),
  );
  const unused = template !== 'module' ? [] : isSaved ? ['touchstone.config.yaml'] : ['touchstone.config.ts'];
  const names = readdirSync(ownFile('templates', template)).sort();
  const kept = names.filter(
    (name) => !unused.includes(name) && !(name === 'golden.jsonl' && questions !== undefined),
  );
  return kept.map((name) => ({
    name,
    text: adapt(name, readTemplate(template, name), { folder, questions, kept }),
    meaning:
      described.get(name.replace(/\.ts$/, name.startsWith('touchstone.config') ? '.yaml' : '.ts')) ?? '',
  }));
}

/** Adapts a file of a template to the questions, and to the files that are written with it. */
function adapt(
  name: string,
  text: string,
  {
    folder,
    questions,
    kept,
  }: Pick<ProjectParts, 'folder' | 'questions'> & { readonly kept: readonly string[] },
): string {
  if (name === 'README.md') {
    const isListed = (line: string) => kept.includes(/^- `([^`]+)`:/.exec(line)?.[1] ?? 'README.md');
    const typed = kept.includes('touchstone.config.ts') ? text.replace('config.yaml', 'config.ts') : text;
    return typed.split('\n').filter(isListed).join('\n');
  }
  if (!name.startsWith('touchstone.config.')) return text;
  const dataset = datasetSetting(folder, questions);
  if (name.endsWith('.ts')) return text.replace("'golden.jsonl'", () => JSON.stringify(dataset));
  return withSchema(
    folder,
    text.replace('dataset: golden.jsonl\n', () => stringify({ dataset }, { lineWidth: 0 })),
  );
}

function readTemplate(template: string, name: string): string {
  return readFileSync(ownFile('templates', template, name), 'utf8');
}

/** Puts the path of the JSON Schema into the first line of a config in YAML, so that editors complete and check it. */
function withSchema(folder: string, text: string): string {
  const schema = ownFile('schemas', 'config.schema.json');
  const installed = path.join(folder, 'node_modules', packageName, 'schemas', 'config.schema.json');
  // A path inside the project is valid on every machine, any other only on this one.
  const shown = relativePath(folder, existsSync(installed) ? installed : schema);
  return `# yaml-language-server: $schema=${shown}\n${text}`;
}

/** Returns the `.gitignore` that leaves out the store. */
function ignoring(folder: string): PlannedFile[] {
  const before = readIfThere(path.join(folder, '.gitignore'));
  if (before?.split('\n').some((line) => /^\/?\.touchstone\/?\s*$/.test(line)) === true) return [];
  const begun =
    before === undefined || before === '' || before.endsWith('\n') ? (before ?? '') : `${before}\n`;
  const name = '.gitignore';
  return [
    {
      name,
      text: `${begun}.touchstone/\n`,
      meaning: 'leaves the stored runs out of git',
      isChanged: before !== undefined,
    },
  ];
}

/** Returns whether the package.json of a folder can get Touchstone into its devDependencies. */
export function canSave(folder: string): boolean {
  const manifest = readManifest(folder);
  return (
    manifest !== undefined &&
    !['dependencies', 'devDependencies'].some((list) => packageName in Object(manifest[list]))
  );
}

function saving(folder: string): PlannedFile[] {
  const manifest = readManifest(folder);
  if (manifest === undefined) {
    throw new TouchstoneError(
      'usage-invalid',
      `\`--save\`: there is no package.json in ${displayPath(folder)} that can be read.`,
      {
        remedy: 'Create one, `npm init -y`, or leave out `--save`.',
      },
    );
  }
  if (!canSave(folder)) return [];
  const text = readIfThere(path.join(folder, 'package.json')) ?? '';
  const [, indent = '  '] = /^([ \t]+)"/m.exec(text) ?? [];
  const devDependencies = { ...Object(manifest['devDependencies']), [packageName]: ownVersion(folder) };
  const changed = `${JSON.stringify({ ...manifest, devDependencies }, null, indent)}\n`;
  return [
    {
      name: 'package.json',
      text: changed,
      meaning: `has ${packageName} among its devDependencies`,
      isChanged: true,
    },
  ];
}

function readManifest(folder: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(readIfThere(path.join(folder, 'package.json')) ?? '') as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

/** Returns what package.json says of Touchstone: its version, or where it is when it did not come from a registry. */
function ownVersion(folder: string): string {
  const root = ownFile();
  if (!root.includes(`node_modules${path.sep}`)) return `file:${relativePath(folder, root)}`;
  return `^${touchstoneVersion}`;
}

function readIfThere(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/** Throws `usage-invalid` when a new file has the name of one that is there: none is replaced. */
export function refuseToReplace(folder: string, files: readonly PlannedFile[]): void {
  const taken = files.filter(
    ({ name, isChanged }) => isChanged !== true && existsSync(path.join(folder, name)),
  );
  if (taken.length === 0) return;
  const names = taken.map(({ name }) => name);
  const isGolden = names.join() === 'golden.jsonl';
  throw new TouchstoneError('usage-invalid', `${displayPath(folder)} already contains ${names.join(', ')}.`, {
    remedy: isGolden
      ? 'Ask its questions: `--questions golden.jsonl`. Nothing was written.'
      : 'Name another folder: `touchstone init my-eval`. Nothing was written.',
  });
}

/** Writes all files, or none: those that are written are removed when one cannot be. Throws `output-unwritable`. */
export function writeFiles(folder: string, files: readonly PlannedFile[]): void {
  const isNew = statSync(folder, { throwIfNoEntry: false }) === undefined;
  makeOutputFolder(folder);
  const written: string[] = [];
  try {
    for (const { name, text, isChanged = false } of files) {
      makeOutputFolder(path.dirname(path.join(folder, name)));
      writeFileSync(path.join(folder, name), text, { flag: isChanged ? 'w' : 'wx' });
      if (!isChanged) written.push(name);
    }
  } catch (error) {
    for (const name of written) rmSync(path.join(folder, name), { force: true });
    if (isNew) rmSync(folder, { recursive: true, force: true });
    throw new TouchstoneError(
      'output-unwritable',
      `${displayPath(folder)} cannot be written to: ${messageOf(error)}.`,
      {
        remedy: 'Name another folder: `touchstone init my-eval`. Nothing was written.',
        cause: error,
      },
    );
  }
}
