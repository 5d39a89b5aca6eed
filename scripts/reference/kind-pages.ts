import {
  type AnyDefinition,
  definitionsOf,
  type ExtensionKind,
  registries,
} from '../../src/library/config/definitions.ts';
import { describeDefinition } from '../../src/library/find/describe-definition.ts';
import type { MetricDefinition } from '../../src/evaluate/metrics/metric.ts';
import {
  conditions,
  datasetPage,
  aspects,
  disagreements,
  errorReports,
  listFamilies,
  replies,
} from './known-names.ts';
import { code } from './markdown.ts';
import type { Extension } from './library-pages.ts';
import { readSettings, type Setting } from '../../src/library/find/settings.ts';
import { settingsTable } from './settings-table.ts';
import {
  findSharedTables,
  type Owner,
  type SharedTable,
  splitOptions,
  type TablePlan,
} from './shared-options.ts';

type DefinitionOwner = Owner<Setting> & { readonly definition: AnyDefinition };

interface KindPage {
  readonly title: string;
  readonly about: string;
  readonly kinds: readonly ExtensionKind[];
  /** The title of the table of options that are repeated on the page and in no plan. */
  readonly repeated?: string;
  /** What stands between the first paragraph and the definitions, and after them. */
  readonly before?: readonly string[];
  readonly after?: readonly string[];
}

const plans: readonly TablePlan[] = [
  { title: 'How a model answers', owner: 'chat', options: ['temperature', 'maxTokens', 'seed'] },
  { title: 'Prompts of a model', owner: 'full-context', options: ['model', 'variables'] },
  { title: 'Functions of yours', owner: 'module', options: ['path', 'export', 'function'] },
  { title: 'Pass mark and grades', owner: 'weighted', options: ['passMark', 'grades'] },
  { title: 'Judged metrics', owner: 'rubric', options: ['judge', 'samples', 'decidedBy'] },
  {
    title: 'Retrieval metrics',
    owner: 'ndcg',
    options: ['order', 'unjudged', 'minRelevance', 'duplicates', 'k'],
  },
  {
    title: 'Texts that are looked for',
    owner: 'entities',
    options: ['threshold', 'alternatives', 'numbers', 'decimalMark', 'ignoreNegated', 'source', 'normalize'],
  },
  {
    title: 'Tool calls',
    owner: 'tool-f1',
    options: ['match', 'ignore', 'tolerance', 'text', 'ignoreTools', 'partialCredit'],
  },
  { title: 'Dates', owner: 'supported-facts', options: ['order', 'locales'] },
  { title: 'A text to compare with', owner: 'contains', options: ['value', 'from'] },
  {
    title: 'What a model is asked for',
    owner: 'openai-chat',
    options: ['temperature', 'topP', 'seed', 'stop', 'maxTokens', 'stream'],
  },
  { title: 'Providers', owner: 'openai-chat', options: ['model', 'headers', 'headersFromEnv', 'extra'] },
  {
    title: 'Requests and prices',
    owner: 'openai-chat',
    options: [
      'timeLimitMs',
      'maxRetries',
      'maxWaitMs',
      'maxConcurrency',
      'requestsPerMinute',
      'tokensPerMinute',
      'prices',
    ],
  },
];

