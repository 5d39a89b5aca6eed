import type { Filter, FilterTerm } from '../../core/lib/filter/filter.ts';
import { formatFilter, formatName } from '../../core/lib/filter/format-filter.ts';
import { isTraitField } from '../../core/lib/filter/fields.ts';
import { compileTerm } from '../../core/lib/filter/match-filter.ts';
import type { FieldValueList, TrialFacets } from '../../core/schema/api/trial-facets.ts';
import type { Run } from '../../core/schema/run.ts';
import type { CountQuery, Store } from '../../stores/store.ts';
import { parseTrialFilter } from './filters.ts';
import { whereOf } from './trials.ts';

/** The fields whose values a list of trials offers to filter by. */
const facetFields = ['result', 'category', 'tag', 'target', 'grade', 'outcome', 'error'] as const;

/** The equal parts of the range of scores in which trials are counted. */
const scoreParts = { field: 'total', parts: 20 } as const;

/** The largest number of values of a field that are offered. */
const mostValues = 30;

/** The part of a run on which a list of its trials depends. */
type ListedRun = Pick<Run, 'id' | 'metrics' | 'attempts'>;

/** The fields by whose values trials are counted in one pass: a filter by them alone needs no other. */
const countedFields = [...facetFields, 'passed'] as const;

/** The place of the scores after these fields. */
const placeOfScores = countedFields.length;

/**
 * Counts the trials that match a filter, the values that its terms could have, and the scores. The counts of a field ignore the
 * terms of the filter on this field: they say what choosing another value would show. Throws `usage-invalid`.
 */
export async function countFacets(
  store: Pick<Store, 'countTrials'>,
  run: ListedRun,
  where?: string,
): Promise<TrialFacets> {
  const filter = whereOf(where, run);
  // In a large run, one pass takes half the time of two.
  const hasScores = filter.every((term) => !isOfScores(term) || createCountTest(term) !== undefined);
  const testOf = (term: FilterTerm) => (hasScores || !isOfScores(term) ? createCountTest(term) : undefined);
  const tests = filter.flatMap((term) => testOf(term) ?? []);
  const others = filter.filter((term) => testOf(term) === undefined);
  const counts = facetFields.map(() => new Map<string, number>());
  const scores = createScoreCounts();
  const by = hasScores ? [...countedFields, scoreParts] : countedFields;
  let matching = 0;
  for (const { values, trials } of await store.countTrials(run.id, { where: others, by })) {
    const texts = by.map((field, index) => textsIn(field, values[index] ?? null));
    const refusing = new Set(tests.flatMap(({ place, test }) => (test(texts[place] ?? []) ? [] : [place])));
    if (refusing.size > 1) continue;
    const isCounted = (place: number) => refusing.size === 0 || refusing.has(place);
    if (refusing.size === 0) matching += trials;
    if (isCounted(placeOfScores)) scores.add(values[placeOfScores] ?? null, trials);
    for (const [place, count] of counts.entries())
      if (isCounted(place))
        for (const value of texts[place] ?? []) count.set(value, (count.get(value) ?? 0) + trials);
  }
  return {
    trials: matching,
    rows: run.attempts === 1 ? matching : await countMatching(store, run, { where: filter, fold: true }),
    facets: facetFields.map((field, index) => ({ field, ...mostFrequent(counts[index] ?? new Map()) })),
    scores: hasScores ? scores.list() : await countScores(store, run, filter),
    without: matching > 0 ? [] : await countWithout(store, run, filter),
  };
}

function isOfScores({ field }: FilterTerm): boolean {
  return field === scoreParts.field;
}

/** A test of the texts by which trials are counted, at a place among them. */
interface CountTest {
  readonly place: number;
  readonly test: (texts: readonly string[]) => boolean;
}

/** Creates the test of a term that the counts decide; undefined where they do not. */
function createCountTest(term: FilterTerm): CountTest | undefined {
  const { field, operator, values } = term;
  const place = countedFields.findIndex((each) => each === field);
  if (place >= 0) return { place, test: compileTerm(term) };
  if (field !== scoreParts.field || (operator !== '<' && operator !== '>=')) return undefined;
  const limit = Number(values[0]);
  const part = Math.round(limit * scoreParts.parts);
  // The first part has what is below 0, and the last what is above 1.
  if (part < 1 || part >= scoreParts.parts || part / scoreParts.parts !== limit) return undefined;
  const test = (texts: readonly string[]): boolean =>
    texts.some((text) => (operator === '<' ? Number(text) < part : Number(text) >= part));
  return { place: placeOfScores, test };
}

