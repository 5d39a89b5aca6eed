import { z } from 'zod';
import { fieldSpellings } from '../datasets/field-mapping.ts';
import { expectationSchema } from '../schema/expectation.ts';
import { gateSchema } from '../schema/gate.ts';
import { useOrNameSchema, useSettingSchema } from '../schema/use.ts';
import { weightsSchema } from '../schema/estimate.ts';
import { conditionSettingSchema } from './condition-setting.ts';
import { storeSettingSchema } from './store-setting.ts';

/** The user's own OpenTelemetry collector, as a config names it. */
const telemetrySchema = z.lazy(() =>
  z.strictObject({
    otlp: z
      .url()
      .optional()
      .describe(
        'Address of the collector, OTLP over HTTP: `http://localhost:4318`. That of OTEL_EXPORTER_OTLP_ENDPOINT when left out.',
      ),
    headersFromEnv: z
      .record(z.string().min(1), z.string().min(1))
      .default({})
      .describe('Headers to send: the header and the environment variable that holds its value.'),
    content: z
      .boolean()
      .default(false)
      .describe('Whether questions, answers, prompts, arguments and results of tools are sent too.'),
  }),
);

const datasetSchema = z.strictObject({
  path: z
    .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
    .describe('Files or globs, relative to the config file; `-` is standard input.'),
  format: z
    .enum(['jsonl', 'json', 'csv', 'yaml'])
    .optional()
    .describe('What all files are, whatever their names say.'),
  duplicates: z
    .enum(['refuse', 'skip'])
    .default('refuse')
    .describe('Whether a row whose id or content has been there before is refused, or left out and counted.'),
  fields: z
    .record(
      z.string(),
      z.union([z.enum(fieldSpellings), z.null(), z.literal(false)]).describe('What the column means.'),
    )
    .optional()
    .describe(
      'Names of your columns and what they mean: `{ my_column: "expected.answer" }`; null leaves one in metadata, false leaves it out; `recorded.…` is a part of a recorded answer, for `touchstone score`.',
    ),
});

