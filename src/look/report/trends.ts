import type {
  Trend,
  TrendBreak,
  TrendChange,
  TrendPlace,
  Trends,
  TrendSearch,
} from '../../core/schema/trends.ts';
import { formatLimits, formatSize, pValuePhrase } from './comparison/rows.ts';
import { formatPlural, shortCommit } from './format.ts';
import { lowerFirst, shownValue } from './score-in-words.ts';
import { type Phrase, quote, storeFlag } from './phrase.ts';

/** The input of a trends report. */
export interface TrendsInput {
  readonly trends: Trends;
  /** The folder of the store, as `--store` takes it; undefined when a command finds the store without it. */
  readonly storeFolder?: string;
}

/** A change with the search that found it. */
interface FoundChange {
  readonly search: TrendSearch;
  readonly change: TrendChange;
}

/** Returns the changes after which a run is the first. */
export function changesAt(searches: readonly TrendSearch[], run: string): FoundChange[] {
  return searches.flatMap((search) =>
    search.changes.filter(({ after }) => after.run === run).map((change) => ({ search, change })),
  );
}

/** The signs that mark changes. */
export const changeMarks = { better: '▲', worse: '▼', different: '◆' } as const;

/** Describes what changed, and how much. */
export function changeSize({ search, change }: FoundChange): Phrase {
  return [
    ...measurePhrase(search),
    ` ${sizeOf(search, change)}, ${pValuePhrase(change.pValue)} ${conditions[search.noise]}`,
  ];
}

/** Describes a change: what changed, how much, and between which commits. */
export function changePhrase({ search, change }: FoundChange): Phrase {
  const { before, after } = change;
  return [
    ...changeSize({ search, change }),
    ', between ',
    ...placePhrase(before),
    ' and ',
    ...placePhrase(after),
    ...rangePhrase(change),
    ...(isSameCode(before, after) ? ['; the commit is the same, so the cause lies outside of it'] : []),
  ];
}

/** The condition under which a p-value is valid, shown next to it. */
const conditions: Readonly<Record<TrendSearch['noise'], string>> = {
  questions: 'if only the answers vary',
  intervals: 'if only the answers vary',
  steps: 'if neighbours correlate by at most 0.5',
};