/** Returns the texts that are counted for a field: each of a list of tags, which is counted as JSON. */
function textsIn(field: unknown, value: string | number | null): readonly string[] {
  if (value === null) return [];
  const text = String(value);
  return field === 'tag' ? [...new Set(JSON.parse(text) as string[])] : [text];
}

/** The fields, besides the traits, whose values are suggested. */
const suggestedFields: ReadonlySet<string> = new Set([...facetFields, 'status', 'passed', 'cluster']);

/** The most values of a trait that are looked through. */
const mostTraits = 10_000;

/**
 * Lists the most frequent values that the trials of a run have for a field and that contain a text, in any case of letters. A field
 * of numbers has none to suggest. Throws `usage-invalid` for an unknown field.
 */
export async function listFieldValues(
  store: Pick<Store, 'countTrials' | 'countTraits'>,
  run: ListedRun,
  { field: name, text = '' }: { readonly field: string; readonly text?: string },
): Promise<FieldValueList> {
  const field = parseTrialFilter([`${formatName(name)}=*`], run)[0]?.field ?? name;
  const counts = new Map<string, number>();
  const wanted = text.toLowerCase();
  const add = (value: string, trials: number): void => {
    if (value.toLowerCase().includes(wanted)) counts.set(value, (counts.get(value) ?? 0) + trials);
  };
  if (isTraitField(field)) {
    for (const trait of await store.countTraits(run.id, { most: mostTraits, fields: [field] }))
      if (trait.field === field) add(trait.value, trait.trials);
  } else if (suggestedFields.has(field)) {
    for (const { values, trials } of await store.countTrials(run.id, { by: [field] }))
      for (const value of textsIn(field, values[0] ?? null)) add(value, trials);
  }
  return mostFrequent(counts);
}

async function countMatching(
  store: Pick<Store, 'countTrials'>,
  run: ListedRun,
  query: Pick<CountQuery, 'where' | 'fold'>,
): Promise<number> {
  const [count] = await store.countTrials(run.id, query);
  return count?.trials ?? 0;
}

/** Counts the scores of the trials that match a filter without its own terms on scores. */
async function countScores(
  store: Pick<Store, 'countTrials'>,
  run: ListedRun,
  filter: Filter,
): Promise<TrialFacets['scores']> {
  const where = filter.filter(({ field }) => field !== scoreParts.field);
  const scores = createScoreCounts();
  for (const { values, trials } of await store.countTrials(run.id, { where, by: [scoreParts] }))
    scores.add(values[0] ?? null, trials);
  return scores.list();
}

/** Creates the counts of scores: those in each part of their range, and the trials without one. */
function createScoreCounts() {
  const bins = Array.from({ length: scoreParts.parts }, () => 0);
  let missing = 0;
  return {
    add: (part: string | number | null, trials: number): void => {
      if (part === null) missing += trials;
      else bins[Number(part)] = (bins[Number(part)] ?? 0) + trials;
    },
    list: (): TrialFacets['scores'] => ({ bins, missing }),
  };
}

function mostFrequent(counts: ReadonlyMap<string, number>) {
  const sorted = Array.from(counts, ([value, trials]) => ({ value, trials })).sort(
    (one, other) => other.trials - one.trials || (one.value < other.value ? -1 : 1),
  );
  return { values: sorted.slice(0, mostValues), more: Math.max(0, sorted.length - mostValues) };
}

/** Counts for each term of a filter the trials that match all other terms. */
async function countWithout(
  store: Pick<Store, 'countTrials'>,
  run: ListedRun,
  filter: Filter,
): Promise<TrialFacets['without']> {
  const without: TrialFacets['without'] = [];
  for (const [index, term] of filter.entries()) {
    const rest = filter.toSpliced(index, 1);
    const trials = await countMatching(store, run, { where: rest });
    without.push({ term: formatFilter([term]), where: formatFilter(rest), trials });
  }
  return without;
}
