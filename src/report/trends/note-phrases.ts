import type { Trend, Trends, TrendSearch } from '../../schema/trends.ts';
import { formatPlural } from '../format/format-number.ts';
import type { Phrase } from '../phrase.ts';
import { storeFlag } from '../show-command.ts';
import { measurePhrase } from './change-phrases.ts';
import type { TrendsInput } from './trends-input.ts';

/** What there is to say of how changes were looked for, and of what was not. */
export function noteSentences(trend: Trend, { superseded }: Trends): Phrase[] {
  const { points, searches } = trend;
  const hasDirt = points.some(({ git }) => git?.dirty === true);
  const leftOut = points.filter((point) => point.leftOut !== undefined).length;
  return [
    ...methodSentences(searches),
    ...searches
      .filter(isNotSearched)
      .map((search): Phrase => ['Not looked through: ', ...measurePhrase(search), ` (${search.reason}).`]),
    ...(searches.length === 0 && points.length > 0
      ? [['No two runs can be compared, so no change can be seen.']]
      : []),
    ...(leftOut > 0
      ? [[`${formatPlural(leftOut, 'run')} left out of the series, with the reason in the row.`]]
      : []),
    ...(superseded > 0 ? [['Answers that were scored anew are shown by their newest scores.']] : []),
    ...(hasDirt ? [['Commits with * had changes that were not committed.']] : []),
  ];
}

/** Only of the newest series, which has most to say; older ones are as short as they are. */
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
      ? [['With fewer than 8 runs of so many questions only changes larger than the intervals are seen.']]
      : []),
  ];
}

/** The command that says which questions changed, at the newest change of the measure itself; undefined without one. */
export function compareCommand({ searches }: Trend, { storeFolder }: TrendsInput): string | undefined {
  const changes = searches
    .filter(({ measure }) => measure === 'score' || measure === 'metric')
    .flatMap((search) => search.changes);
  const newest = changes.toSorted((a, b) => (a.after.run < b.after.run ? -1 : 1)).at(-1);
  if (newest === undefined) return undefined;
  const flag = storeFolder === undefined ? '' : ` ${storeFlag(storeFolder)}`;
  return `touchstone compare ${newest.before.run} ${newest.after.run}${flag}`;
}
