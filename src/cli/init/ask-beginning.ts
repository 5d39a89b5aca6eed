import { existsSync } from 'node:fs';
import { TouchstoneError } from '../../core/errors.ts';
import { packageName } from '../../core/own-package.ts';
import { shorten } from '../../core/lib/text/terminal-text.ts';
import type { FieldOverrides } from '../../evaluate/datasets/field-mapping.ts';
import { ask } from './ask.ts';
import { type BotChoice, type BotKind, checkAddress, readBody } from './beginning.ts';
import { isPython } from './config-text.ts';
import { greeting, type Probe } from './probe-bot.ts';
import { columnsOf, describeQuestions, type QuestionFile, surveyQuestions } from './survey-questions.ts';

/** Asks where the bot is, and what is needed to reach it there. */
export async function askForBot(): Promise<BotChoice> {
  const kind = await ask.choose<BotKind>('Where is your bot?', [
    { value: 'http', label: 'At a web address', hint: 'it answers HTTP requests' },
    { value: 'command', label: 'It is a program', hint: 'in any language' },
    { value: 'module', label: 'It is a function', hint: 'in TypeScript, JavaScript or Python' },
    { value: 'model', label: 'It is a model, asked as it is' },
    { value: 'sample', label: 'Nowhere yet', hint: 'begin with a sample' },
  ]);
  return await askForDetails({ kind });
}

async function askForDetails(bot: BotChoice): Promise<BotChoice> {
  switch (bot.kind) {
    case 'http': {
      const url = await ask.line('Its address?', {
        example: 'http://127.0.0.1:8080/chat',
        check: checkAddress,
      });
      const question = 'The JSON that it takes? {{input}} stands for the question.';
      const body = await ask.line(question, { initial: '{"input": "{{input}}"}', check: readBody });
      return { ...bot, url, body: readBody(body) };
    }
    case 'command': {
      const command = await ask.line('How is it started?', { example: 'python3 bot.py' });
      const mode = await ask.choose('How does it get a question?', [
        {
          value: 'once',
          label: 'It is started for each, reads it from standard input and prints the answer',
        },
        { value: 'lines', label: 'It keeps running: a line of JSON in, a line of JSON out', hint: 'faster' },
      ]);
      return { ...bot, command, isStartedOnce: mode === 'once' };
    }
    case 'module':
      return {
        ...bot,
        path: await ask.line('The file that exports it?', {
          example: 'bot.ts, bot.py',
          check: checkFunction,
        }),
      };
    case 'model':
      return { ...bot, model: await ask.line('Which one?', { example: 'gpt-5-mini, or anthropic:NAME' }) };
    case 'sample':
      return bot;
  }
}

/** Checks that the file of a function is there, `bot.ts` or `bot.py:answer`. Throws `usage-invalid`. */
function checkFunction(file: string): void {
  checkFile(isPython(file) ? file.replace(/:\w+$/, '') : file);
}

/** Checks that a file is there. Throws `usage-invalid`. */
function checkFile(file: string): void {
  if (existsSync(file)) return;
  throw new TouchstoneError('usage-invalid', `There is no file ${file}.`, {
    remedy: 'Its path begins in this folder.',
  });
}

/** Asks whether the bot may be asked something. */
export async function askToProbe(): Promise<boolean> {
  return await ask.confirm(`May I send it "${greeting}", once, to see where its answer is?`);
}

/** Asks which text of a reply is the answer. Returns its path; undefined for none of them. */
export async function askForAnswer({
  texts,
}: Extract<Probe, { outcome: 'unclear' }>): Promise<string | undefined> {
  const choices = texts.map(({ at, text }) => ({ value: at, label: at, hint: shorten(text, 50) }));
  const none = { value: '', label: 'None of them' };
  const at = await ask.choose('Which of these is its answer?', [...choices, none]);
  return at === '' ? undefined : at;
}

/** Asks for the file with the questions. Undefined where there is none yet. */
export async function askForQuestions(here: string | undefined): Promise<QuestionFile | undefined> {
  const file =
    here ??
    ((await ask.confirm('Do you have questions, in a file?', false)) ? await askForFile() : undefined);
  if (file === undefined) return undefined;
  try {
    return await completeQuestions(file);
  } catch (error) {
    if (!(error instanceof TouchstoneError) || error.code === 'run-stopped') throw error;
    ask.warn(`${error.message}\n${error.remedy}`);
    return await askForQuestions(undefined);
  }
}

async function askForFile(): Promise<string> {
  return await ask.line('Which file?', {
    example: 'questions.csv, .jsonl, .json, .yaml, .xlsx',
    check: checkFile,
  });
}

/** Reads a file of questions, and asks once about each column that nothing reads. */
export async function completeQuestions(file: string, given: FieldOverrides = {}): Promise<QuestionFile> {
  const found = await surveyQuestions(file, given).catch(async (error: unknown) => {
    const isNameless = error instanceof TouchstoneError && /there is no question/.test(error.message);
    if (!isNameless || Object.keys(given).length > 0) throw error;
    const columns = await columnsOf(file);
    const choices = columns.map((name) => ({ value: name, label: name }));
    const column = await ask.choose('Which column is the question?', choices);
    return await surveyQuestions(file, { [column]: 'question' });
  });
  ask.say(`${file}: ${describeQuestions(found)}`);
  if (found.unread.length === 0) return found;
  const fields: Record<string, FieldOverrides[string]> = { ...found.fields };
  for (const name of found.unread.slice(0, mostColumns)) fields[name] = await askForMeaning(name);
  const meant = await surveyQuestions(file, fields);
  ask.say(describeQuestions(meant));
  return meant;
}

const mostColumns = 8;

async function askForMeaning(column: string): Promise<FieldOverrides[string]> {
  const meanings = {
    expected_answer: 'the expected answer',
    expected_keywords: 'words that must occur',
    expected_tools: 'tools that must be called',
    expected_documents: 'documents that must be found',
    must_not_include: 'what must not occur',
    none: 'nothing to check',
  } as const;
  const choices = Object.entries(meanings).map(([value, label]) => ({ value, label }));
  const meaning = (await ask.choose(`What is the column "${column}"?`, choices)) as keyof typeof meanings;
  return meaning === 'none' ? null : meaning;
}

/** Asks for recorded answers. Undefined where there are none. */
export async function askForAnswers(): Promise<string | undefined> {
  if (!(await ask.confirm('Do you have answers already, in a file? They are scored at once.', false)))
    return undefined;
  return await askForFile();
}

/** Asks whether Touchstone becomes a dependency of the project. */
export async function askToSave(): Promise<boolean> {
  return await ask.confirm(`Add ${packageName} to the devDependencies of package.json?`, false);
}
