/**
 * The allowed imports inside src/. A name is a folder (all of it) or a file; every folder may import from itself. Tests
 * may import anything, because they are not shipped.
 */
const leaves = ['schema', 'stats', 'lib', 'errors.ts'];

const kinds = [
  'targets',
  'conditions',
  'users',
  'metrics',
  'scorecards',
  'judges',
  'models',
  'datasets',
  'stores',
  'executors',
  'reporters',
  'importers',
  'exporters',
];

const stores = [
  'stores/store.ts',
  'stores/reviews/review-store.ts',
  'stores/reviews/admit.ts',
  'stores/certificates/certificate-store.ts',
  'stores/feedback/feedback-store.ts',
  'stores/proposals/proposal-store.ts',
  'stores/traces/trace-store.ts',
  'stores/shared/shared-records.ts',
  'stores/accounts/account-store.ts',
  'stores/texts/text-records.ts',
];

/** The rules that derive from labels what people say of an answer; they read no store. */
const labelRules = ['reviews/rubric.ts', 'reviews/calibrate/pair-labels.ts'];

/** The scorecards whose rule follows from the record of a run alone: a corrected score evaluates them by what people said. */
const scorecardRules = [
  'scorecards/scorecard.ts',
  'scorecards/binary-weighted.ts',
  'scorecards/three-component.ts',
  'scorecards/weighted.ts',
];

const interfaces = [
  'datasets/dataset.ts',
  'targets/target.ts',
  'users/user.ts',
  'metrics/metric.ts',
  'judges/judge.ts',
  'scorecards/scorecard.ts',
  'executors/executor.ts',
  'stores/store.ts',
  'stores/shared/shared-records.ts',
  'reporters/reporter.ts',
  'queues/queue.ts',
];

const belowConfig = [
  'prefer',
  'run',
  'gate',
  'certificates',
  'analysis',
  'lint',
  'report',
  ...kinds,
  ...leaves,
  'version.ts',
];
const everythingBelow = [
  'config',
  'queries',
  'telemetry',
  'reviews',
  'feedback',
  'proposals',
  'traces',
  'erasure',
  'retention',
  'draft',
  'accounts',
  ...belowConfig,
];

/** The allowed imports of each folder and each file at the top of src/. */
export const layers: Readonly<Record<string, readonly string[]>> = {
  'index.ts': ['api', ...everythingBelow],
  cli: ['api', 'server', 'queues', ...everythingBelow],
  server: ['api', ...everythingBelow],
  api: everythingBelow,
  config: belowConfig,
  telemetry: [...leaves, 'version.ts', 'run/run-needs.ts'],
  reviews: ['run', 'gate', 'certificates', 'analysis', 'queries', 'prefer', ...leaves, ...stores],
  accounts: [...leaves, ...stores],
  retention: ['accounts', ...leaves, ...stores],
  erasure: [...leaves, ...stores, 'traces'],
  queues: leaves,
  proposals: [...leaves, ...stores, 'lint', 'datasets', 'run/prepare/check-draft.ts'],
  traces: [...leaves, ...stores, 'proposals', 'feedback', 'lint', 'datasets', 'targets'],
  feedback: [...leaves, ...stores, 'stores/trial-values.ts'],
  queries: [
    'run',
    'gate',
    'certificates',
    'analysis',
    ...leaves,
    'stores/store.ts',
    'stores/trial-values.ts',
  ],
  run: ['gate', 'certificates', 'analysis', ...leaves, 'version.ts', ...interfaces],
  prefer: [
    'run',
    'analysis',
    ...leaves,
    ...interfaces,
    'judges/compare-pair.ts',
    'judges/stored-judge.ts',
    'metrics/judged/material.ts',
  ],
  draft: [
    'traces',
    'run',
    'lint',
    ...leaves,
    ...interfaces,
    'judges/asking/ask-chat-model.ts',
    'judges/asking/call-model.ts',
    'judges/prompt/write-prompt.ts',
    'judges/reply/find-answer.ts',
    'metrics/text/search-text.ts',
    'models',
    'proposals/make-proposal.ts',
  ],
  gate: ['certificates', 'analysis', ...leaves, 'stores/store.ts'],
  certificates: ['analysis', ...leaves, ...labelRules, ...scorecardRules, 'stores/store.ts'],
  analysis: [...leaves, 'stores/store.ts'],
  lint: [...leaves, 'datasets/dataset.ts', 'run/prepare/check-draft.ts', 'run/prepare/case-check-rules.ts'],
  targets: [...leaves, 'models'],
  conditions: [...leaves, 'models', 'targets/target.ts', 'targets/until-aborted.ts'],
  users: [...leaves, 'models'],
  metrics: [...leaves, 'judges/judge.ts', 'models/embedder.ts'],
  scorecards: leaves,
  judges: [...leaves, 'models'],
  models: [...leaves, 'stores/shared/shared-records.ts'],
  datasets: leaves,
  stores: leaves,
  executors: leaves,
  importers: [
    ...leaves,
    'report',
    'datasets/dataset.ts',
    'datasets/parquet.ts',
    'datasets/decode-text.ts',
    'datasets/read-csv-record.ts',
    'datasets/xlsx.ts',
    'datasets/otlp/read-spans.ts',
    'datasets/otlp/read-values.ts',
    'targets/reply/to-json.ts',
    'targets/replay/traces/read-trace.ts',
  ],
  exporters: [
    ...leaves,
    'report',
    'telemetry/encode-spans.ts',
    'telemetry/span.ts',
    'telemetry/trial-spans.ts',
    'importers/ledger.ts',
    'reporters/reporter.ts',
    'reporters/csv.ts',
    'reporters/parquet.ts',
  ],
  reporters: [...leaves, 'report'],
  report: leaves,
  stats: [],
  lib: [],
  schema: ['lib/json', 'lib/numbers/read-instant.ts'],
  'errors.ts': [],
  'version.ts': ['../package.json'],
  vitest: ['api', ...everythingBelow],
  testing: ['index.ts', 'api', 'cli', 'server', ...everythingBelow],
};

/** Only these may import a kind's registry.ts, beside the index.ts of the kind, which is its part of the library. */
export const registryReaders: readonly string[] = ['config'];

/** Folders and files that also run in a browser, and must not use Node.js. */
export const browserSafe: readonly string[] = ['schema', 'stats', 'report'];

/**
 * The parts of src/ that the dashboard may import. What it loads of them must not use Node.js. The report in one file
 * filters and sorts its trials itself, as a store in memory does.
 */
export const usedByDashboard: readonly string[] = [
  'schema',
  'report',
  'stats',
  'lib',
  'errors.ts',
  'stores/select-in-memory.ts',
  'stores/trial-values.ts',
];

/**
 * The allowed imports inside dashboard/src. A page imports no other page. Tests may import anything, because they are not
 * shipped.
 */
export const dashboardLayers: Readonly<Record<string, readonly string[]>> = {
  'main.tsx': ['zod.ts', 'styles.css', 'routes.tsx', 'data'],
  'routes.tsx': ['addresses.ts', 'layout', 'pages', 'parts'],
  'report-main.tsx': ['zod.ts', 'styles.css', 'report-routes.tsx', 'data'],
  'report-routes.tsx': ['addresses.ts', 'layout', 'pages', 'parts'],
  'addresses.ts': [],
  'zod.ts': [],
  layout: ['keys', 'parts', 'data'],
  pages: ['layout', 'keys', 'parts', 'data'],
  parts: ['keys', 'data'],
  keys: [],
  data: [],
};
