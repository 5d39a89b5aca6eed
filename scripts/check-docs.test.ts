import { describe, expect, it, test } from 'vitest';
import { readHelp } from './check-commands.ts';
import { checkDecisions, checkDocs } from './check-docs.ts';
import { checkTree } from './write-tree.ts';

const commands = new Map([
  ['', new Set(['-V', '--version', '-h', '--help'])],
  ['run', new Set(['--target', '-o', '--output', '--resume', '--help'])],
]);

function check(readme: string, files: Record<string, string> = {}): string[] {
  return checkTree((root) => checkDocs(root, commands), { 'README.md': readme, ...files });
}

const shell = (...lines: string[]) => ['```sh', ...lines, '```'].join('\n');

describe('paths in pages', () => {
  it('must exist, in code and in links', () => {
    const page =
      'See `src/a.ts`, [the guide](docs/guide.md#top),\n`lost/b.ts`, `src/lost/` and [none](docs/none.md).';
    expect(check(page, { 'src/a.ts': '', 'docs/guide.md': '# Top' })).toEqual([
      'README.md:2: there is no lost/b.ts',
      'README.md:2: there is no src/lost/',
      'README.md:2: there is no docs/none.md',
    ]);
  });

  it('may name a heading, which must be on that page and not in a block of code', () => {
    const guide = '# The `a` of b\n\n```sh\n# Setup\n```\n';
    const page = '[a](guide.md#the-a-of-b) [b](guide.md#setup) [c](#top) [d](#none)\n\n## Top\n';
    expect(check('', { 'docs/guide.md': guide, 'docs/a.md': page })).toEqual([
      'docs/a.md:1: docs/guide.md has no heading #setup',
      'docs/a.md:1: docs/a.md has no heading #none',
    ]);
  });

  it('are only checked in links on pages that are written from the code', () => {
    const page = '`lost.csv` [a](lost.md)';
    expect(check('', { 'docs/reference/a.md': page })).toEqual([
      'docs/reference/a.md:1: there is no lost.md',
    ]);
  });

  it('may be relative to their page', () => {
    const page = 'See `data/a.csv`, [up](../../README.md) and `bot/`.';
    const files = { 'docs/guide/a.md': page, 'docs/guide/data/a.csv': '', 'docs/guide/bot/x.ts': '' };
    expect(check('', files)).toEqual([]);
  });

  it('may carry a line, a pattern, or no folder', () => {
    const page = '`src/a.ts:12` `src/*.ts` `a.ts` `src/*.py` `b.ts`';
    expect(check(page, { 'src/a.ts': '' })).toEqual([
      'README.md:1: there is no src/*.py',
      'README.md:1: there is no b.ts',
    ]);
  });

  it('are not seen in what only looks like one', () => {
    const page =
      '`pass/fail` `application/json` `0.8/1` `.json` `a b.ts` `<name>.ts` `touchstone.config.ts` `dist/cli.js` [x](https://a.b/c.ts)';
    expect(check(page)).toEqual([]);
  });

  it('are not looked for in blocks of other languages', () => {
    expect(check("```ts\nimport a from './lost.ts'; // `lost.ts`\n```")).toEqual([]);
  });
});

describe('commands in pages', () => {
  it('must be known, with known flags', () => {
    const page = shell(
      '$ touchstone run --target a -o report.md --resume',
      'CI=1 npx touchstone run --lost=1 && touchstone lost --help',
      'touchstone run \\',
      '  --missing # touchstone comment',
      'cat a.jsonl | touchstone --nothing',
    );
    expect(check(page)).toEqual([
      'README.md:3: `touchstone run` has no --lost',
      'README.md:3: there is no command `touchstone lost`',
      'README.md:5: `touchstone run` has no --missing',
      'README.md:6: `touchstone` has no --nothing',
    ]);
  });

  it('are seen in inline code and in the steps of a workflow', () => {
    expect(check('Run `touchstone lost`.\n```yaml\n- run: npx touchstone run --gone\n```')).toEqual([
      'README.md:1: there is no command `touchstone lost`',
      'README.md:3: `touchstone run` has no --gone',
    ]);
  });

  it('are not seen in text about touchstone, nor checked where they are placeholders', () => {
    expect(
      check(shell('echo touchstone lost', 'touchstone <command> --any', 'touchstone run [--resume [run]]')),
    ).toEqual([]);
  });
});

it('the help text is read for commands and flags', () => {
  const help = `Usage: touchstone [options] [command]

Options:
  -V, --version               output the version number

What is asked:
  --target <name...>          only these
                              --not-a-flag in a description
  -o, --output <file>         write --also to a file

Ask and score:
  init [options] [folder]     lay out
  run [options] [config]      ask

Records, other tools:
  help [command]              display help for command

Examples:
  $ touchstone run --example`;
  expect(readHelp(help)).toEqual({
    commands: ['init', 'run'],
    flags: ['-V', '--version', '--target', '-o', '--output', '--eval-set'],
  });
});

test('the index of decisions names each, and those alone that are in force', () => {
  const rows = ['| [1](0001-a.md) | a | yes |', '| [2](0002-b.md) | b | replaced by 1 |'];
  const found = checkTree(checkDecisions, {
    'docs/decisions/README.md': rows.join('\n'),
    'docs/decisions/0001-a.md': '# A\n',
    'docs/decisions/0002-b.md': '# B\n',
    'docs/decisions/0003-c.md': '# C\n',
  });
  expect(found).toEqual([
    'docs/decisions/README.md: 0002-b.md is replaced, and still there',
    'docs/decisions/README.md: leaves out 0003-c.md',
  ]);
});
