import { TouchstoneError } from '../../core/errors.ts';
import { didYouMean } from '../../core/lib/text/nearest-name.ts';
import { type Expectation, expectations } from '../../core/schema/expectation.ts';
import type { ExtensionKind } from '../../library/config/definitions.ts';
import { findDefinitions, type Found } from '../../library/find/find-definitions.ts';
import { findSections } from '../../library/find/find-docs.ts';
import type { Output } from '../output.ts';
import { metricFamilies, type MetricFamily } from '../../core/schema/metric.ts';
import type { Described } from '../../library/find/describe-definition.ts';
import { settingsOf } from '../../library/find/settings.ts';
import type { ReportView } from '../../look/reporters/reporter.ts';
import { type Block, gap, paragraph } from '../../look/reporters/blocks/block.ts';
import { renderTerminal } from '../../look/reporters/blocks/terminal.ts';
import { joined, span, type Text, type Tone, whole } from '../../look/reporters/blocks/text.ts';

/** A search for extensions. */
interface Search {
  readonly words: readonly string[];
  readonly json?: boolean;
  /** Only metrics that read this expectation. */
  readonly reads?: string;
  /** False for only what works without a judge. */
  readonly judge?: boolean;
}

/** The kinds that a command lists. */
const kindsOf: Readonly<Record<string, readonly ExtensionKind[]>> = {
  metrics: ['metric'],
  targets: ['target'],
  models: ['model', 'embedder'],
  judges: ['judge'],
  scorecards: ['scorecard'],
  users: ['user'],
};

/**
 * Runs `touchstone metrics [word…]`, `targets`, `models`, `judges`, `scorecards` and `users`: lists what there is, finds it by
 * words, or describes the one that is named. Returns the exit code. Throws `usage-invalid` when nothing is found.
 */
export async function listDefinitions(
  command: string,
  { words, ...flags }: Search,
  output: Output,
): Promise<number> {
  const wanted = words.join(' ');
  const found = findDefinitions(kindsOf[command] ?? [], {
    words: wanted,
    reads: flags.reads === undefined ? undefined : readExpectation(flags.reads),
    noJudge: flags.judge === false,
  });
  if (found.hits.length === 0) throw nothingFound(command, wanted, found);
  return await output.print(flags.json, found.hits, () =>
    formatFound({ command, found, isWhole: wanted === '' }, output.view()),
  );
}

function readExpectation(written: string): Expectation {
  const found = expectations.find((name) => name === written);
  if (found !== undefined) return found;
  const hint = didYouMean(written, expectations);
  throw new TouchstoneError('usage-invalid', `There is no expectation "${written}".${hint}`, {
    remedy: `Choose from ${expectations.join(', ')}.`,
  });
}

function nothingFound(command: string, wanted: string, { near }: Found): TouchstoneError {
  const others = near?.hits.slice(0, 3).map(({ name }) => name);
  const hint = others === undefined ? '' : ` Near: ${near?.word} → ${others.join(', ')}.`;
  const own =
    command === 'metrics'
      ? '; a judge checks it in your own words (`touchstone metrics rubric`), a function of your own by code (`touchstone docs own metric`)'
      : '';
  const what = wanted === '' ? 'that these options leave' : `for "${wanted}"`;
  const elsewhere = wanted === '' ? '' : foundElsewhere(command, wanted);
  return new TouchstoneError('usage-invalid', `There are no ${command} ${what}.${hint}${elsewhere}`, {
    remedy: `List them all with \`touchstone ${command}\`${own}.`,
  });
}

/** Names what the other commands find by the same words, the pages last: `azure` is no target but a model. */
function foundElsewhere(command: string, wanted: string): string {
  const found = Object.entries(kindsOf).flatMap(([other, kinds]) => {
    const [first] = other === command ? [] : findDefinitions(kinds, { words: wanted }).hits;
    return first === undefined ? [] : [`\`touchstone ${other} ${wanted}\` finds ${first.name}`];
  });
  const page = findSections(wanted)[0];
  const last = page === undefined ? [] : [`\`touchstone docs ${wanted}\` finds ${page.page}`];
  const ways = [...found, ...last].slice(0, mostElsewhere);
  return ways.length === 0 ? '' : ` But ${ways.join(', and ')}.`;
}

const mostElsewhere = 2;

/** Hits of a search that are shown with an example; the others are named. */
const mostShown = 5;

