import { z } from 'zod';
import { datasetFormats } from '../../evaluate/datasets/dataset.ts';
import { fieldSpellings } from '../../evaluate/datasets/field-mapping.ts';
import { refereeSettingSchema } from '../../core/schema/referee/referee.ts';
import { expectationSchema } from '../../core/schema/expectation.ts';
import { gateSchema } from '../../core/schema/gate.ts';
import { useOrNameSchema, useSettingSchema } from '../../core/schema/use.ts';
import { weightsSchema } from '../../core/schema/estimate.ts';
import { watchSettingSchema } from '../../core/schema/watch/watch-setting.ts';
import { toolsSettingSchema } from '../../evaluate/tools/tools-setting.ts';
import { attackSetSchema, attackSettingSchema } from './attacks/attacks-setting.ts';
import { conditionSettingSchema } from './conditions/condition-setting.ts';
import { rubricsSettingSchema } from './rubrics/rubric-setting.ts';
import { reportSettingSchema } from '../../core/schema/account/report-setting.ts';
import { storeSettingSchema } from './store-setting.ts';

/** The schema of the `telemetry` setting: the user's own OpenTelemetry collector. */
const telemetrySchema = z.lazy(() =>
  z.strictObject({
    otlp: z
      .url()
      .optional()
      .describe(
        'Address of the collector (OTLP over HTTP), such as `http://localhost:4318`; OTEL_EXPORTER_OTLP_ENDPOINT by default.',
      ),
    headersFromEnv: z
      .record(z.string().min(1), z.string().min(1))
      .default({})
      .describe('Headers to send: the name of each, and the environment variable with its value.'),
    content: z
      .boolean()
      .default(false)
      .describe('True to also send questions, answers, prompts, and the arguments and results of tools.'),
  }),
);

const datasetSchema = z.strictObject({
  path: z
    .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
    .describe('Files or globs, relative to the config file; `-` is standard input.'),
  format: z.enum(datasetFormats).optional().describe('The format of all files, whatever their names.'),
  duplicates: z
    .enum(['refuse', 'skip'])
    .default('refuse')
    .describe('What happens to a row that repeats an id or content: it is refused, or skipped and counted.'),
  allowPrivate: z
    .boolean()
    .optional()
    .describe('True to fetch pictures and other files also from addresses of your own network.'),
  fields: z
    .record(
      z.string(),
      z.union([z.enum(fieldSpellings), z.null(), z.literal(false)]).describe('The meaning of the column.'),
    )
    .optional()
    .describe(
      'The meaning of your columns: `{ my_column: "expected.answer" }`; null keeps a column as metadata, false drops it; `recorded.…` is a part of a recorded answer, for `touchstone score`.',
    ),
});

/** The schema of the `agents` setting: what coding agents may spend by `touchstone mcp`. */
const agentsSchema = z.strictObject({
  maxCost: z
    .number()
    .min(0)
    .default(1)
    .describe('US dollars that an agent may spend on a run without asking a person; 0 asks every time.'),
  perDay: z
    .number()
    .min(0)
    .default(10)
    .describe('US dollars that agents may spend in 24 hours, asked or not.'),
  unpriced: z
    .enum(['ask', 'allow'])
    .default('ask')
    .describe(
      'Whether a person is asked before a run whose price is not known: `allow` where the bots and judges cost nothing.',
    ),
});
export type AgentLimits = z.output<typeof agentsSchema>;

