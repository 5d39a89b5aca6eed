import type { TrendBreak, TrendChange, TrendPlace, TrendSearch } from '../../schema/trends.ts';
import { shortCommit } from '../format/format-git.ts';
import { type Phrase, quote } from '../phrase.ts';
import { formatLimits, formatSize, pValuePhrase } from '../comparison/format-difference.ts';

/** A change with what it was found in. */
export interface ToldChange {
  readonly search: TrendSearch;
  readonly change: TrendChange;
}

/** The changes that a run is the first one after. */
export function changesAt(searches: readonly TrendSearch[], run: string): ToldChange[] {
  return searches.flatMap((search) =>
    search.changes.filter(({ after }) => after.run === run).map((change) => ({ search, change })),
  );
}

/** The sign that a change is marked with. */
export const changeMarks = { better: '▲', worse: '▼', different: '◆' } as const;

/** What changed, how much, and between which commits. */
export function changePhrase({ search, change }: ToldChange): Phrase {
  const { before, after } = change;
  return [
    ...measurePhrase(search),
    ` ${sizeOf(search, change)}, ${pValuePhrase(change.pValue)} ${conditions[search.noise]}, between `,
    ...placePhrase(before),
    ' and ',
    ...placePhrase(after),
    ...rangePhrase(change),
    ...(isSameCode(before, after) ? ['; the commit is the same, so it lies outside of it'] : []),
  ];
}

/** What a p-value holds under, beside it. */
const conditions: Readonly<Record<TrendSearch['noise'], string>> = {
  questions: 'if only the answers vary',
  intervals: 'if only the answers vary',
  steps: 'if neighbours correlate by at most 0.5',
};

/** What a search is about. */
export function measurePhrase({ measure, name }: Pick<TrendSearch, 'measure' | 'name'>): Phrase {
  if (measure === 'score') return ['score'];
  if (measure === 'latency') return ['median latency'];
  if (measure === 'cost') return ['cost per call'];
  return [measure === 'category' ? 'category ' : 'metric ', quote(name)];
}

function sizeOf({ scale, unit }: TrendSearch, { finding, difference, lower, upper }: TrendChange): string {
  if (scale === 'ratio') {
    const [factor, from, to] = [difference, lower, upper].map((number) =>
      String(Number(number.toPrecision(3))),
    );
    return `${finding}: × ${factor} [${from}, ${to}]`;
  }
  const size = `${formatSize(Math.abs(difference), unit)}${unit === undefined ? ' points' : ''}`;
  const limits = formatLimits({ ...noEstimate, value: difference, lower, upper }, unit);
  const word = finding === 'different' ? (difference > 0 ? 'higher' : 'lower') : finding;
  return `${word} by ${size} ${limits}`;
}

const noEstimate = { n: 0, confidence: 0.95, method: '' };

function rangePhrase({ before, after, earliest, latest }: TrendChange): Phrase {
  if (earliest.run === before.run && latest.run === after.run) return [];
  return [' (it may lie anywhere from ', ...placePhrase(earliest), ' to ', ...placePhrase(latest), ')'];
}

/** A run by its commit, or by its id where that says more. */
function placePhrase({ run, git }: TrendPlace): Phrase {
  if (git === undefined) return [quote(run)];
  return git.dirty === true ? [quote(shortCommit(git)), ' with changes'] : [quote(shortCommit(git))];
}

function isSameCode({ git: a }: TrendPlace, { git: b }: TrendPlace): boolean {
  return a !== undefined && a.commit === b?.commit && a.dirty === false && b.dirty === false;
}

/** Why the numbers below cannot be compared with those above. */
export function breakPhrase(breaks: readonly TrendBreak[]): Phrase {
  const parts = breaks.map(({ kind, name, message }): Phrase => {
    if (name === undefined) return [message];
    return [kind === 'judge' ? 'metric ' : `${kind} `, quote(name), ` ${message}`];
  });
  return parts.flatMap((part, index) => (index === 0 ? part : ['; ', ...part]));
}
