import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { mayDropRights, temporaryFolder, touchstone } from './run-cli.ts';

const root = await temporaryFolder();

/** A bot that notes every call in a file. */
const bot = `import { appendFileSync } from 'node:fs';
export default () => {
  appendFileSync(new URL('./calls.txt', import.meta.url), '.');
  return 'yes';
};
`;
const config = 'dataset: golden.jsonl\ntargets:\n  - { use: module, name: bot, path: bot.mjs }\n';
const golden = '{"question":"a","category":"x"}\n{"question":"b","category":"y"}\n';

type Files = Readonly<Record<string, string | Uint8Array>>;

/** Creates a project with a valid config, a valid dataset and a bot; `files` replace or join them. */
async function createProject(files: Files): Promise<string> {
  const folder = path.join(root, String(projects++));
  await mkdir(folder);
  const all = { 'bot.mjs': bot, 'touchstone.config.yaml': config, 'golden.jsonl': golden, ...files };
  for (const [name, content] of Object.entries(all)) await writeFile(path.join(folder, name), content);
  return folder;
}
let projects = 0;

async function callsIn(folder: string): Promise<number> {
  const file = path.join(folder, 'calls.txt');
  return existsSync(file) ? (await readFile(file, 'utf8')).length : 0;
}

/** A part of the message, and a part of the remedy. */
type Refusal = readonly [message: string, remedy: string];

async function expectRefusal(
  folder: string,
  args: readonly string[],
  [message, remedy]: Refusal,
): Promise<void> {
  const { code, stdout, stderr } = await touchstone(['run', ...args], { cwd: folder });
  expect(stderr).toContain(`✗ ${message}`);
  expect(stderr).toMatch(/\n {2}→ \S/);
  expect(stderr).toContain(remedy);
  expect(stderr).not.toContain('    at ');
  expect({ code, stdout, calls: await callsIn(folder) }).toEqual({ code: 4, stdout: '', calls: 0 });
}

test('a valid dataset calls the bot, so the count of calls is meaningful', async () => {
  const folder = await createProject({});
  expect((await touchstone(['run'], { cwd: folder })).code).toBe(0);
  expect(await callsIn(folder)).toBe(2);
});

const datasets: readonly (readonly [name: string, content: string | Uint8Array, refusal: Refusal])[] = [
  // Broken text.
  [
    'broken.jsonl',
    '{"question":"a"}\n{"question":"b",}\n',
    [`broken.jsonl:2:17: expected '"' but found '}'`, 'Remove the comma before it.'],
  ],
  [
    'broken.json',
    '[\n {"question":"a"},\n {"question":"b" "x":1}\n]',
    [`broken.json:3:18: expected ',' or '}' but found '"'`, 'A comma is missing before it.'],
  ],
  [
    'broken.yaml',
    '- question: What is: this\n',
    ['broken.yaml:1:13: a second colon in what looks like one field', 'Put the text in quotation marks.'],
  ],
  [
    'unclosed.csv',
    'question,category\na,b\n"c,d\ne,f\n',
    ['unclosed.csv:3:1: the quotation mark that opens this cell is never closed', 'Close the cell'],
  ],
  // Text that is not a dataset.
  [
    'types.jsonl',
    '{"question":5}\n{"question":"q","expected_tools":{"x":1},"category":7.5}\n',
    [
      'The dataset has 3 problems:\n' +
        '  types.jsonl:1:13: question: expected a text or a list of messages, found the number 5\n' +
        '  types.jsonl:2:53: category: expected a text, found the number 7.5\n' +
        '  types.jsonl:2:34: expected_tools: expected a list of tool names, found an object with the key x\n',
      'nothing was called',
    ],
  ],
  [
    'mistyped.jsonl',
    '{"question":"a"}\n{"quesiton":"b"}\n',
    ['mistyped.jsonl:2:1: there is no question; the row has quesiton', 'Rename "quesiton" to "question".'],
  ],
  [
    'duplicate.jsonl',
    '{"id":"a","question":"x"}\n\n{"id":"b","question":"y"}\n{"id":"a","question":"z"}\n',
    ['duplicate.jsonl:4:1: the id "a" is taken by the question at duplicate.jsonl:1:1', 'an id of its own'],
  ],
  [
    'twice.csv',
    'question\nx\ny\nx\n',
    ['twice.csv:4:1: the same question is at twice.csv:2:1', 'remove one of the two rows'],
  ],
  ['empty.jsonl', '', ['There are no questions in empty.jsonl.', 'Add at least one question']],
  [
    'header.csv',
    'question,category\n',
    ['There are no questions in header.csv.', 'Add at least one question'],
  ],
  // Files that are not text.
  [
    'pointer.jsonl',
    'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n',
    ['pointer.jsonl: this is a git-lfs pointer, not the data itself', 'git lfs pull'],
  ],
  [
    '~$golden.csv',
    'question\na\n',
    ['~$golden.csv: this is the lock file of a program', 'Name the file itself'],
  ],
  ['zipped.jsonl', gzipSync(golden), ['zipped.jsonl: this is a gzip archive', 'gunzip']],
  ['sheet.ods', 'PK\x03\x04\x14\0[Content_Types].xml', ['sheet.ods: this is a spreadsheet', 'CSV UTF-8']],
  [
    'cut.xlsx',
    'PK\x03\x04\x14\0[Content_Types].xml',
    ['cut.xlsx: this cannot be read as an Excel workbook', 'CSV UTF-8'],
  ],
  [
    'wide.jsonl',
    Buffer.from(golden, 'utf16le'),
    ['wide.jsonl:1:2: a NUL character (byte offset 1)', 'Save the file as UTF-8 text.'],
  ],
];