const kindPages: Readonly<Record<string, KindPage>> = {
  'targets.md': {
    title: 'Targets',
    about: 'The systems under test: `targets` of the configuration.',
    kinds: ['target'],
    repeated: 'Options of several targets',
    after: [...replies(), ...conditions()],
  },
  'metrics.md': {
    title: 'Metrics',
    about:
      'What looks at a trial and returns a verdict: `metrics` of the configuration, or a criterion of a scorecard. By family, ' +
      'which says what a high verdict means:',
    kinds: ['metric'],
    repeated: 'Options of several metrics',
    before: [listFamilies()],
    after: [...aspects(), ...disagreements(), ...errorReports()],
  },
  'scorecards.md': {
    title: 'Scorecards',
    about: 'The rules that turn verdicts into a score: `scorecard` of the configuration.',
    kinds: ['scorecard'],
  },
  'judges.md': {
    title: 'Judges',
    about: 'What answers the questions of judged metrics: `judge` of the configuration, or of one metric.',
    kinds: ['judge'],
    repeated: 'Options of several judges',
  },
  'users.md': {
    title: 'Users',
    about: 'What plays the user of a conversation: `user` of the configuration.',
    kinds: ['user'],
  },
  'stores.md': {
    title: 'Stores',
    about:
      'Where runs, judgements and baselines are kept: `store` of the configuration. A text there is the `path` of `sqlite`, and ' +
      'an object without `use` contains the options of `sqlite`.',
    kinds: ['store'],
  },
  'models.md': {
    title: 'Models',
    about:
      'Chat models, for targets, judges and users, and embedding models, for metrics: `model` and `embedder`.',
    kinds: ['model', 'embedder'],
  },
};

/** Writes a page for each kind of extension that has options, and one for the fields of a dataset. */
export function writeKindPages(): Map<string, string[]> {
  const owners = Object.entries(kindPages).flatMap(([page, { kinds }]) =>
    kinds.flatMap((kind) => readOwners(page, kind)),
  );
  const titles = Object.fromEntries(
    Object.entries(kindPages).flatMap(([page, { repeated }]) =>
      repeated === undefined ? [] : [[page, repeated]],
    ),
  );
  const shared = findSharedTables(owners, plans, titles);
  const pages = Object.entries(kindPages).map(
    ([page, { title, about, before = [], after = [] }]) =>
      [
        page,
        [
          `# ${title}`,
          about,
          ...before,
          ...owners.filter((owner) => owner.page === page).flatMap((owner) => writeDefinition(owner, shared)),
          ...shared
            .filter((one) => one.page === page)
            .flatMap((one) => [`## ${one.title}`, ...settingsTable(one.options)]),
          ...after,
        ],
      ] satisfies [string, string[]],
  );
  return new Map<string, string[]>([...pages, ['datasets.md', datasetPage()]]);
}

/** Returns the extensions by the names of their functions, with the page on which each stands. */
export function readExtensions(): Map<string, Extension> {
  return new Map(
    Object.entries(kindPages).flatMap(([page, { kinds }]) =>
      kinds.flatMap((kind) =>
        Object.entries<{ readonly definition: unknown }>(registries[kind]).map(([name, { definition }]) => {
          const { name: use, summary } = definition as AnyDefinition;
          return [name, { use, page, summary }] as const;
        }),
      ),
    ),
  );
}

function readOwners(page: string, kind: ExtensionKind): DefinitionOwner[] {
  return definitionsOf(kind).map((definition) => ({
    name: definition.name,
    page,
    options: readSettings(definition.options),
    definition,
  }));
}

function writeDefinition(owner: DefinitionOwner, shared: readonly SharedTable<Setting>[]): string[] {
  const { name, summary, version, words } = owner.definition;
  const { own, shared: links } = splitOptions(owner, shared);
  const about = [
    summary,
    `Version ${version}.`,
    readsSentence(owner.definition),
    words === undefined ? '' : `Also looked for as: ${words}.`,
  ];
  const language = typeof owner.definition.example === 'string' ? 'ts' : 'yaml';
  const example = [`\`\`\`${language}`, describeDefinition(owner.definition).example, '```'].join('\n');
  return [`## ${code(name)}`, about.filter(Boolean).join(' '), example, ...settingsTable(own), ...links];
}

/** Says which expectations of a case a metric reads. */
function readsSentence(definition: AnyDefinition): string {
  const { kind, reads } = definition as AnyDefinition & Pick<MetricDefinition, 'reads'>;
  if (kind !== 'metric') return '';
  if (typeof reads === 'function') return 'Its options decide which expectations it reads.';
  return reads === undefined ? '' : `Reads ${reads.map(code).join(', ')}.`;
}
