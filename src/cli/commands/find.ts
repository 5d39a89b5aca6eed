import { defineCommand, type DefinedCommand } from '../program/define-command.ts';
import { argument, switchOff, text } from '../program/input.ts';
import { json } from '../program/shared-inputs.ts';

const words = argument('[word...]', 'a name, or what you want to check, in your own words');

const describeList = (name: string) =>
  `Lists the ${name} there are, finds some by what they are for, or describes one by its name.`;

/** Defines a command that lists what a config can name, or finds it by words. */
function defineList(name: string, summary: string, examples: string): DefinedCommand {
  return defineCommand({
    name,
    summary,
    description: describeList(name),
    inputs: { words, json },
    help: `\nExamples:\n${examples}`,
    run: async (input, output) =>
      await (await import('../find/definitions.ts')).listDefinitions(name, input, output),
  });
}

/** `touchstone metrics`. */
export const metrics = defineCommand({
  name: 'metrics',
  summary: 'find a metric: what it checks, what it needs, an example',
  description: describeList('metrics'),
  inputs: {
    words,
    json,
    reads: text('<expectation>', 'only metrics that read this expectation of a question, such as documents'),
    judge: switchOff('only metrics that work without a judge'),
  },
  help: `
Examples:
  $ touchstone metrics                      all of them, by what a high value says
  $ touchstone metrics hallucination        by what you want to check
  $ touchstone metrics groundedness         all about one: what it reads and needs, its options
  $ touchstone metrics --reads documents --no-judge

Exit codes: 0 found; 4 nothing found, with the nearest word.`,
  run: async (input, output) =>
    await (await import('../find/definitions.ts')).listDefinitions('metrics', input, output),
});

/** `touchstone targets`. */
export const targets = defineList(
  'targets',
  'find the kind of target that your bot is',
  '  $ touchstone targets\n  $ touchstone targets program in python',
);

/** `touchstone models`. */
export const models = defineList(
  'models',
  'find a provider of models',
  '  $ touchstone models\n  $ touchstone models anthropic',
);

/** `touchstone judges`. */
export const judges = defineList(
  'judges',
  'find a judge',
  '  $ touchstone judges\n  $ touchstone judges panel',
);

/** `touchstone scorecards`. */
export const scorecards = defineList(
  'scorecards',
  'find a scorecard',
  '  $ touchstone scorecards\n  $ touchstone scorecards weighted',
);

/** `touchstone users`. */
export const users = defineList(
  'users',
  'find a simulated or scripted user',
  '  $ touchstone users\n  $ touchstone users scripted',
);

/** `touchstone docs`: the documentation, searched without a network. */
export const docs = defineCommand({
  name: 'docs',
  summary: 'search this documentation, without a network',
  description:
    'Finds sections of the documentation that came with this version. Without words: lists its pages.',
  inputs: {
    words: argument('[word...]', 'what you want to know: how many questions'),
    page: text('<name>', 'print a page, such as gate or reference/metrics'),
    json,
  },
  help: `
Examples:
  $ touchstone docs how many questions      the sections that fit best
  $ touchstone docs --page gate             a whole page`,
  run: async (input, output) => await (await import('../find/docs.ts')).searchDocs(input, output),
});