test.each(datasets)('the dataset %s is refused', async (name, content, refusal) => {
  const folder = await createProject({ [name]: content });
  await expectRefusal(folder, ['--dataset', name], refusal);
});

const configs: readonly (readonly [name: string, content: string, refusal: Refusal])[] = [
  // Unknown names.
  [
    'metric.yaml',
    `${config}metrics: [latncy]\n`,
    ['metric.yaml:4:11: metrics[0]: there is no metric "latncy". Did you mean "latency"?', ''],
  ],
  [
    'option.yaml',
    `${config}metrics:\n  - use: contains\n    ignorCase: true\n`,
    ['option.yaml:6:5: metrics[0].ignorCase: unknown setting. Did you mean "ignoreCase"?', ''],
  ],
  [
    'target.yaml',
    config.replace('use: module', 'use: modul'),
    ['target.yaml:3:5: targets[0]: there is no target "modul". Did you mean "module"?', ''],
  ],
  // Invalid values.
  [
    'values.yaml',
    `dataset: 5\ntargets: bot.mjs\nattempts: 0\n`,
    [
      'The configuration has 3 problems:\n' +
        '  values.yaml:1:10: dataset: expected a text, a list or an object, found the number 5\n' +
        '  values.yaml:2:10: targets: expected a list, found the text "bot.mjs"\n' +
        '  values.yaml:3:11: attempts: expected a number of at least 1, found the number 0\n',
      'JSON Schema',
    ],
  ],
  [
    'weights.yaml',
    `${config}scorecard:\n  use: three-component\n  weights: { toolUsage: 0.5 }\n`,
    [
      'weights.yaml:5:3: scorecard: The weights of the scorecard three-component add up to 1.1, not 1',
      'add up to 1',
    ],
  ],
  [
    'secret.yaml',
    'dataset: golden.jsonl\ntargets:\n  - use: http\n    url: http://127.0.0.1:9/\n    headers: { authorization: "Bearer {{env.NO_SUCH_TOKEN}}" }\n',
    ['The target needs NO_SUCH_TOKEN, which is not set', 'Set it'],
  ],
  // Files that are not a config.
  [
    'syntax.yaml',
    'dataset: [golden\ntargets:\n',
    ['syntax.yaml:2:1: expected ] to close what began before', 'Close it'],
  ],
  [
    'syntax.ts',
    'export default {\n  dataset: "golden.jsonl"\n  targets: [],\n};\n',
    [`syntax.ts:3:3: the config cannot be loaded: Expected ',', got 'ident'`, 'Fix the file'],
  ],
  [
    'throws.ts',
    '\nthrow new Error("boom");\n',
    ['throws.ts:2:7: the config cannot be loaded: boom', 'Fix the file'],
  ],
  [
    'nameless.ts',
    'export const config = {};\n',
    ['nameless.ts has no default export.', 'export default defineConfig'],
  ],
];