/** The schema of `touchstone.config.ts` (or .js, .yaml, .json). */
export const configSchema = z.strictObject({
  $schema: z.string().optional().describe('Path of the JSON Schema of this file, for editors.'),
  description: z.string().optional().describe('The purpose of this evaluation; stored with every run.'),
  dataset: z
    .union([z.string().min(1), z.array(z.string().min(1)).min(1), datasetSchema, attackSetSchema])
    .describe(
      'The golden question set: a path, several, or an object; `{ use: attacks }` is the built-in set of attacks.',
    ),
  attack: attackSettingSchema
    .optional()
    .describe(
      'What the attacks of `dataset: { use: attacks }` are after: `{ secrets: [BLUE-7142], forbiddenTools: [delete_*] }`.',
    ),
  targets: z
    .array(useSettingSchema)
    .min(1)
    .describe('The systems under test; a model in place of a target is asked as it is.'),
  scorecard: useOrNameSchema
    .nullable()
    .default('three-component')
    .describe('The rule that turns verdicts into a score; null for metrics alone.'),
  metrics: z
    .array(useOrNameSchema)
    .default(['latency'])
    .describe('Metrics to report in addition to the ones that the scorecard needs.'),
  judge: useOrNameSchema
    .optional()
    .describe('The judge of the judged metrics: `{ use: openai-chat, model: gpt-5-mini }`, or any judge.'),
  judges: z
    .strictObject({
      attachments: z
        .enum(['always', 'never'])
        .default('always')
        .describe(
          '`never`: no picture, PDF or sound goes to a judge; what is about one is then not measured (`judge-cannot-see`).',
        ),
    })
    .optional()
    .describe('What judges get to see.'),
  judgeSamples: z
    .int()
    .min(1)
    .max(100)
    .optional()
    .describe(
      "How often every judged metric asks its question, in place of its own `samples`. With 2 or more, the judge's own share of the uncertainty is reported.",
    ),
  judgeCache: z
    .boolean()
    .default(true)
    .describe('True to reuse stored judgements; false to ask the judge again in every run.'),
  embedder: useOrNameSchema
    .optional()
    .describe(
      'The embedding model of the metrics that need one: `{ use: openai-embeddings, model: text-embedding-3-small }`.',
    ),
  user: useOrNameSchema
    .optional()
    .describe(
      'The model that plays users with a goal: `{ use: openai-chat, model: gpt-5-mini }`, or any user. Scripted users need none.',
    ),
  faults: z
    .array(conditionSettingSchema)
    .default([])
    .describe(
      'Faults in the tools of the targets, each run in addition to the unchanged target: `timeout`, `error`, `rate-limit`, `empty`, `truncated`, `malformed`, `stale`, or `all`; `timeout@0.5` affects half of the calls.',
    ),
  perturb: z
    .array(conditionSettingSchema)
    .default([])
    .describe(
      'Changed forms of every question, each asked in addition to the original: `typos`, `case`, `white-space`, `diacritics`, `paraphrase`, `distractor`, `language:German`, `prompt-injection`, or `all`.',
    ),
  perturbModel: useOrNameSchema
    .optional()
    .describe('The model that rewrites questions, for `language` and `paraphrase`.'),
  attempts: z
    .int()
    .min(1)
    .max(10_000)
    .default(1)
    .describe('Number of attempts of each target at each question.'),
  passes: z
    .union([
      z.int().min(1).max(10_000),
      z.string().regex(/^\s*[1-9]\d{0,3}\s+of\s+[1-9]\d{0,3}\s*$/, 'must be a number, or as in `4 of 5`'),
    ])
    .optional()
    .describe(
      'Attempts that must pass for a question to pass: `4`, or `4 of 5`, which also sets the number of attempts.',
    ),
  curtail: z
    .boolean()
    .default(true)
    .describe('True to stop the attempts at a question once its verdict by `passes` can no longer change.'),
  seed: z
    .int()
    .min(0)
    .max(0xffff_ffff)
    .default(0)
    .describe('Seed that targets receive, combined with the question and the attempt.'),
  concurrency: z.int().min(1).max(10_000).default(8).describe('Attempts in flight for each target.'),
  timeLimitMs: z
    .number()
    .positive()
    .max(2_147_483_647)
    .default(60_000)
    .describe('Time limit of one call in milliseconds.'),
  trialTimeLimitMs: z
    .number()
    .positive()
    .max(2_147_483_647)
    .optional()
    .describe(
      'Time limit of an attempt with all its turns and retries in milliseconds; waiting for a free slot does not count.',
    ),
  maxDurationMs: z
    .number()
    .positive()
    .max(2_147_483_647)
    .optional()
    .describe('Milliseconds after which a run starts no new attempt; it can be resumed.'),
  maxRetries: z
    .int()
    .min(0)
    .max(100)
    .default(4)
    .describe('Retries after transient errors, for each question.'),
  maxRunRetries: z
    .int()
    .min(0)
    .optional()
    .describe('Retries after transient errors in the whole run; after that, failures are final.'),
  maxCost: z
    .number()
    .min(0)
    .optional()
    .describe(
      'Cost limit of a run in US dollars, for targets, judges, and models that play users or rewrite questions. No attempt starts that could exceed it; the run can be resumed.',
    ),
  stopAfterFailures: z
    .int()
    .min(1)
    .nullable()
    .optional()
    .describe(
      'Consecutive failures after which a target is no longer called, while the others continue (an A/B test ends for all). The default is 20 plus the number of attempts in flight; null for never.',
    ),
  rubrics: rubricsSettingSchema
    .default({})
    .describe(
      'Questions that people answer about answers, by name, or a file for each: `tone: { criterion: politeness, question: Is the answer polite? }`.',
    ),
  unread: z
    .array(expectationSchema)
    .default([])
    .describe(
      'Expectations that no metric reads on purpose, such as `[state]`. With any other unread expectation, the gate is not measured.',
    ),
  weights: weightsSchema
    .strict()
    .optional()
    .describe(
      'Weights of the categories in real traffic. The score and the pass rate are also reported with these weights.',
    ),
  gate: gateSchema.strict().prefault({}).describe('The rule for a build.'),
  agents: agentsSchema
    .prefault({})
    .describe('What coding agents may spend by `touchstone mcp`, such as `{ maxCost: 2, perDay: 20 }`.'),
  tools: toolsSettingSchema
    .optional()
    .describe(
      'The proxy between the bots and their tools: what they call is seen, recorded, replayed, mocked or refused (docs/tools.md).',
    ),
  watch: watchSettingSchema
    .optional()
    .describe(
      'What is watched in the traces of production, by `touchstone score --traces` (docs/production.md).',
    ),
  telemetry: telemetrySchema
    .optional()
    .describe(
      'Sends OpenTelemetry spans of every run to your own collector; without this setting nothing is sent.',
    ),
  report: reportSettingSchema
    .optional()
    .describe(
      'The server that gets each run when it ends: `{ server: https://evals.example.org, project: shop }`, with the token of TOUCHSTONE_TOKEN (docs/server.md).',
    ),
  referee: refereeSettingSchema
    .optional()
    .describe(
      'A held-out set that says, with one bit and counted, whether a version is better: `{ heldOut: ../acme-heldout }` (docs/referee.md).',
    ),
  store: storeSettingSchema
    .default('.touchstone')
    .describe(
      'The store of the runs: a folder, relative to the config file; the address of a PostgreSQL database; or `{ use, …options }`. Without `use`, the options are for `sqlite`, such as `{ path, durability: power }`.',
    ),
});

/** A configuration as written by a user. */
export type Config = z.input<typeof configSchema>;

/** A configuration with its defaults filled in. */
export type CheckedConfig = z.output<typeof configSchema>;

/** Returns a configuration unchanged. It lets editors check and complete the configuration by its type. */
export function defineConfig(config: Config): Config {
  return config;
}

/** Returns whether judges get no pictures and other files. */
export function hidesFilesIn({ judges }: Pick<CheckedConfig, 'judges'>): boolean {
  return judges?.attachments === 'never';
}
