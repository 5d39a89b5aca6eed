// Writes docs/reference.md from the definitions themselves. `--check` only tells when it is out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { configSchema } from '../src/config/config.ts';
import { fieldTable } from '../src/datasets/field-table.ts';
import type { Definition } from '../src/lib/define.ts';
import { errorSigns } from '../src/metrics/operations/detect-error.ts';
import * as judges from '../src/judges/registry.ts';
import type { MetricDefinition } from '../src/metrics/metric.ts';
import * as metrics from '../src/metrics/registry.ts';
import { disagreementKinds } from '../src/analysis/disagreement-kinds.ts';
import { metricFamilies } from '../src/schema/verdict.ts';
import * as embedders from '../src/models/embedders/registry.ts';
import * as models from '../src/models/registry.ts';
import * as scorecards from '../src/scorecards/registry.ts';
import * as targets from '../src/targets/registry.ts';
import * as users from '../src/users/registry.ts';
import {
  documentAliases,
  replyAliases,
  toolCallAliases,
  usageAliases,
} from '../src/targets/reply/reply-aliases.ts';
import { describeType, type JsonSchema } from './describe-type.ts';
import { printFindings } from './print-findings.ts';

type Registry = Readonly<Record<string, { readonly definition: unknown }>>;
type AnyDefinition = Definition<string, never, unknown, never>;

/** The reference as Markdown: every setting, every extension with its options, every alias and sign. */
export function createReference(): string {
  return [
    '# Reference',
    'Written from the definitions in the code by `npm run reference`; change those, not this page.',
    '## Configuration',
    'What `touchstone.config.ts`, `.js`, `.yaml` or `.json` holds. A target, a scorecard or a metric is written as ' +
      '`{ use: name, …options }`, in TypeScript as a call: `keywords({ threshold: 0.8 })`. `name` gives it another ' +
      'name in reports.',
    settingsTable(configSchema),
    ...section('Targets', targets),
    ...section('Scorecards', scorecards),
    ...section('Metrics', metrics),
    ...section('Judges', judges),
    ...section('Users', users),
    ...section('Models', models),
    ...section('Embedders', embedders),
    '## Fields of a dataset',
    'A field of a row is known by these names; `dataset.fields` of the config adds to them or overrides them. Anything ' +
      'else is kept as metadata, and reported once.',
    namesTable(fieldTable.map(({ field, names }) => [field, names])),
    '## Replies of a bot',
    'A reply is text, or an object whose parts are looked for under these names, the first that is there; only `answer` ' +
      'is needed. `toolCalls` and `documents` are lists, of texts or of objects with the parts below. A `message` that is the ' +
      'only answer is an error report, `target-reported-error`, when `error` is set, `ok` or `success` is false, `status` is ' +
      '`error`, or `code`, `status` or `statusCode` is a number from 400 to 599.',
    namesTable([
      ...Object.entries(replyAliases),
      ...Object.entries(toolCallAliases).map(([part, names]) => [`toolCalls[].${part}`, names] as const),
      ...Object.entries(documentAliases).map(([part, names]) => [`documents[].${part}`, names] as const),
      ...Object.entries(usageAliases).map(([part, names]) => [`usage.${part}`, names] as const),
    ]),
    '## Disagreements',
    'Where metrics contradict each other, a metric or a bot is broken. A report counts the answers of each kind, ' +
      '`touchstone show --disagreements` lists them with both verdicts. One side has to be as high as stated or higher, ' +
      'the other as low or lower; a verdict that was not measured contradicts nothing. Of the metrics of a side, the ' +
      'first that say something count, and of several at once all have to agree.',
    table(
      ['kind', 'high', 'low', 'likely reading'],
      disagreementKinds.map(({ name, title, reading, high, low }) => [
        `\`${name}\`: ${title}`,
        sideText(high),
        sideText(low),
        reading,
      ]),
    ),
    'The families, which a metric of your own can state as `family`, by what a high verdict says:',
    table(
      ['family', 'meaning'],
      Object.entries(metricFamilies).map(([name, meaning]) => [name, meaning]),
    ),
    '## Error reports',
    'An answer that is one of these is an error report to `error-handling`. Each sign is anchored where a report begins, ' +
      'so that an answer which talks about errors is not one.',
    table(
      ['sign', 'meaning'],
      errorSigns.map(({ id, meaning }) => [`\`${id}\``, meaning]),
    ),
    '',
  ].join('\n\n');
}

