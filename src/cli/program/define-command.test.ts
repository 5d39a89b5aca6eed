import { Command } from 'commander';
import { expect, expectTypeOf, test } from 'vitest';
import { defineCommand } from './define-command.ts';
import { argument, flag, type InputOf, parsed, repeated, switchOff, text, toggle } from './input.ts';
import { wholeNumber } from './parse-option.ts';

const inputs = {
  run: argument('[run]', 'a run').default('latest'),
  files: argument('[file...]', 'files'),
  maxCost: parsed('<n>', 'a number', wholeNumber(1)),
  limit: parsed('<n>', 'a number', wholeNumber(1)).default(50),
  target: repeated('<name>', 'a target'),
  by: text('<whom>', 'whose').oneOf(['judge', 'people']).default('judge'),
  resume: text('[run]', 'continue'),
  cache: switchOff('ask again'),
  sequential: toggle('as few as possible', 'all'),
  verbose: flag('everything').short('v'),
  model: text('<model>', 'a model').required(),
};

/** Returns what a command gets for some words. */
async function inputFor(...words: string[]): Promise<InputOf<typeof inputs>> {
  let got: InputOf<typeof inputs> | undefined;
  const program = new Command('touchstone').exitOverride().configureOutput({ outputError: () => {} });
  defineCommand({
    name: 'try',
    description: 'Tries inputs.',
    inputs,
    run: async (input) => {
      got = input;
      return await Promise.resolve(0);
    },
  }).addTo(program, () => {});
  await program.parseAsync(['try', ...words], { from: 'user' });
  if (got === undefined) throw new Error('The command did not run.');
  return got;
}

test('a command gets its arguments and options by name, with their defaults', async () => {
  expect(await inputFor('--model', 'm')).toEqual({
    run: 'latest',
    files: [],
    limit: 50,
    by: 'judge',
    cache: true,
    model: 'm',
  });
  const words =
    '--model m --max-cost 3 --target a --target b --resume --no-cache --no-sequential -v --by people';
  expect(await inputFor('main', 'one', 'two', ...words.split(' '))).toMatchObject({
    run: 'main',
    files: ['one', 'two'],
    maxCost: 3,
    target: ['a', 'b'],
    resume: true,
    cache: false,
    sequential: false,
    verbose: true,
    by: 'people',
  });
});

test.each([
  [[], "required option '--model <model>' not specified"],
  [['--model', 'm', '--limit', 'many'], 'It must be a whole number of at least 1.'],
  [['--model', 'm', '--by', 'me'], 'Allowed choices are judge, people.'],
])('%j is refused', async (words, message) => {
  await expect(inputFor(...words)).rejects.toThrow(message);
});

test('the type of the input follows from its declaration', () => {
  type Got = InputOf<typeof inputs>;
  expectTypeOf<Got['run']>().toEqualTypeOf<string>();
  expectTypeOf<Got['files']>().toEqualTypeOf<string[]>();
  expectTypeOf<Got['maxCost']>().toEqualTypeOf<number | undefined>();
  expectTypeOf<Got['limit']>().toEqualTypeOf<number>();
  expectTypeOf<Got['by']>().toEqualTypeOf<'judge' | 'people'>();
  expectTypeOf<Got['resume']>().toEqualTypeOf<string | true | undefined>();
  expectTypeOf<Got['cache']>().toEqualTypeOf<boolean>();
  expectTypeOf<Got['model']>().toEqualTypeOf<string>();
});
