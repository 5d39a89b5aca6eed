/**
 * The rooms of src/, from the top of the house to its ground. A room imports only the rooms that its row names, all of
 * them below it. Tests may import anything, because they are not shipped.
 */
export const rooms: Readonly<Record<string, readonly string[]>> = {
  cli: [
    'server',
    'library',
    'people',
    'exchange',
    'privacy',
    'look',
    'cases',
    'evaluate',
    'decide',
    'stores',
    'core',
  ],
  server: ['library', 'people', 'privacy', 'look', 'cases', 'evaluate', 'decide', 'stores', 'core'],
  library: ['people', 'exchange', 'privacy', 'look', 'cases', 'evaluate', 'decide', 'stores', 'core'],
  people: ['look', 'evaluate', 'decide', 'stores', 'core'],
  exchange: ['look', 'evaluate', 'core'],
  privacy: ['cases', 'stores', 'core'],
  look: ['evaluate', 'decide', 'stores', 'core'],
  cases: ['evaluate', 'stores', 'core'],
  evaluate: ['decide', 'stores', 'core'],
  decide: ['stores', 'core'],
  stores: ['core'],
  core: [],
};

/** The rooms that choose an implementation: they may import any file of a kind of extension and of the stores. */
export const choosers: readonly string[] = ['cli', 'library'];

/** Only this folder may import a kind's registry.ts, beside the index.ts of the kind, which is its part of the library. */
export const registryReader = 'library/config';

/**
 * Files of a folder of evaluate/ that its other folders may import, beside the interface of the kind: the file that is
 * named like the folder (`targets/target.ts`).
 */
export const sharedInEvaluate: readonly string[] = [
  'evaluate/conditions/with-call.ts',
  'evaluate/metrics/matching/compile-literal.ts',
  'evaluate/metrics/matching/compile-matcher.ts',
  'evaluate/models/account/call-with-retries.ts',
  'evaluate/models/account/rate-limiter.ts',
  'evaluate/models/anthropic/assemble-stream.ts',
  'evaluate/models/conversation.ts',
  'evaluate/models/embedder.ts',
  'evaluate/models/gemini/assemble-stream.ts',
  'evaluate/models/http/common-options.ts',
  'evaluate/models/http/protocol.ts',
  'evaluate/models/model-failure.ts',
  'evaluate/models/openai-chat/assemble-stream.ts',
  'evaluate/models/openai-responses/assemble-stream.ts',
  'evaluate/targets/chat/mcp-options.ts',
  'evaluate/targets/chat/mcp.ts',
  'evaluate/targets/command/find-program.ts',
  'evaluate/targets/command/wire.ts',
  'evaluate/targets/reply/merge-calls.ts',
  'evaluate/targets/reply/to-json.ts',
];

/** The parts of stores/ that implement a store: only the choosers may import them. */
export const implementingStores: readonly string[] = [
  'stores/memory.ts',
  'stores/postgres',
  'stores/registry.ts',
  'stores/sql',
  'stores/sqlite',
];

/** Folders that also run in a browser, and must not load Node.js. */
export const browserSafe: readonly string[] = ['core/schema', 'core/stats', 'core/trials', 'look/report'];

/** The parts of src/ that the dashboard may import. What it loads of them must not use Node.js. */
export const usedByDashboard: readonly string[] = ['core', 'look/report'];

/** The allowed imports inside dashboard/src. A page imports no other page. */
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