function sideText({ by, limit }: (typeof disagreementKinds)[number]['high']): string {
  const metrics = by.map((wanted) => ('use' in wanted ? `\`${wanted.use}\`` : `all of ${wanted.family}`));
  return `${metrics.join(', else ')}: ${limit}`;
}

function section(title: string, registry: Registry): string[] {
  const definitions = Object.values(registry)
    .map(({ definition }) => definition as AnyDefinition)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return [
    `## ${title}`,
    ...definitions.flatMap((definition) => [
      `### \`${definition.name}\``,
      [definition.summary, `Version ${definition.version}.`, readsSentence(definition)]
        .filter(Boolean)
        .join(' '),
      settingsTable(definition.options as z.ZodType),
    ]),
  ].filter((part) => part !== '');
}

/** Which expectations of a case a metric reads. */
function readsSentence(definition: AnyDefinition): string {
  const { kind, reads } = definition as AnyDefinition & Pick<MetricDefinition, 'reads'>;
  if (kind !== 'metric') return '';
  if (typeof reads === 'function') return 'Its options decide which expectations it reads.';
  return reads === undefined ? '' : `Reads ${reads.map((name) => `\`${name}\``).join(', ')}.`;
}

/** A row for each setting of an object schema: its name, what it holds, what it is when left out, what it means. */
function settingsTable(schema: z.ZodType): string {
  const rows = settingRows(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), '');
  return rows.length === 0 ? '' : table(['setting', 'type', 'default', 'meaning'], rows);
}

function settingRows({ properties = {}, required = [] }: JsonSchema, prefix: string): string[][] {
  return Object.entries(properties as Record<string, JsonSchema>).flatMap(([name, property]) => {
    const { description = '', default: value } = property;
    const isRequired = required.includes(name) && prefix === '';
    const isEmpty = value === undefined || JSON.stringify(value) === '{}';
    const whenLeftOut = isEmpty ? '' : `\`${JSON.stringify(value)}\``;
    const type = describeType(property);
    const row = [`\`${prefix}${name}\``, type, isRequired ? 'required' : whenLeftOut, description];
    const inner = innerSchema(property);
    return [
      row,
      ...(inner === undefined ? [] : settingRows(inner.schema, `${prefix}${name}${inner.suffix}`)),
    ];
  });
}

/** The object schema inside a setting: its own, that of its list's items, or that of one of its alternatives. */
function innerSchema(schema: JsonSchema): { schema: JsonSchema; suffix: string } | undefined {
  const choices = schema.anyOf ?? [schema];
  const object = choices.find(
    ({ properties }) => properties !== undefined && properties['use'] === undefined,
  );
  if (object !== undefined) return { schema: object, suffix: '.' };
  const items = choices.find(({ type }) => type === 'array')?.items as JsonSchema | undefined;
  const inner = items === undefined ? undefined : innerSchema(items);
  return inner === undefined ? undefined : { ...inner, suffix: '[].' };
}

function namesTable(rows: readonly (readonly [meaning: string, names: readonly string[]])[]): string {
  return table(
    ['meaning', 'names'],
    rows.map(([meaning, names]) => [`\`${meaning}\``, names.map((name) => `\`${name}\``).join(', ')]),
  );
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escapeCell).join(' | ')} |`;
  return [line(head), `| ${head.map(() => '---').join(' | ')} |`, ...rows.map(line)].join('\n');
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

if (import.meta.main) {
  const file = path.resolve(import.meta.dirname, '..', 'docs', 'reference.md');
  const text = createReference();
  if (!process.argv.includes('--check')) writeFileSync(file, text);
  const isStale = readFileSync(file, 'utf8') !== text;
  printFindings(
    isStale ? ['docs/reference.md is out of date; run `npm run reference`'] : [],
    'docs/reference.md agrees with the sources',
  );
}