/** Names the measure of a search. */
function measurePhrase({ measure, name }: Pick<TrendSearch, 'measure' | 'name'>): Phrase {
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

/** Names a run by its commit, or by its id if there is no commit. */
function placePhrase({ run, git }: TrendPlace): Phrase {
  if (git === undefined) return [quote(run)];
  return git.dirty === true ? [quote(shortCommit(git)), ' with changes'] : [quote(shortCommit(git))];
}

function isSameCode({ git: a }: TrendPlace, { git: b }: TrendPlace): boolean {
  return a !== undefined && a.commit === b?.commit && a.dirty === false && b.dirty === false;
}

/** Explains why the numbers below cannot be compared with those above. */
export function breakPhrase(breaks: readonly TrendBreak[]): Phrase {
  const parts = breaks.map(({ kind, name, message }): Phrase => {
    if (name === undefined) return [message];
    return [kind === 'judge' ? 'metric ' : `${kind} `, quote(name), ` ${message}`];
  });
  return parts.flatMap((part, index) => (index === 0 ? part : ['; ', ...part]));
}

/** Describes how changes were searched, and what was not searched. */
export function noteSentences(trend: Trend, { superseded }: Trends): Phrase[] {
  const { points, searches } = trend;
  const hasDirt = points.some(({ git }) => git?.dirty === true);
  const leftOut = points.filter((point) => point.leftOut !== undefined).length;
  return [
    ...methodSentences(searches),
    ...correctedSentences(trend),
    ...searches
      .filter(isNotSearched)
      .map((search): Phrase => ['Not searched: ', ...measurePhrase(search), ` (${search.reason}).`]),
    ...(searches.length === 0 && points.length > 0
      ? [['No two runs can be compared, so no change can be seen.']]
      : []),
    ...(leftOut > 0
      ? [[`${formatPlural(leftOut, 'run')} excluded from the series, with the reason in the row.`]]
      : []),
    ...(superseded > 0 ? [['Answers that were scored again are shown by their newest scores.']] : []),
    ...(hasDirt ? [['Commits with * had changes that were not committed.']] : []),
  ];
}

/** Returns whether a value of a trend rests on a certified judge, so that both values are shown. */
export function isJudgedTrend({ points }: Trend): boolean {
  return points.some((point) => shownValue(point).said !== undefined);
}

/** Explains the values that rest on a certified judge, with the reason of the newest that is not corrected. */
function correctedSentences({ points, searches }: Trend): Phrase[] {
  const judged = points.map(shownValue).filter(({ said }) => said !== undefined);
  if (judged.length === 0) return [];
  const reason = judged.findLast(({ value }) => value.value === null)?.value.reason;
  const open = reason === undefined ? '' : ` Not corrected: ${lowerFirst(reason)}.`;
  const isSized = searches.some(({ measure, changes }) => measure !== 'latency' && changes.length > 0);
  const sizes = isSized ? ' The sizes of changes are as the judge says, which errs alike on both sides.' : '';
  return [
    [
      `Values are what people would say, by the certificate of the judge; what the judge says is next to them.${open}${sizes}`,
    ],
  ];
}

/** Explains why no change can be seen in a trend; undefined when some series was searched. */
export function whyNotSearched(searches: readonly TrendSearch[]): Phrase | undefined {
  if (searches.some(({ reason }) => reason === undefined)) return undefined;
  const reason = searches.find(isNotSearched)?.reason;
  return reason === undefined
    ? ['No two runs can be compared, so no change can be seen.']
    : [`No change is searched: ${reason}.`];
}

/** Selects searches of the newest series that were not carried out; older series stay too short. */
function isNotSearched(search: TrendSearch, _: number, all: readonly TrendSearch[]): boolean {
  const newest = Math.max(...all.map(({ series }) => series));
  return search.reason !== undefined && search.series === newest && search.measure !== 'category';
}

function methodSentences(searches: readonly TrendSearch[]): Phrase[] {
  const done = searches.filter(({ reason }) => reason === undefined);
  if (done.length === 0) return [];
  const found = done.reduce((sum, { changes }) => sum + changes.length, 0);
  const looks = Math.max(...done.map((search) => search.looks ?? search.runs));
  const noises = new Set(done.map(({ noise }) => noise));
  return [
    ...(found === 0 ? [['No change is visible.']] : []),
    [
      `Changes: every stretch of the runs that can be compared is searched; for each measure the chance of any false mark, looked at after each of ${looks} runs, is at most 5 %.`,
    ],
    ...(noises.has('questions')
      ? [
          [
            'Chance is how the answers to the same questions vary from run to run: what moves a whole run, such as an outage or a cache, is marked as a change.',
          ],
        ]
      : []),
    ...(noises.has('steps')
      ? [
          [
            'Latency, cost and whatever varies more than its questions explain: one run in ten may be far out and neighbours may correlate by 0.5, so a change takes four runs or more to be seen.',
          ],
        ]
      : []),
    ...(noises.has('intervals')
      ? [['With fewer than 8 runs of this size, only changes larger than the intervals are seen.']]
      : []),
  ];
}

/**
 * Returns the command that shows what is behind the newest change of the measure itself, with its lead: which questions changed or,
 * for the days of a watch, which have no question in common, the answers that failed. Undefined without a change.
 */
export function changeCommand(
  { searches, points }: Trend,
  { storeFolder }: TrendsInput,
): { readonly lead: string; readonly command: string } | undefined {
  const changes = searches
    .filter(({ measure }) => measure === 'score' || measure === 'metric')
    .flatMap((search) => search.changes);
  const newest = changes.toSorted((a, b) => (a.after.run < b.after.run ? -1 : 1)).at(-1);
  if (newest === undefined) return undefined;
  const flag = storeFolder === undefined ? '' : ` ${storeFlag(storeFolder)}`;
  const { run } = newest.after;
  return points.some((point) => point.run === run && point.watch !== undefined)
    ? { lead: 'Answers that failed:  ', command: `touchstone show ${run} --failed${flag}` }
    : {
        lead: 'Which questions changed:  ',
        command: `touchstone compare ${newest.before.run} ${run}${flag}`,
      };
}
