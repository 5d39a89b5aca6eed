import { disagreementKinds } from '../../src/decide/analysis/disagreement-kinds.ts';
import * as faults from '../../src/evaluate/conditions/faults/registry.ts';
import * as perturbations from '../../src/evaluate/conditions/perturbations/registry.ts';
import { fieldTable } from '../../src/evaluate/datasets/field-table.ts';
import { errorSigns } from '../../src/evaluate/metrics/operations/detect-error.ts';
import { type MetricAspect, metricAspects, metricFamilies } from '../../src/core/schema/metric.ts';
import {
  documentAliases,
  replyAliases,
  toolCallAliases,
  usageAliases,
} from '../../src/evaluate/targets/reply/reply-aliases.ts';
import type { MetricDefinition } from '../../src/evaluate/metrics/metric.ts';
import * as metrics from '../../src/evaluate/metrics/registry.ts';
import { anchorOf } from '../../src/core/lib/text/anchor-of.ts';
import { code, table } from './markdown.ts';

type Definition = Pick<MetricDefinition, 'name' | 'family' | 'aspect' | 'parts'>;

const definitions = Object.values(metrics).map(({ definition }) => definition as Definition);

/** Lists the metrics by family, each with a link to its heading on the page. */
export function listFamilies(): string {
  const rows = Object.entries(metricFamilies).map(([family, meaning]) => [
    code(family),
    meaning,
    linksTo((metric) => metric.family === family),
  ]);
  const others = linksTo(({ family }) => family === undefined);
  return table(
    ['family', 'a high verdict says', 'metrics'],
    [...rows, ...(others === '' ? [] : [['none', 'what you ask', others]])],
  );
}

/** Writes the section with the aspects that reports treat in a way of their own, with the metrics that declare them. */
export function aspects(): string[] {
  return [
    '## Aspects',
    'Reports identify no metric by its name. What they show of one beyond its value follows from the `aspect` that its ' +
      'definition declares, or that it declares for the `parts` of its verdicts; a metric of your own that declares the same ' +
      'is shown the same way.',
    table(
      ['aspect', 'a high verdict says', 'metrics'],
      Object.entries(metricAspects).map(([aspect, meaning]) => [
        code(aspect),
        meaning,
        linksTo((metric) => metric.aspect === aspect || hasPart(metric, aspect)),
      ]),
    ),
  ];
}

function hasPart({ parts = [] }: Definition, aspect: string): boolean {
  return parts.some((part) => part.aspect === aspect);
}

function linksTo(test: (metric: Definition) => boolean): string {
  const names = definitions.filter(test).map(({ name }) => name);
  return names
    .sort()
    .map((name) => `[${name}](#${anchorOf(name)})`)
    .join(', ');
}

/** Writes the page with the names by which the fields of a dataset are known. */
export function datasetPage(): string[] {
  return [
    '# Fields of a dataset',
    'A field of a row is known by these names, whatever the letter case. `dataset.fields` of the ' +
      '[configuration](config.md) adds to them or overrides them. Anything else is kept as metadata, and reported once.',
    namesTable(fieldTable.map(({ field, names }) => [field, names])),
  ];
}

/** Writes the section with the names by which the parts of a reply are known. */
export function replies(): string[] {
  return [
    '## Replies of a bot',
    'A reply is a text, or an object whose parts are found under these names: the first that is there counts, and only ' +
      '`answer` is needed. `toolCalls` and `documents` are lists of texts, or of objects with the parts below. A `message` ' +
      'that is the only answer is an error report, `target-reported-error`, when `error` is set, `ok` or `success` is false, ' +
      '`status` is `error`, or `code`, `status` or `statusCode` is a number from 400 to 599.',
    namesTable([
      ...Object.entries(replyAliases),
      ...Object.entries(toolCallAliases).map(([part, names]) => [`toolCalls[].${part}`, names] as const),
      ...Object.entries(documentAliases).map(([part, names]) => [`documents[].${part}`, names] as const),
      ...Object.entries(usageAliases).map(([part, names]) => [`usage.${part}`, names] as const),
    ]),
  ];
}

/** Writes the sections with the faults and the perturbations. */
export function conditions(): string[] {
  const kindsTable = (registry: Readonly<Record<string, { kind: string; summary: string }>>) =>
    table(
      ['kind', 'what it does'],
      Object.values(registry)
        .map(({ kind, summary }) => [code(kind), summary])
        .sort(([a = ''], [b = '']) => (a < b ? -1 : 1)),
    );
  return [
    '## Faults',
    'What can go wrong in the tools of a target: `faults` of the configuration, or `--faults`.',
    kindsTable(faults),
    '## Perturbations',
    'How else a question can be put: `perturb` of the configuration, or `--perturb`.',
    kindsTable(perturbations),
  ];
}

/** Writes the section with the kinds of disagreement between metrics. */
export function disagreements(): string[] {
  return [
    '## Disagreements',
    'Where two metrics contradict each other, one of them or the bot is wrong. A report counts the answers of each kind; ' +
      '`touchstone show --disagreements` lists them with both verdicts. The verdicts of one side have to be at least as high ' +
      'as stated, those of the other at most as high. A verdict that was not measured contradicts nothing. Of the metrics of ' +
      'a side, the first that were measured count; if they are several, all of them have to agree.',
    table(
      ['kind', 'high', 'low', 'likely reading'],
      disagreementKinds.map(({ name, title, reading, high, low }) => [
        `${code(name)}: ${title}`,
        sideText(high),
        sideText(low),
        reading,
      ]),
    ),
  ];
}

function sideText({ by, limit }: (typeof disagreementKinds)[number]['high']): string {
  const names = by.map((wanted) => ('aspect' in wanted ? namesOf(wanted.aspect) : `all of ${wanted.family}`));
  return `${names.join(', else ')}: ${limit}`;
}

function namesOf(aspect: MetricAspect): string {
  return definitions
    .filter((metric) => metric.aspect === aspect)
    .map(({ name }) => code(name))
    .join(', else ');
}

/** Writes the section with the signs of an error report. */
export function errorReports(): string[] {
  return [
    '## Error reports',
    'For `error-handling`, an answer with one of these signs is an error report. A sign counts only where a report begins: ' +
      'an answer that talks about errors is none.',
    table(
      ['sign', 'meaning'],
      errorSigns.map(({ id, meaning }) => [code(id), meaning]),
    ),
  ];
}

function namesTable(rows: readonly (readonly [meaning: string, names: readonly string[]])[]): string {
  return table(
    ['meaning', 'names'],
    rows.map(([meaning, names]) => [code(meaning), names.map(code).join(', ')]),
  );
}