test.each(configs)('the config %s is refused', async (name, content, refusal) => {
  const folder = await createProject({ [name]: content });
  await expectRefusal(folder, [name], refusal);
});

const commands: readonly (readonly [args: readonly string[], refusal: Refusal])[] = [
  [['golden.jsonl'], ['golden.jsonl is a dataset, not a configuration.', '--dataset golden.jsonl']],
  [
    ['--dataset', 'golden.jsnl'],
    ['golden.jsnl: there is no such file', 'Did you mean golden.jsonl?'],
  ],
  [
    ['--dataset', 'z*.jsonl'],
    ['z*.jsonl: no file matches', 'Check the path'],
  ],
  [
    ['--target', 'bto'],
    ['No target is named "bto". Did you mean "bot"?', 'Choose from bot.'],
  ],
  [
    ['--filter', 'category=z'],
    ['The filter selects none of the 2 questions.', 'The categories are x, y.'],
  ],
  [
    ['--filter', 'categry=x'],
    ['The filter "categry=x" names an unknown field. Did you mean "category"?', '--filter'],
  ],
];

test.each(commands)('`touchstone run` with %j is refused', async (args, refusal) => {
  await expectRefusal(await createProject({}), args, refusal);
});

test('a folder in place of a dataset is refused', async () => {
  const folder = await createProject({});
  await mkdir(path.join(folder, 'data'));
  await expectRefusal(folder, ['--dataset', 'data'], ['data: this is a folder', 'data/*.jsonl']);
});

test.skipIf(!mayDropRights())('a dataset without permission to read is refused', async () => {
  const cwd = await createProject({});
  await chmod(path.join(cwd, 'golden.jsonl'), 0o000);
  const { code, stdout, stderr } = await touchstone(['run'], { cwd, isWithoutRights: true });
  expect([code, stdout]).toEqual([4, '']);
  expect(stderr).toMatch(/✗ golden\.jsonl: no permission to read this file[^]*→ .*permission/);
});

test('a fault in a file is reported with a path relative to the working directory', async () => {
  const folder = await createProject({ 'golden.jsonl': '{"question":\n' });
  const name = path.basename(folder);
  for (const [cwd, shown] of [
    [root, path.join(name, 'golden.jsonl')],
    [await createProject({}), path.join('..', name, 'golden.jsonl')],
  ] as const) {
    const { stderr } = await touchstone(['run', folder], { cwd });
    expect(stderr).toContain(`✗ ${shown}:1:13: expected a value but found the end of the line`);
  }
});

test('with --json, an error is one document on standard output, and no run is stored', async () => {
  const folder = await createProject({ 'golden.jsonl': '{"question":5}\n' });
  const { code, stdout, stderr } = await touchstone(['run', '--json'], { cwd: folder });
  expect([code, JSON.parse(stdout)]).toEqual([
    4,
    {
      error: {
        code: 'dataset-invalid',
        message: 'golden.jsonl:1:13: question: expected a text or a list of messages, found the number 5',
        remedy: 'Fix the rows named above and run again; nothing was called.',
      },
    },
  ]);
  expect(stderr).toContain('✗ golden.jsonl:1:13: question');
  expect(JSON.parse((await touchstone(['runs', '--json'], { cwd: folder })).stdout)).toEqual([]);
});
