import { toolModes } from '../../core/schema/tools/tool-modes.ts';
import { datasetFormats } from '../../evaluate/datasets/dataset.ts';
import { argument, flag, inGroup, parsed, repeated, switchOff, text, toggle } from './input.ts';
import { amount, caseRule, duration, percentage, points, tag, weights, wholeNumber } from './parse-option.ts';

// The inputs that several commands share.

/** The argument that names a run; see `findRun`. */
export const runName = argument(
  '[run]',
  'a run: its id, or the first or last characters of it; latest, latest~1; a baseline, or the name of a run',
).default('latest');

/** `--store`: the folder where runs are stored. */
export const store = text(
  '<folder>',
  "folder with the stored runs, or the address of a database (default: the config's, or .touchstone)",
);

/** `--json`: one document for programs. */
export const json = flag('print one JSON document; messages go to standard error');

/** `--yes`: no question before what cannot be undone. */
export const yes = flag('do not ask for confirmation').short('y');

/** `--methods`: the statistics behind every interval. */
const methods = flag('show n, clusters, coverage and method of every interval; --verbose includes this');

/** The options on the report of a run, without `--json`. */
export const reportInputs = {
  verbose: flag('show question, answer, tools and every verdict of each question').short('v'),
  methods,
  output: repeated(
    '<file>',
    'also write the report to a file: .html (a page to share), .json, .md, .csv or .parquet (one row per answer) or .xml (JUnit); or to a GitHub job: `github`; may be repeated',
  ).short('o'),
  attachments: text(
    '<which>',
    'the pictures in an .html report, whatever their size (default: those that fit)',
  ).oneOf(['all', 'none']),
};

/** `--output` of a report that is written in some formats. */
export const outputTo = (what: string) =>
  repeated('<file>', `also write ${what}; may be repeated`).short('o');

/** `--filter`: a selection of cases. */
export const filter = repeated(
  '<expr>',
  'only some questions: category=hybrid, id=tax-*, tag!=slow; may be repeated',
);

/** `--limit` of cases: the first ones only. */
export const limit = parsed('<n>', 'only the first n questions', wholeNumber(1));

/** `--dataset-format`: the format of files whose names do not show it. */
export const datasetFormat = (files: string) => text('<format>', `format of ${files}`).oneOf(datasetFormats);

/** `--metadata`: columns that look like expectations but are metadata. */
export const metadata = text('<name...>', 'columns to read as metadata, even if they look like expectations');

/** `--fail-under` and `--baseline`: what the gate requires. */
export const gateInputs = {
  failUnder: parsed('<percent>', 'exit with 1 if the overall score is below this, such as 85', percentage),
  baseline: text(
    '<name|file>',
    'compare the run with a baseline: a name, or a file that `baseline export` wrote',
  ),
};

/** `--no-cache`: stored judgements are not reused. */
export const cache = switchOff('ask judges again even if a judgement is stored; both are stored');

/** The options on spans for a tracing tool. */
export const telemetryInputs = {
  otel: text(
    '[url]',
    "send OpenTelemetry spans to a collector: this URL, the config's, or OTEL_EXPORTER_OTLP_ENDPOINT",
  ),
  otelContent: flag('with --otel: also send questions, answers, prompts, tool arguments and results'),
};

/** `--detach`: batches are not waited for. */
const detach = flag('end once batches are submitted; --resume gathers them: docs/limits.md');

/** `--judge-samples`: the noise of a judge. */
const judgeSamples = parsed('<k>', "judge each answer k times, to measure the judge's noise", wholeNumber(1));

/** The options on how workers get their work, and where they save answers. */
export const workerInputs = {
  queue: text(
    '<url>',
    'the queue that hands out work to the workers, redis://… or postgres://… (default: TOUCHSTONE_QUEUE; without a queue, workers look for work in the store)',
  ),
  spool: text(
    '<folder>',
    'where a worker saves answers while it cannot reach the store (default: .touchstone/spool)',
  ),
};

/** The options on how a comparison is decided. */
export const regressionInputs = {
  failOnRegression: flag('exit with 1 when B is shown to be worse by more than the margin, 3 when undecided'),
  margin: parsed('<points>', 'largest difference that does not matter, in points (default: 5)', points),
  verbose: flag('show every flipped question and every category').short('v'),
};

