import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createProgram } from '../src/cli/create-program.ts';
import { temporaryFolder, touchstone as start } from './run-cli.ts';

// Every command on something that is empty, missing or of the wrong kind: it says so, says what to do, and ends with the exit code that
// its help names. A new command needs a row here.

const empty = await temporaryFolder();
const stored = await temporaryFolder();
for (const folder of [empty, stored]) {
  await mkdir(path.join(folder, 'folder'));
  await writeFile(path.join(folder, 'empty.jsonl'), '');
  await writeFile(path.join(folder, 'empty.csv'), '');
  await writeFile(path.join(folder, 'table.csv'), 'a,b\n1,2\n');
  await writeFile(path.join(folder, 'note.txt'), 'hello');
  await writeFile(path.join(folder, 'bot.mjs'), 'export default () => "blue";');
  await writeFile(
    path.join(folder, 'golden.jsonl'),
    '{"id":"sky","question":"Which colour?","expected_answer":"blue"}',
  );
  await writeFile(
    path.join(folder, 'touchstone.config.yaml'),
    'dataset: golden.jsonl\ntargets: [{ use: module, path: bot.mjs, name: bot }]\n',
  );
}
await start(['run', '--name', 'only'], { cwd: stored });

/** The folder, the command line, the exit code, what is said, and what to do about it where the text does not say so itself. */
type Row = readonly [line: string, code: number, says: RegExp, remedy?: RegExp];

const noRuns = [4, /There are no runs yet/, /`touchstone run`/] as const;
const noFile = (line: string): Row => [
  `${line} nosuch.jsonl`,
  4,
  /nosuch\.jsonl: there is no such file/,
  /Check the path/,
];
const aFolder = (line: string): Row => [`${line} folder`, 4, /folder: this is a folder/, /Name a file in it/];

