import { existsSync } from 'node:fs';
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { TouchstoneError } from '../core/errors.ts';
import { makeOutputFolder } from '../library/api/write-file.ts';
import { displayPath } from '../core/lib/text/display-path.ts';

/** A project that was created: its folder, its files, and the template that they come from. */
interface CreatedProject {
  readonly folder: string;
  readonly files: readonly string[];
  readonly source: string;
}

/**
 * Creates a config, a dataset and a target to start from. Throws `usage-invalid` when a file of the same name exists, which is not
 * overwritten; `output-unwritable`.
 * @param template - The name of a folder of `templates/`.
 */
export async function createProject(named: string, template: string): Promise<CreatedProject> {
  const source = fileURLToPath(import.meta.resolve(`touchstone/templates/${template}/README.md`)).replace(
    /README\.md$/,
    '',
  );
  const files = (await readdir(source)).sort();
  const folder = path.resolve(named);
  await refuseToOverwrite(folder, files);
  makeOutputFolder(folder);
  for (const file of files) await cp(path.join(source, file), path.join(folder, file));
  await nameSchema(folder, files);
  return { folder, files, source };
}

/** Writes the path of the JSON Schema into the first line of YAML configs, so that editors complete and check them. */
async function nameSchema(destination: string, files: readonly string[]): Promise<void> {
  const schema = fileURLToPath(import.meta.resolve('touchstone/schemas/config.schema.json'));
  const installed = path.join(destination, 'node_modules', 'touchstone', 'schemas', 'config.schema.json');
  // A path inside the project is valid on every machine, any other only on this one.
  const shown = path
    .relative(destination, existsSync(installed) ? installed : schema)
    .split(path.sep)
    .join('/');
  for (const file of files.filter((name) => name.endsWith('.yaml'))) {
    const target = path.join(destination, file);
    await writeFile(target, `# yaml-language-server: $schema=${shown}\n${await readFile(target, 'utf8')}`);
  }
}

async function refuseToOverwrite(destination: string, files: readonly string[]): Promise<void> {
  const present = await readdir(destination).catch((): string[] => []);
  const taken = files.filter((file) => present.includes(file));
  if (taken.length === 0) return;
  throw new TouchstoneError(
    'usage-invalid',
    `${displayPath(destination)} already contains ${taken.join(', ')}.`,
    {
      remedy: 'Name another folder: `touchstone init my-eval`. Nothing was written.',
    },
  );
}

/** Describes the written files, each with its meaning from the template's README, and the next step. */
export async function describeProject({ folder, files, source }: CreatedProject): Promise<string> {
  const shown = displayPath(folder);
  const readme = await readFile(path.join(source, 'README.md'), 'utf8');
  const where = shown === process.cwd() ? '' : `cd ${shown} && `;
  const meanings = new Map(
    [...readme.matchAll(/^- `([^`]+)`: (.*)$/gm)].map(([, file, meaning]) => [file, meaning]),
  );
  const lines = files.map((file) => `  ${file.padEnd(24)} ${meanings.get(file) ?? ''}`.trimEnd());
  return `Wrote to ${shown}:\n${lines.join('\n')}\n\nNext: ${where}touchstone run\nThen replace the questions and the bot with your own.\n`;
}