/** The options of `touchstone rescore`. */
export const rescoreInputs = {
  config: text('<config>', 'config with the rules to use (default: the one in this folder)'),
  weights: parsed<ReadonlyMap<string, number>>(
    '<name=weight,...>',
    'show which answers would flip under these weights; the other criteria share the rest',
    weights,
  ),
  keep: flag('with --weights: store the result as a run'),
  judgeSamples,
  cache,
  detach: flag('end once batches are submitted; the same command again gathers them'),
  ...gateInputs,
  ...reportInputs,
  ...telemetryInputs,
  json,
  store,
};

/** `--max-cost` of what a judge or a model is asked. */
export const maxCost = parsed('<usd>', 'ask nothing more once this is spent', amount);

/** `--port` and `--no-open` of the commands that serve pages to this machine. */
export const port = parsed(
  '<n>',
  'the port to serve on (default: 7357, or a free one when it is taken)',
  wholeNumber(1, 65_535),
);
export const open = switchOff('print the address, but open no browser');

/** `--allow-own`: people may approve what they have proposed themselves. */
export const allowOwn = flag('let people approve their own proposals');

/** `--config` of the commands that propose cases. */
export const goldenConfig = text(
  '<config>',
  'the config of the golden set (default: the one in this folder)',
);

/** The names of a review task, as help shows them. */
export const reviewTask = 'the id of a task, or its first or last characters; or latest';

/** The options that tell runs apart. */
const labelInputs = {
  name: text('<name>', 'a name for the run, by which every command finds it: prompt-v7'),
  note: text('<text>', 'a remark that is shown with the run'),
  tag: parsed<Readonly<Record<string, string>>>(
    '<key=value>',
    'a tag of the run, such as prompt=v7, for `runs --filter tag=prompt=v7`; may be repeated',
    tag,
  ),
};

/** All options of `touchstone run`; other commands that ask or score have some of them. */
export const runInputs = {
  ...inGroup('What is asked:', {
    dataset: repeated('<file>', "golden set to use instead of the config's; `-` is standard input"),
    evalSet: repeated('<file>', 'the same as --dataset').hidden(),
    datasetFormat: datasetFormat('--dataset, if its name does not show it'),
    metadata,
    skipDuplicates: flag('skip rows that repeat an id or content, and say how many'),
    allowPrivate: flag('fetch pictures of the questions from addresses of your own network, too'),
    target: text('<name...>', 'only these targets of the config'),
    filter,
    failed: text(
      '[run]',
      'ask again only what failed or was not measured in a run: the latest, or the one you name',
    ),
    limit,
  }),
  ...inGroup('How often, and under which conditions:', {
    attempts: parsed('<k>', 'how many times each target tries each question', wholeNumber(1)),
    passes: parsed('<c of k>', 'attempts that must pass for a question to pass: "4 of 5"', caseRule),
    curtail: switchOff('make all attempts, even when the verdict can no longer change'),
    judgeSamples,
    faults: repeated(
      '<kinds>',
      'also run every target with faults in its tools: timeout,error@0.5 or all; see below',
    ),
    tools: text(
      '<mode>',
      'use the tools of the targets in this way, for bots behind the proxy: docs/tools.md',
    ).oneOf(toolModes),
    perturb: repeated(
      '<kinds>',
      'also ask every question in changed forms: typos,case:upper or all; see below',
    ),
  }),
  ...inGroup('Limits:', {
    concurrency: parsed('<n>', 'attempts in flight for each target', wholeNumber(1)),
    timeLimit: parsed('<ms>', 'time limit of one call in milliseconds', wholeNumber(1)),
    maxCost: parsed(
      '<usd>',
      'cost limit for targets, judges and simulated users; to continue, use --resume with a higher limit',
      amount,
    ),
    maxTime: parsed('<duration>', 'start no new attempt after 30min, 2h …; --resume continues', duration),
  }),
  ...inGroup('The decision:', {
    ...gateInputs,
    sequential: toggle(
      'ask in random order, and stop as soon as the gate is decided; see below',
      'ask every question even if the config sets gate.sequential',
    ),
  }),
  ...inGroup('The run:', {
    ...labelInputs,
    resume: text(
      '[run]',
      'continue an interrupted run: the last one, or the one you name; asks only for missing answers',
    ),
    cache,
    detach,
    dryRun: flag('show what would be called, and call nothing'),
    workers: parsed(
      '<n>',
      'split the attempts over n processes, each with the given concurrency: docs/workers.md',
      wholeNumber(1),
    ),
    ...workerInputs,
    view: flag('follow the run in the browser; press Ctrl-C when you are done'),
    watch: flag('whenever a file changes, ask again only what the change affects, until Ctrl-C'),
    ...telemetryInputs,
    store,
  }),
  ...inGroup('The report:', { ...reportInputs, json }),
};