/** In a folder without any run. */
const inEmpty: readonly Row[] = [
  // First, since what writes makes a store.
  ['backup new.backup', 4, /There is no store here yet/, /./],
  ['check', 0, /no store here yet, so nothing to check: `touchstone run` makes one/],
  ['run nosuch', 4, /no file or folder nosuch/, /touchstone init/],
  ['run folder', 4, /no touchstone\.config\.ts/, /touchstone init/],
  ['run note.txt', 4, /note\.txt:1:1: expected an object/, /Fix the settings/],
  ['run --dataset nosuch.csv', 4, /nosuch\.csv: there is no such file/, /Check the path/],
  ['run --dataset empty.csv', 4, /no questions in empty\.csv|no questions in empty\.csv/, /Add at least one/],
  ['run --dataset folder', 4, /this is a folder/, /Name a file in it/],
  ['run --baseline nix', 4, /no baseline "nix"/, /touchstone baseline set/],
  ['run --failed', ...noRuns],
  ['run --resume', 4, /no unfinished run/, /touchstone run/],
  ['run --model x', 4, /Unknown option '--model'\. The model is a setting of a target/, /run --help/],
  ['run --passes 6_of_5', 4, /6 attempts cannot pass where 5 are made/, /run --help/],
  noFile('score'),
  ['score', 4, /nothing to score: no file is named/, /--traces/],
  ['score --traces --limit 3', 4, /`--limit` is about a file of answers/, /--sample/],
  ['score --traces', 4, /The config has no `watch`/, /docs\/production\.md/],
  aFolder('score'),
  ['score empty.csv', 4, /no questions in empty\.csv/, /Add at least one/],
  ['rescore', ...noRuns],
  ['worker', ...noRuns],
  ['batch cancel', ...noRuns],
  ['tools record -o c.jsonl', ...noRuns],
  ['view nix --no-open', ...noRuns],
  ['runs', 0, /no runs yet; `touchstone run` makes one/],
  ['runs --store nosuch', 4, /There is no store in nosuch/, /Name the folder that has the runs/],
  ['show', ...noRuns],
  ['show --store nosuch', 4, /There is no store in nosuch/, /Name the folder/],
  ['trends', 0, /No run matches: `touchstone runs` lists .*`touchstone run` makes one/],
  ['compare a b', ...noRuns],
  ['matrix', ...noRuns],
  ['grid', ...noRuns],
  ['compare', 4, /Missing required argument/, /Such as `touchstone compare/],
  ['ab', 4, /A and B are the same/, /Name two configs/],
  ['ab nosuch.yaml other.yaml', 4, /no file or folder nosuch\.yaml/, /touchstone init/],
  ['prefer latest', 4, /by a judge, and none is configured/, /Set `judge`/],
  ['gate', ...noRuns],
  ['referee look', 4, /The config has no referee/, /referee: \{ heldOut/],
  ['referee status', 4, /The config has no referee/, /docs\/referee\.md/],
  ['referee init', 4, /The config has no referee/, /heldOut/],
  ['baseline list', 0, /No baselines yet: `touchstone baseline set main`/],
  ['baseline set main', ...noRuns],
  ['baseline remove nix', 4, /no baseline "nix"/, /baseline set NAME RUN/],
  ['baseline export nix x.json', 4, /no baseline "nix"/, /baseline set NAME RUN/],
  noFile('lint'),
  aFolder('lint'),
  ['plan', ...noRuns],
  ['draft', 4, /--from/, /draft --help/],
  ['traces list', 0, /no traces yet: `touchstone traces import FILE`/],
  noFile('traces import'),
  aFolder('traces import'),
  ['traces import empty.jsonl', 0, /The file has no traces: nothing was added/],
  ['traces import table.csv', 4, /this is no trace/, /OTLP JSON/],
  ['propose', 0, /no traces to propose questions from: `touchstone traces import FILE`/],
  ['proposals list', 0, /`touchstone propose` makes proposals/],
  ['proposals show x', 4, /no proposal "x"/, /proposals list/],
  ['review list', 0, /No review tasks yet: `touchstone review create/],
  ['review show x', 4, /no review tasks yet/, /review create/],
  ['review create --rubric nix', 4, /no rubric "nix"/, /Declare it under `rubrics`/],
  noFile('labels import'),
  aFolder('labels import'),
  ['labels import empty.jsonl', 4, /no file of labels/, /labels export/],
  ['labels import table.csv', 4, /read as JSON lines, and this is a table/, /docs\/labels\.md/],
  ['modes', 4, /No notes are taken of any run/, /review create --notes/],
  ['modes suggest', 4, /no notes yet of what went wrong/, /review create --notes/],
  ['modes make-metric late --yes', 4, /no mode "late"/, /modes add late/],
  ['modes add late', 4, /The mode late has no definition/, /--definition/],
  ['modes rename late x --by ann', 4, /no mode "late"/, /modes add late/],
  ['modes redefine late --definition x --by ann', 4, /no mode "late"/, /modes add late/],
  ['modes merge late late --by ann', 4, /late cannot be merged into itself/, /modes merge FROM INTO/],
  ['modes split late --into a --definition x --by ann', 4, /no mode "late"/, /modes add late/],
  ['modes retire late --by ann', 4, /no mode "late"/, /modes add late/],
  ['modes same-meaning late late --by ann', 4, /no mode "late"/, /modes add late/],
  ['modes undo late --by ann', 4, /no mode "late"/, /modes add late/],
  ['modes mark q1 --by ann', 4, /Nothing is said of the answer/, /--yes/],
  ['modes mark q1 --none --by ann', ...noRuns],
  ['modes export read.csv', 0, /Wrote what was read to read\.csv, and the modes to modes\.csv/],
  ['modes import nosuch.csv --by ann', 4, /nosuch\.csv: there is no such file/, /Check the path/],
  ['modes compare a b', 4, /no run "a"|There are no runs yet/],
  ['calibrate --rubric tone', 4, /no review task/, /review create/],
  noFile('feedback import'),
  aFolder('feedback import'),
  ['feedback list', 0, /no feedback yet/],
  ['feedback import empty.jsonl', 0, /The file has no feedback: nothing was added/],
  [
    'feedback import table.csv',
    4,
    /no column `at`, the time of the reaction/,
    /--map at=COLUMN.*docs\/production\.md/,
  ],
  [
    'predict',
    2,
    /Not measured: no answer has both a score and what users said\. `touchstone feedback import FILE`/,
  ],
  ['metrics zzzz', 4, /no metrics for "zzzz"/, /touchstone metrics/],
  ['targets zzzz', 4, /no targets for "zzzz"/, /touchstone targets/],
  ['models zzzz', 4, /no models for "zzzz"/, /touchstone models/],
  ['judges zzzz', 4, /no judges for "zzzz"/, /touchstone judges/],
  ['scorecards zzzz', 4, /no scorecards for "zzzz"/, /touchstone scorecards/],
  ['users zzzz', 4, /no users for "zzzz"/, /touchstone users/],
  ['docs convrsations', 4, /No page has the words "convrsations"\. Near: conversations\./, /touchstone docs/],
  ['docs zzzzqq', 4, /"zzzzqq"/, /touchstone/],
  ['export', ...noRuns],
  noFile('import'),
  ['import empty.jsonl', 4, /empty\.jsonl: the file is empty/, /touchstone export/],
  ['import note.txt', 4, /no file that `touchstone export` wrote/, /--from/],
  ['delete nix --yes', ...noRuns],
  ['erase --text nothing-has-this --yes', 0, /No record contains it/],
  ['erase --text nothing-has-this --yes --store nosuch', 4, /There is no store in nosuch/, /Name the folder/],
  ['erase', 4, /No text and no user to erase is named/, /--text TEXT/],
  ['check --store nosuch', 4, /There is no store in nosuch/, /Name the folder/],
  ['backup new.backup --store nosuch', 4, /There is no store in nosuch/, /Name the folder/],
  ['restore nosuch.backup --store elsewhere', 4, /there is no such file/, /touchstone backup/],
  ['restore note.txt --store elsewhere', 4, /it is no backup/, /touchstone backup/],
  ['push', 4, /No server is named/, /--server https/],
  ['push --server http://localhost:1', ...noRuns],
  ['server tokens', 0, /no tokens/],
  ['server tokens --store nosuch', 4, /There is no store in nosuch/, /Name the folder/],
  ['server hold nix --tag x', ...noRuns],
  ['help metric', 4, /Unknown command 'metric'\. Did you mean metrics\?/, /touchstone --help/],
  ['help zzzz', 4, /Unknown command 'zzzz'/, /The commands are init, run/],
  ['completion nix', 4, /'nix' is invalid/, /completion --help/],
  ['mcp-proxy shop -- nosuch-program', 4, /There is no program "nosuch-program"/, /Install nosuch-program/],
  ['mcp --config nosuch', 4, /no file or folder nosuch/, /touchstone init/],
  ['referee status', 4, /The config has no referee/, /referee: \{ heldOut/],
  ['doctor nosuch', 4, /Too many arguments for 'doctor'/, /doctor --help/],
  ['init --target nix', 4, /'nix' is invalid/, /init --help/],
];

const noRun = (name: string) => [4, new RegExp(`no run "?${name}"?`), /touchstone runs/] as const;

/** In a folder with one run. */
const inStored: readonly Row[] = [
  ['show last', 4, /There is no run "last"\. Did you mean latest\?/, /touchstone runs/],
  ['show nix', ...noRun('nix')],
  ['show latest~5', ...noRun('latest~5')],
  ['show --case nix', 4, /has no question "nix"/, /List the ids/],
  ['show --filter category=nix', 0, /No question matches/],
  ['show --disagreements', 0, /No two metrics contradict each other/],
  ['runs --filter name=nix', 0, /No run matches the filter/],
  [
    'trends --target nix',
    4,
    /no.* has a target "nix"|None of these runs has a target "nix"/,
    /Choose from bot/,
  ],
  ['gate nix', ...noRun('nix')],
  ['gate --baseline nix', 4, /no baseline "nix"/, /touchstone baseline set NAME RUN/],
  ['compare nix latest', ...noRun('nix')],
  ['matrix nix latest', ...noRun('nix')],
  ['grid nix', ...noRun('nix')],
  ['grid', 4, /has no grid of settings/, /Give a target of the config a `grid`/],
  ['matrix latest:nix', 4, /has no target "nix"/, /Name one of them/],
  ['compare latest latest', 4, /is named twice/, /Name two runs/],
  ['baseline set main nix', ...noRun('nix')],
  ['rescore nix', ...noRun('nix')],
  ['export nix', ...noRun('nix')],
  ['referee look', 4, /The config has no referee/, /referee: \{ heldOut/],
  ['worker latest', 0, /Run \S+ is complete: nothing is left to ask/],
  ['export latest --to nix', 4, /no such format/, /The formats are/],
  ['delete nix --yes', ...noRun('nix')],
  ['plan nix', ...noRun('nix')],
  ['view nix --no-open', ...noRun('nix')],
  ['run --failed nix', ...noRun('nix')],
  ['run --target nix', 4, /No target is named "nix"/, /Choose from bot/],
  ['run --filter category=nix', 4, /does not select/, /Loosen/],
  ['run --name latest', 4, /cannot be called "latest"/, /Choose another name/],
];

test.each([
  ...inEmpty.map((row) => ['nothing', row, empty] as const),
  ...inStored.map((row) => ['one run', row, stored] as const),
])('with %s: %s', async (_what, [line, code, says, remedy], cwd) => {
  const args = line.split(' ').map((word) => word.replaceAll('_', ' '));
  const ended = await start(args, { cwd, env: { COLUMNS: '1000' }, isAlone: args[0] === 'worker' });
  expect(`${ended.code} ${ended.stdout}${ended.stderr}`).toMatch(says);
  expect(ended.code).toBe(code);
  if (remedy !== undefined) expect(ended.stderr.split('→').slice(1).join('→')).toMatch(remedy);
  expect(`${ended.stdout}${ended.stderr}`).not.toMatch(/Touchstone failed|undefined|NaN|\bat file:/);
});

test.each([
  'run --failed',
  'run --resume',
  'run --dataset twice.jsonl --name first',
  'score broken.jsonl',
  'erase --text nothing-has-this --yes',
  'erase --text nothing-has-this --yes --project shop',
  'server people',
  'server tokens',
  'server retention',
  'runs',
  'show',
])('%s leaves no store where there was none', async (line) => {
  const folder = await temporaryFolder();
  await writeFile(
    path.join(folder, 'touchstone.config.yaml'),
    'dataset: golden.jsonl\ntargets: [{ use: module, path: bot.mjs, name: bot }]\n',
  );
  await writeFile(path.join(folder, 'golden.jsonl'), '{"question":"Which colour?","expected_answer":"blue"}');
  await writeFile(path.join(folder, 'broken.jsonl'), '{"question":"Which colour?"}\n{"question');
  await writeFile(path.join(folder, 'twice.jsonl'), '{"id":"a","question":"Q?"}\n{"id":"a","question":"R?"}');
  await writeFile(path.join(folder, 'bot.mjs'), 'export default () => "blue";');
  await start(line.split(' '), { cwd: folder });
  expect(existsSync(path.join(folder, '.touchstone'))).toBe(false);
});

test('every command has a row', () => {
  const rows = new Set([...inEmpty, ...inStored].map(([line]) => line.split(' ')[0]));
  const commands = createProgram(() => {}).commands.map((command) => command.name());
  expect(commands.filter((name) => name !== 'help' && !rows.has(name))).toEqual([]);
});

test.each([
  ['bun', 'Bun', /Leave out `--bun`/],
  ['deno', 'Deno', /npx touchstone-evals/],
])(
  'on %s, which names a version of Node.js too, the runtime is named and not a syntax error',
  (name, title, remedy) => {
    const versions = `Object.defineProperty(process,'versions',{value:{...process.versions,${name}:'9.8.7'}})`;
    const program = path.resolve(import.meta.dirname, '../bin/touchstone.js');
    const ended = spawnSync(
      process.execPath,
      ['--import', `data:text/javascript,${encodeURIComponent(versions)}`, program, 'runs'],
      { encoding: 'utf8' },
    );
    expect(ended.status).toBe(4);
    expect(ended.stderr).toContain(`✗ Touchstone runs on Node.js; this is ${title} 9.8.7.`);
    expect(ended.stderr).toMatch(remedy);
  },
);