/** The result of a command: everything of its kind, or what fits some words. */
interface FoundBy {
  readonly command: string;
  readonly found: Found;
  /** True when nothing was looked for. */
  readonly isWhole: boolean;
}

/** Formats what `touchstone metrics` and its like found: a list, the best hits with examples, or all about one. */
function formatFound({ command, found: { hits, isExact }, isWhole }: FoundBy, view: ReportView): string {
  const [first] = hits;
  if (first === undefined) return '';
  if (isExact) return renderTerminal(describeWhole(first), view);
  const more = at(0, [
    span(
      `${isWhole ? `Find one by what it is for: touchstone ${command} WORD. ` : ''}All about one: touchstone ${command} ${first.name}`,
      'quiet',
    ),
  ]);
  if (isWhole) return renderTerminal([...listAll(hits), gap, more], view);
  const rest = hits.slice(mostShown).map(({ name }) => name);
  const others = rest.length === 0 ? [] : [at(0, [span('Also: ', 'quiet'), span(rest.join(', '))]), gap];
  return renderTerminal(
    [...hits.slice(0, mostShown).flatMap((hit) => [...describeShortly(hit), gap]), ...others, more],
    view,
  );
}

function at(indent: number, text: Text): Block {
  return paragraph(text, { indent });
}

/** Lists extensions: many of them, which are in families, by their names; a few with what each does. */
function listAll(all: readonly Described[]): Block[] {
  if (all.every(({ family }) => family === undefined)) {
    return all.flatMap(({ name, says }) => [at(0, [span(name, 'strong')]), at(2, [span(says, 'quiet')])]);
  }
  const families = Object.entries<string>(metricFamilies);
  return [...families, ['other', 'what you ask']].flatMap(([family = '', meaning = ''], index) => {
    const own = all.filter((one) => (one.family ?? 'other') === family);
    if (own.length === 0) return [];
    const title = at(0, [span(family, 'strong'), span(`: ${meaning}`, 'quiet')]);
    const names = joined(
      own.map(({ name }, place) => [whole(place === own.length - 1 ? name : `${name},`)]),
      ' ',
    );
    return [...(index === 0 ? [] : [gap]), title, at(2, names)];
  });
}

function describeShortly(one: Described): Block[] {
  return [at(0, titleOf(one)), at(2, [span(one.says)]), ...exampleOf(one, 'quiet')];
}

/** Shows an example line by line, so that it can be pasted: it is never wrapped. */
function exampleOf({ example }: Described, tone?: Tone): Block[] {
  return example.split('\n').map((line) => {
    const code = line.trimStart();
    return at(2 + line.length - code.length, [span(code, tone)]);
  });
}

function titleOf({ name, family, needs, reads = [] }: Described): Text {
  const facts = [
    ...(family === undefined ? [] : [family]),
    ...(reads.length === 0 ? [] : [`reads expected ${reads.join(', ')}`]),
    ...needs.map((need) => `needs ${needNames[need] ?? need.replace(':', ' ')}`),
  ];
  return [span(name, 'strong'), span(facts.map((fact) => ` · ${fact}`).join(''), 'quiet')];
}

const needNames: Readonly<Record<string, string>> = { judge: 'a judge', embedder: 'an embedding model' };

function describeWhole(one: Described): Block[] {
  const options = settingsOf(one.options).flatMap(({ rows }) => rows);
  const facts = [
    one.family === undefined
      ? ''
      : `A high value says: ${metricFamilies[one.family satisfies MetricFamily]}.`,
    one.unit === undefined ? '' : `Its values are in ${one.unit}.`,
    `Version ${one.version}.`,
  ];
  return [
    at(0, titleOf(one)),
    at(2, [span(one.says)]),
    at(2, [span(facts.filter(Boolean).join(' '), 'quiet')]),
    gap,
    ...exampleOf(one),
    ...(options.length === 0 ? [] : [gap, at(2, [span('Options', 'strong')])]),
    ...options.flatMap(describeOption),
  ];
}

function describeOption(row: readonly string[]): Block[] {
  const [name = '', type = '', standard = '', meaning = ''] = row.map((cell) => cell.replaceAll('`', ''));
  const isDefault = standard !== '' && standard !== 'required';
  const facts = [type, isDefault ? `default ${standard}` : standard].filter(Boolean).join(', ');
  return [at(2, [span(name), span(`  ${facts}`, 'quiet')]), at(6, [span(meaning)])];
}
