import { readFileSync } from 'node:fs';
import { errorRemedies } from '../../../core/errors.ts';
import { hashContent } from '../../../core/lib/content-hash.ts';
import { filterOperators } from '../../../core/lib/filter/filter.ts';
import { type FilterField, type FilterSubject, vocabularyOf } from '../../../core/lib/filter/fields.ts';
import { ownFile, touchstoneVersion } from '../../../core/own-package.ts';
import { configSchema } from '../../../library/config/config.ts';
import { findDefinitions } from '../../../library/find/find-definitions.ts';
import { readSettings } from '../../../library/find/settings.ts';
import { exitCodes } from '../../program/help-sections.ts';

/** The files of a skill by their paths in its folder. */
export type SkillFiles = Readonly<Record<string, string>>;

const main = 'SKILL.md';
const digestLine = /^ {2}digest: "([0-9a-f]*)"$/m;

/** Returns the files of the skill of this version; its references come from the registries. */
export function createSkill(): SkillFiles {
  const text = readTemplate(main).replace('{{version}}', touchstoneVersion);
  const files = {
    [main]: text.replace('{{digest}}', ''),
    'references/metrics.md': metricsPage(),
    'references/filters.md': filtersPage(),
    'references/config.md': configPage(),
    'references/errors.md': errorsPage(),
  };
  return { ...files, [main]: text.replace('{{digest}}', digestOf(files)) };
}

/**
 * Returns whether the files of a skill are as some version of Touchstone wrote them: the digest in the first one fits. What a
 * user has edited is the user's.
 */
export function isUntouched(files: SkillFiles): boolean {
  const stated = digestLine.exec(files[main] ?? '')?.[1];
  return stated !== undefined && stated === digestOf(files);
}

function digestOf(files: SkillFiles): string {
  const named = Object.entries(files).map(([name, text]) => [
    name,
    text.replaceAll('\r\n', '\n').replace(digestLine, '  digest: ""'),
  ]);
  return hashContent(Object.fromEntries(named));
}

/** Reads a file of the templates for coding agents. */
export function readTemplate(name: string): string {
  return readFileSync(ownFile('templates', 'agents', name), 'utf8');
}

function metricsPage(): string {
  const rows = findDefinitions(['metric']).hits.map(({ name, says, reads = [], needs }) => [
    `\`${name}\``,
    says,
    reads.join(', '),
    needs.join(', '),
  ]);
  return page('Metrics', [
    'A metric is a line of `metrics:` in the config: `metrics: [keywords, { use: groundedness, threshold: 0.9 }]`. *Reads* is what a question must expect (`expected_…`); one that needs a judge needs `judge:` in the config, and costs calls. All about one, with an example: `touchstone metrics NAME`; by what it is for: `touchstone metrics WORD`.',
    table(['metric', 'what it says', 'reads', 'needs'], rows),
  ]);
}

const subjects: readonly (readonly [FilterSubject, string])[] = [
  ['case', 'questions, in `run`, `score`, `ab`'],
  ['trial', 'answers, in `show`, `rescore`, `export` and `failed_cases`; each metric by its name too'],
  ['run', 'runs, in `runs`'],
];

function filtersPage(): string {
  const rows = subjects.map(([subject, meaning]) => [
    meaning,
    vocabularyOf(subject).fields.map(describeField).join(', '),
  ]);
  return page('Filters', [
    `A filter is one or more terms, all of which must match: \`category=taxes|deeds tag!=slow total<0.7 answer~refund\`. A term is a field, an operator (${filterOperators.map((operator) => `\`${operator}\``).join(' ')}; \`~\` is "contains") and a value; \`*\` is any text, \`|\` divides alternatives, \`"…"\` holds a value with spaces.`,
    table(['filter of', 'fields'], rows),
    "What failed on a category: `--filter 'result=failed category=tax*'`. What a metric could not measure, and why: `missing=NAME`, `gap.NAME=*`. All of it: `touchstone docs --page filters`.",
  ]);
}

function describeField({ name, values }: FilterField): string {
  return values === undefined ? `\`${name}\`` : `\`${name}\` (${values.join(', ')})`;
}

function configPage(): string {
  const rows = readSettings(configSchema).flatMap(({ rows: [own] }) => (own === undefined ? [] : [own]));
  return page('Config', [
    '`touchstone.config.yaml` (or `.ts`, `.js`, `.json`), checked by `touchstone doctor`. The least that is needed:',
    "```yaml\ndataset: golden.jsonl\ntargets: [{ use: http, name: my-bot, url: 'http://127.0.0.1:8080/chat' }]\n```",
    'Kinds of bots: `touchstone targets WORD`. Keys stay in `.env` or the environment, and the config names them (`apiKeyEnv`). Settings inside these: `touchstone docs --page reference/config`.',
    table(['setting', 'type', 'default', 'meaning'], rows),
  ]);
}

function errorsPage(): string {
  const codes = Array.from(exitCodes.matchAll(/^ {2}(\d+) {2}(.*)$/gm), ([, code = '', meaning = '']) => [
    code,
    meaning,
  ]);
  const errors = Object.entries(errorRemedies).map(([code, remedy]) => [`\`${code}\``, remedy]);
  return page('Errors', [
    'An error is a message that says what happened and where, a code that never changes, and a remedy. It ends a command with exit code 4.',
    table(['exit code', 'meaning'], codes),
    table(['code', 'what to do'], errors),
  ]);
}

function page(title: string, parts: readonly string[]): string {
  return `${[`# ${title}`, ...parts].join('\n\n')}\n`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll(/(?<!\\)\|/g, '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
