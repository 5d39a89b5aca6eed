import { metricFamilies, type MetricFamily } from '../../core/schema/metric.ts';
import type { Described } from '../../library/find/describe-definition.ts';
import type { Found } from '../../library/find/find-definitions.ts';
import { settingsOf } from '../../library/find/settings.ts';
import type { ReportView } from '../../look/reporters/reporter.ts';
import { flow } from '../../look/reporters/terminal/flow.ts';
import { joined, type Line, renderLine, span, whole } from '../../look/reporters/terminal/line.ts';

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
export function formatFound(
  { command, found: { hits, isExact }, isWhole }: FoundBy,
  view: ReportView,
): string {
  const [first] = hits;
  if (first === undefined) return '';
  if (isExact) return set(describeWhole(first), view);
  const more = at(0, [
    span(
      `${isWhole ? `Find one by what it is for: touchstone ${command} WORD. ` : ''}All about one: touchstone ${command} ${first.name}`,
      'quiet',
    ),
  ]);
  if (isWhole) return set([...listAll(hits), blank, more], view);
  const rest = hits.slice(mostShown).map(({ name }) => name);
  const others = rest.length === 0 ? [] : [at(0, [span('Also: ', 'quiet'), span(rest.join(', '))]), blank];
  return set(
    [...hits.slice(0, mostShown).flatMap((hit) => [...describeShortly(hit), blank]), ...others, more],
    view,
  );
}

/** A line, with the columns by which it is indented, also where it is wrapped. */
interface Indented {
  readonly columns: number;
  readonly line: Line;
}

const blank: Indented = { columns: 0, line: [] };

function at(columns: number, line: Line): Indented {
  return { columns, line };
}

function set(lines: readonly Indented[], view: ReportView): string {
  return lines
    .flatMap(({ columns, line }) => flow(line, { width: view.width, first: [span(' '.repeat(columns))] }))
    .map((line) => renderLine(line, view))
    .join('');
}

/** Lists extensions: many of them, which are in families, by their names; a few with what each does. */
function listAll(all: readonly Described[]): Indented[] {
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
    return [...(index === 0 ? [] : [blank]), title, at(2, names)];
  });
}

function describeShortly(one: Described): Indented[] {
  return [at(0, titleOf(one)), at(2, [span(one.says)]), at(2, [span(one.example, 'quiet')])];
}

function titleOf({ name, family, needs, reads = [] }: Described): Line {
  const facts = [
    ...(family === undefined ? [] : [family]),
    ...(reads.length === 0 ? [] : [`reads expected ${reads.join(', ')}`]),
    ...needs.map((need) => `needs ${needNames[need] ?? need.replace(':', ' ')}`),
  ];
  return [span(name, 'strong'), span(facts.map((fact) => ` · ${fact}`).join(''), 'quiet')];
}

const needNames: Readonly<Record<string, string>> = { judge: 'a judge', embedder: 'an embedding model' };

function describeWhole(one: Described): Indented[] {
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
    blank,
    at(2, [span(one.example)]),
    ...(options.length === 0 ? [] : [blank, at(2, [span('Options', 'strong')])]),
    ...options.flatMap(describeOption),
  ];
}

function describeOption(row: readonly string[]): Indented[] {
  const [name = '', type = '', standard = '', meaning = ''] = row.map((cell) => cell.replaceAll('`', ''));
  const isDefault = standard !== '' && standard !== 'required';
  const facts = [type, isDefault ? `default ${standard}` : standard].filter(Boolean).join(', ');
  return [at(2, [span(name), span(`  ${facts}`, 'quiet')]), at(6, [span(meaning)])];
}
