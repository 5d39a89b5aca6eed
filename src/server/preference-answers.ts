import { hashContent } from '../lib/content-hash.ts';
import { quoteForShell } from '../lib/text/quote-for-shell.ts';
import { readStoredPreferences } from '../prefer/stored-preferences.ts';
import { listPairTasks, readPeoplePreferences } from '../reviews/pairs/people-preferences.ts';
import type {
  PreferenceCases,
  PreferenceChoice,
  PreferenceList,
  PreferenceView,
} from '../schema/api/preference-view.ts';
import type { AnswerPreference, ComparedTarget } from '../schema/api/preference-report.ts';
import type { Run } from '../schema/run.ts';
import type { Store } from '../stores/store.ts';

/** A target with its run. */
export interface PreferenceSide {
  readonly run: Run;
  readonly target: string;
}

/** Two targets whose answers are compared. */
type Sides = readonly [a: PreferenceSide, b: PreferenceSide];

/** A comparison of answers, and the verdicts on single answers. */
interface FoundPreferences {
  readonly view: PreferenceView;
  readonly preferences: readonly AnswerPreference[];
}

/** Reads the comparisons of answers that contain two targets: those of judges first, then those of people, the newest first. */
export async function listPreferences(store: Store, sides: Sides): Promise<PreferenceList> {
  const [{ run: a, target: one }, { run: b, target: other }] = sides;
  const runs = [...new Set([a.id, b.id])].join(' ');
  const names = a.id === b.id ? ` --target ${quoteForShell(one)} --target ${quoteForShell(other)}` : '';
  return {
    preferences: (await findPreferences(store, sides)).map(({ view }) => view),
    commands: {
      judge: `touchstone prefer ${runs}${names}`,
      people: `touchstone review create --pairs ${runs}${names} --doubled 20%`,
    },
  };
}

async function findPreferences(store: Store, sides: Sides): Promise<FoundPreferences[]> {
  const found: FoundPreferences[] = [];
  const runs = [...new Map(sides.map(({ run }) => [run.id, run])).values()];
  for (const run of runs) {
    for await (const { rule, pairs, ranking, isStopped, preferences } of readStoredPreferences(run, store)) {
      const shown = placeOf(rule.targets, pairs, sides);
      if (shown < 0) continue;
      const common = { id: hashContent(rule), targets: rule.targets, shown, ...(ranking && { ranking }) };
      found.push({ preferences, view: { by: 'judge', ...common, pairs, rule, isStopped } });
    }
  }
  for (const { id } of await listPairTasks(store, runs)) {
    const { targets, pairs, ranking, preferences, ...task } = await readPeoplePreferences(store, id);
    const shown = placeOf(targets, pairs, sides);
    const common = { id, targets, shown, ...(ranking && { ranking }) };
    if (shown >= 0) found.push({ preferences, view: { by: 'people', ...common, pairs, task } });
  }
  return found;
}

/** Returns the place of two targets among the pairs of a comparison, in either order; -1 when it is not about them. */
function placeOf(
  targets: readonly ComparedTarget[],
  pairs: readonly { readonly a: string; readonly b: string }[],
  sides: Sides,
): number {
  const names = sides.map(
    ({ run, target }) => targets.find((each) => each.run === run.id && each.target === target)?.name,
  );
  return pairs.findIndex(({ a, b }) => a !== b && names.includes(a) && names.includes(b));
}

/** Returns whether a number of a comparison counts a verdict. */
const counts: Readonly<Record<PreferenceChoice, (outcome: AnswerPreference['outcome']) => boolean>> = {
  wins: (outcome) => outcome.status === 'decided' && outcome.winner === 'a',
  losses: (outcome) => outcome.status === 'decided' && outcome.winner === 'b',
  ties: (outcome) =>
    outcome.status === 'identical' || (outcome.status === 'decided' && outcome.winner === 'tie'),
  flips: (outcome) => outcome.status === 'decided' && !outcome.isConsistent,
  'not-measured': (outcome) => outcome.status === 'not-measured',
  measured: (outcome) => outcome.status !== 'not-measured',
};

/** The number of a comparison that a reader asks about. */
export interface PreferenceNumber {
  readonly id: string;
  /** The number of the pair of targets. */
  readonly pair: number;
  readonly choice: PreferenceChoice;
  readonly limit: number;
}

/** The longest reason in a list, in UTF-16 code units. */
const longestReason = 400;

/** Lists the verdicts behind a number of a comparison; none for a comparison that is not there. */
export async function listPreferenceCases(
  store: Store,
  sides: Sides,
  { id, pair, choice, limit }: PreferenceNumber,
): Promise<PreferenceCases> {
  const found = (await findPreferences(store, sides)).find(({ view }) => view.id === id);
  const { a, b } = found?.view.pairs[pair] ?? {};
  const rows = (found?.preferences ?? []).filter(
    (each) => each.a === a && each.b === b && counts[choice](each.outcome),
  );
  return { rows: rows.slice(0, limit).map(withShortReasons), count: rows.length };
}

function withShortReasons(preference: AnswerPreference): AnswerPreference {
  const { outcome } = preference;
  if (outcome.status !== 'decided') return preference;
  const shorten = (text: string) => (text.length > longestReason ? `${text.slice(0, longestReason)}…` : text);
  return { ...preference, outcome: { ...outcome, reasons: outcome.reasons.map(shorten) } };
}
