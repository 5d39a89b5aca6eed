import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { table } from '../reference/markdown.ts';

/** The days after which what a tool says of itself has to be read again. */
const freshForDays = 180;

const cellSchema = z.strictObject({
  /** Each part in square brackets becomes a link to the source at its place. */
  text: z.string().min(1),
  sources: z.array(z.url({ protocol: /^https$/ })).min(1),
  checkedOn: z.iso.date(),
});

const comparisonSchema = z.strictObject({
  about: z.string(),
  tools: z.array(z.string()).min(1),
  rows: z.array(
    z.strictObject({ claim: z.string(), ours: z.string(), theirs: z.record(z.string(), cellSchema) }),
  ),
});

/** What other tools say of themselves, claim by claim, each with its source and the day on which it was read. */
export type Comparison = z.infer<typeof comparisonSchema>;
type Cell = z.infer<typeof cellSchema>;

/** Reads `site/compare.json`. Throws when a cell is missing or names no source for a link. */
export function readComparison(root: string): Comparison {
  const file = path.join(root, 'site', 'compare.json');
  const comparison = comparisonSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  for (const { claim, theirs } of comparison.rows)
    for (const tool of comparison.tools) {
      const cell = theirs[tool];
      const problem = cell === undefined ? 'is missing' : problemOf(cell);
      if (problem !== undefined) throw new Error(`site/compare.json: “${claim}” of ${tool} ${problem}`);
    }
  return comparison;
}

function problemOf({ text, sources }: Cell): string | undefined {
  const links = text.match(/\[[^\]]+\]/g) ?? [];
  return links.length === sources.length
    ? undefined
    : `has ${links.length} links and ${sources.length} sources`;
}

/** Returns the comparison as a table in Markdown. */
export function comparisonTable(comparison: Comparison, note: (cell: Cell) => string = () => ''): string {
  const { tools, rows } = comparison;
  return table(
    ['', 'Touchstone', ...tools],
    rows.map(({ claim, ours, theirs }) => [
      claim,
      ours,
      ...tools.map((tool) => {
        const cell = theirs[tool];
        return cell === undefined ? '' : withLinks(cell) + note(cell);
      }),
    ]),
  );
}

function withLinks({ text, sources }: Cell): string {
  const left = [...sources];
  return text.replaceAll(/\[[^\]]+\]/g, (words) => `${words}(${left.shift() ?? ''})`);
}

/** Returns the claims that have to be read again on a day, as `claim: tool, read on …`. */
export function findOldClaims({ rows }: Comparison, today: Date): string[] {
  return rows.flatMap(({ claim, theirs }) =>
    Object.entries(theirs)
      .filter(([, cell]) => isOld(cell, today))
      .map(([tool, { checkedOn }]) => `${claim}: ${tool}, read on ${checkedOn}`),
  );
}

function isOld({ checkedOn }: Cell, today: Date): boolean {
  return today.getTime() - new Date(checkedOn).getTime() > freshForDays * 86_400_000;
}

/** Writes the page of the comparison as of a day: an old cell says when it was read. */
export function comparisonPage(comparison: Comparison, today: Date): string {
  const days = comparison.rows
    .flatMap(({ theirs }) => Object.values(theirs).map(({ checkedOn }) => checkedOn))
    .sort();
  const [first = '', last = ''] = [days[0], days.at(-1)];
  const when = first === last ? `on ${spell(first)}` : `between ${spell(first)} and ${spell(last)}`;
  return `# How it compares

By what the pages of the other tools say of themselves, read ${when}. “Not found” means that searches of the linked pages and of
their trackers did not find it; it is no statement that a tool cannot do something. The table is data, in \`site/compare.json\`:
corrections are welcome.

${comparisonTable(comparison, (cell) => (isOld(cell, today) ? ` (read on ${spell(cell.checkedOn)})` : ''))}

[Benchmarks](bench/README.md) tell how fast each is, and how to repeat that.
`;
}

function spell(day: string): string {
  return new Date(day).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
}
