import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import path from 'node:path';
import { describeQuestions, type QuestionFile, surveyQuestions } from './survey-questions.ts';
import type { Asking, Surroundings } from './surroundings.ts';

/** Files that another tool left in a folder. */
export interface FoundTool {
  /** In words: `A promptfoo project`. */
  readonly title: string;
  /** The path from the folder that was looked at. */
  readonly file: string;
  /**
   * The way to begin with it: an importer reads it; it may be a file of questions; it is code, which an import runs only when the
   * user trusts it; or it shows only that the tool is used here.
   */
  readonly use: 'import' | 'questions' | 'code' | 'named';
}

/** The beginning of a file that is looked at, in bytes. */
const headBytes = 4096;

/** The files that say which packages a project uses, with the tools to look for in them. */
const manifests: readonly {
  readonly name: RegExp;
  readonly tools: readonly (readonly [title: string, mark: RegExp])[];
}[] = [
  {
    name: /^(?:pyproject\.toml|requirements[\w.-]*\.txt)$/,
    tools: [
      ['DeepEval', /\bdeepeval\b/i],
      ['Inspect', /\binspect[-_]ai\b/i],
    ],
  },
  {
    name: /^package\.json$/,
    tools: [
      ['Evalite', /"evalite"/],
      ['vitest-evals', /"vitest-evals"/],
    ],
  },
];

/** Looks for the files of other tools in a folder: at names, and at the first 4 kB of files. Nothing is run, nothing written. */
function lookAround(folder: string): FoundTool[] {
  const names = namesIn(folder);
  const found: FoundTool[] = [];
  for (const file of names.filter((name) => /^promptfooconfig\.(?:ya?ml|json|[cm]?[jt]s)$/.test(name))) {
    const use = /\.[cm]?[jt]s$/.test(file) ? 'code' : 'import';
    found.push({ title: 'A promptfoo project', file, use });
  }
  const log = namesIn(path.join(folder, 'logs')).findLast((name) => name.endsWith('.eval'));
  if (log !== undefined) found.push({ title: 'A log of Inspect', file: `logs/${log}`, use: 'import' });
  const skill = path.join(folder, 'evals', 'evals.json');
  if (/"(?:evals|skill_name)"\s*:/.test(headOf(skill)))
    found.push({ title: 'Questions of an agent skill', file: 'evals/evals.json', use: 'questions' });
  for (const { name, tools } of manifests) {
    for (const file of names.filter((each) => name.test(each))) {
      const head = headOf(path.join(folder, file));
      for (const [tool, mark] of tools)
        if (mark.test(head) && !found.some(({ title }) => title.includes(tool)))
          found.push({ title: `${tool} is used here`, file, use: 'named' });
    }
  }
  return found;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

function headOf(file: string): string {
  try {
    const opened = openSync(file, 'r');
    try {
      const head = Buffer.alloc(headBytes);
      return head.toString('utf8', 0, readSync(opened, head, 0, headBytes, 0));
    } finally {
      closeSync(opened);
    }
  } catch {
    return '';
  }
}

/** Looks for projects of other tools, and offers to bring one over. Returns the one to begin with; undefined for none. */
export async function chooseTool(
  { flags, asking, say }: Surroundings,
  isOpen: boolean,
): Promise<FoundTool | undefined> {
  if (typeof flags.import === 'string') return { title: '', file: flags.import, use: 'import' };
  if (flags.import === false || !isOpen) return undefined;
  for (const found of lookAround(process.cwd())) {
    const { title, file, use } = found;
    if (use === 'named') say(`${title} (${file}): docs/moving.md says how its data come over.`);
    else if (use === 'code')
      say(
        `${title}, ${file}, which is code: \`touchstone import ${file} --trust\` runs it and brings it over.`,
      );
    else if (asking === undefined)
      say(`${title} is here: \`--${use === 'import' ? 'import' : 'questions'} ${file}\` begins with it.`);
    else if (await offer(found, asking)) return found;
  }
  return undefined;
}

/** Shows what is in the files of another tool, and what would become of it; asks whether to begin with it. */
async function offer({ title, file, use }: FoundTool, { ask }: Asking): Promise<boolean> {
  if (use === 'questions') {
    const found = await surveyQuestions(file).catch((error: unknown) => error);
    if (found instanceof Error) {
      ask.warn(`${title} (${file}): they cannot be asked as they are: ${found.message}`);
      return false;
    }
    return await ask.confirm(`${title}: ${describeQuestions(found as QuestionFile)} Begin with them?`);
  }
  const { translateProject } = await import('../../library/api/import-project.ts');
  const { importText } = await import('../../look/reporters/import-report.ts');
  const project = await translateProject(file).catch((error: unknown) => error as Error);
  if (project instanceof Error) {
    ask.warn(`${title} (${file}) cannot be brought over: ${project.message}`);
    return false;
  }
  if (!(await ask.confirm(`${title}: ${project.record.found}. Bring it over?`))) return false;
  ask.say(importText(project.record, { width: 76, color: false }));
  return await ask.confirm('Write this?');
}

/** Writes a project made of the files of another tool, as `touchstone import` does. */
export async function bringOver(
  { file, title }: FoundTool,
  { flags, output, folder }: Surroundings,
): Promise<number> {
  const { importProject } = await import('../running/import-project.ts');
  const to = folder === process.cwd() ? undefined : flags.folder;
  return await importProject({ file, to, isShown: title !== '', json: flags.json }, output);
}
