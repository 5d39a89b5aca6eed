import path from 'node:path';
import { stringify } from 'yaml';
import { TouchstoneError } from '../../core/errors.ts';
import type { BotChoice } from './beginning.ts';
import type { QuestionFile } from './survey-questions.ts';
import { relativePath } from '../../core/lib/files/path-within.ts';

/** Returns a path as a config in a folder names it. */
function fromConfig(folder: string, file: string): string {
  return relativePath(folder, path.resolve(file));
}

/** Returns whether a function is in a file of Python, `bot.py` or `bot.py:answer`, which Touchstone's package for Python serves. */
export function isPython(file: string): boolean {
  return /\.py(?::\w+)?$/i.test(file);
}

/** Returns the `dataset` setting, and all below it, of a config in a folder. */
export function datasetSetting(folder: string, questions: QuestionFile | undefined): unknown {
  if (questions === undefined) return 'golden.jsonl';
  const file = fromConfig(folder, questions.file);
  return Object.keys(questions.fields).length === 0 ? file : { path: file, fields: questions.fields };
}

/** Returns the text of a config, in YAML, for a bot that is there already. */
export function configText(folder: string, bot: BotChoice, questions: QuestionFile | undefined): string {
  const settings = { dataset: datasetSetting(folder, questions), targets: [targetSetting(folder, bot)] };
  return `${stringify(settings, { lineWidth: 0 })}${[...notesOn(bot), ...always].map((line) => `# ${line}\n`).join('')}`;
}

const always = ['scorecard: { use: three-component, passMark: 0.8 }', 'gate: { failUnder: 85 }'];

/** Returns the settings that are often needed next, as comments. */
function notesOn({ kind, answer, body, isStartedOnce }: BotChoice): string[] {
  if (kind === 'command')
    return isStartedOnce === true ? [] : ['mode: once, in the target, starts the program for each question.'];
  if (kind !== 'http') return [];
  return [
    "In the target, a key: headers: { Authorization: 'Bearer {{env.MY_BOT_KEY}}' }",
    ...(body === undefined
      ? ["what it takes, where that is something else: body: { message: '{{input}}' }"]
      : []),
    ...(answer === undefined ? ['and where the answer is, under an unusual name: answer: data.reply'] : []),
  ];
}

function targetSetting(folder: string, bot: BotChoice): object {
  const { url, body, answer, command, isStartedOnce, path: file = '', model = '' } = bot;
  switch (bot.kind) {
    case 'http':
      return {
        use: 'http',
        name: 'my-bot',
        url,
        body,
        answer,
      };
    case 'command': {
      const cwd = fromConfig(folder, '.');
      const isElsewhere = cwd !== '';
      return {
        use: 'command',
        name: 'my-bot',
        command,
        ...(isStartedOnce === true && { mode: 'once' }),
        ...(isElsewhere && { cwd }),
      };
    }
    case 'module':
      return isPython(file)
        ? {
            use: 'command',
            name: 'my-bot',
            command: ['python3', '-m', 'touchstone_evals', fromConfig(folder, file)],
          }
        : { use: 'module', name: 'my-bot', path: fromConfig(folder, file) };
    case 'model': {
      const { provider, name } = readModel(model);
      return { use: provider, name, model: name };
    }
    case 'sample':
      throw new TypeError('A sample has a config of its own.');
  }
}

/** The kinds of model that are asked by their name, with the variable of their key. */
const providers = {
  'openai-chat': { key: 'OPENAI_API_KEY', marks: /^/ },
  anthropic: { key: 'ANTHROPIC_API_KEY', marks: /^claude/i },
  gemini: { key: 'GEMINI_API_KEY', marks: /^gemini/i },
} as const;
type Provider = keyof typeof providers;

/** Returns the provider of a model, the name by which it knows it, and the variable of its key. Throws `usage-invalid`. */
export function readModel(model: string): {
  readonly provider: Provider;
  readonly name: string;
  readonly key: string;
} {
  const [, prefix, rest = ''] = /^([a-z-]+):(.+)$/i.exec(model) ?? [];
  const names = Object.keys(providers) as Provider[];
  if (prefix !== undefined) {
    const named = names.find((name) => name === prefix || name === `${prefix}-chat`);
    if (named !== undefined) return { provider: named, name: rest, key: providers[named].key };
  }
  const provider = names.findLast((name) => providers[name].marks.test(model)) ?? 'openai-chat';
  if (prefix === undefined || !/^https?$/i.test(prefix))
    return { provider, name: model, key: providers[provider].key };
  throw new TouchstoneError('usage-invalid', `"${model}" is an address, no name of a model.`, {
    remedy:
      'Give the name, and set `baseUrl` in the config afterwards; or give the address of a bot: `--url`.',
  });
}