/** What `touchstone.config.ts` (or .js, .yaml, .json) holds. */
export const configSchema = z.strictObject({
  $schema: z.string().optional().describe('Where the JSON Schema of this file is, for editors.'),
  description: z.string().optional().describe('What this evaluation is for; kept with every run.'),
  dataset: z
    .union([z.string().min(1), z.array(z.string().min(1)).min(1), datasetSchema])
    .describe('The golden question set: a path, several, or an object.'),
  targets: z.array(useSettingSchema).min(1).describe('The systems under test.'),
  scorecard: useOrNameSchema
    .nullable()
    .default('three-component')
    .describe('The rule that turns verdicts into a score; null for metrics alone.'),
  metrics: z
    .array(useOrNameSchema)
    .default(['latency'])
    .describe('Metrics reported beside those that the scorecard needs.'),
  judge: useOrNameSchema
    .optional()
    .describe('Who answers the judged metrics: `{ use: openai-chat, model: gpt-5-mini }`, or any judge.'),
  judgeSamples: z
    .int()
    .min(1)
    .max(100)
    .optional()
    .describe(
      'How often every judged metric asks its question, in place of its own `samples`; from 2 on, what the judge itself adds to the doubt is told apart.',
    ),
  judgeCache: z
    .boolean()
    .default(true)
    .describe('Whether a judge is asked the same question once, ever, or anew in every run.'),
  embedder: useOrNameSchema
    .optional()
    .describe(
      'The embedding model of the metrics that need one: `{ use: openai-embeddings, model: text-embedding-3-small }`.',
    ),
  user: useOrNameSchema
    .optional()
    .describe(
      'Who plays the users that have a goal: `{ use: openai-chat, model: gpt-5-mini }`, or any user. Scripts need none.',
    ),
  faults: z
    .array(conditionSettingSchema)
    .default([])
    .describe(
      'Faults to put into the tools of the targets, each beside the target without: `timeout`, `error`, `rate-limit`, `empty`, `truncated`, `malformed`, `stale`, or `all`; `timeout@0.5` hits half of the calls.',
    ),
  perturb: z
    .array(conditionSettingSchema)
    .default([])
    .describe(
      'Other ways to ask every question, each beside the question as it is: `typos`, `case`, `white-space`, `diacritics`, `paraphrase`, `distractor`, `language:German`, `prompt-injection`, or `all`.',
    ),
  perturbModel: useOrNameSchema
    .optional()
    .describe('The model that rewrites questions, for `language` and `paraphrase`.'),
  attempts: z.int().min(1).max(10_000).default(1).describe('How often each target tries each case.'),
  passes: z
    .union([
      z.int().min(1).max(10_000),
      z.string().regex(/^\s*[1-9]\d{0,3}\s+of\s+[1-9]\d{0,3}\s*$/, 'must be a number, or as in `4 of 5`'),
    ])
    .optional()
    .describe(
      'Attempts that have to pass for a case to pass: `4`, or `4 of 5`, which says the attempts, too.',
    ),
  curtail: z
    .boolean()
    .default(true)
    .describe('Whether a case is not tried again once its verdict by `passes` cannot change any more.'),
  seed: z
    .int()
    .min(0)
    .max(0xffff_ffff)
    .default(0)
    .describe('Handed to targets, mixed with the case and the attempt.'),
  concurrency: z.int().min(1).max(10_000).default(8).describe('Trials in flight for each target.'),
  timeLimitMs: z
    .number()
    .positive()
    .max(2_147_483_647)
    .default(60_000)
    .describe('Most milliseconds for one call.'),
  trialTimeLimitMs: z
    .number()
    .positive()
    .max(2_147_483_647)
    .optional()
    .describe(
      'Most milliseconds for a trial with all its turns and repeats; waiting for a turn does not count.',
    ),
  maxDurationMs: z
    .number()
    .positive()
    .max(2_147_483_647)
    .optional()
    .describe('Milliseconds after which a run starts nothing new; it can be resumed.'),
  maxRetries: z
    .int()
    .min(0)
    .max(100)
    .default(4)
    .describe('Calls made again after a passing fault, for each question.'),
  maxRunRetries: z
    .int()
    .min(0)
    .optional()
    .describe('Calls made again after a passing fault, in the whole run; then what fails has failed.'),
  maxCost: z
    .number()
    .min(0)
    .optional()
    .describe(
      'Most that a run may cost in US dollars: targets, judges, and models that play users or rewrite questions. No trial is begun that could pass it; the run can be resumed.',
    ),
  stopAfterFailures: z
    .int()
    .min(1)
    .nullable()
    .optional()
    .describe(
      'Failures in a row after which a target is not asked any more, while the others go on (in an A/B test, all end); 20 and one for each trial in flight when left out, null for never.',
    ),
  unread: z
    .array(expectationSchema)
    .default([])
    .describe(
      'Expectations of the cases that no metric reads, on purpose: `[state]`. Any other that nothing reads leaves the gate not measured.',
    ),
  weights: weightsSchema
    .strict()
    .optional()
    .describe(
      'Tells the score and the pass rate once more with the categories weighted as real traffic, and not as often as the dataset has them.',
    ),
  gate: gateSchema.strict().prefault({}).describe('The rule for a build.'),
  telemetry: telemetrySchema
    .optional()
    .describe(
      'Sends OpenTelemetry spans of every run to a collector of yours; nothing is sent when left out.',
    ),
  store: storeSettingSchema
    .default('.touchstone')
    .describe(
      'Folder that keeps the runs, relative to the config file; or `{ path, durability: power }` for writes that survive a power cut.',
    ),
});

/** A configuration as it is written. */
export type Config = z.input<typeof configSchema>;

/** A configuration with its defaults filled in. */
export type CheckedConfig = z.output<typeof configSchema>;

/** Gives an editor the types of a configuration. Returns it as it is. */
export function defineConfig(config: Config): Config {
  return config;
}
