import { hashContent } from '../../../core/lib/content-hash.ts';
import { quoteForShell } from '../../../core/lib/text/quote-for-shell.ts';
import { listCounted } from '../../../look/report/comparison/preferences.ts';
import { readStoredPreferences } from '../../../people/prefer/stored-preferences.ts';
import { listPairTasks, readPeoplePreferences } from '../../../people/reviews/pairs/people-preferences.ts';
import {
  type PreferenceCases,
  type PreferenceChoice,
  preferenceChoices,
  type PreferenceList,
  type PreferenceView,
} from '../../../core/schema/api/preference/view.ts';
import type { AnswerPreference, ComparedTarget } from '../../../core/schema/api/preference/report.ts';
import type { Store } from '../../../stores/store.ts';
import { z } from 'zod';
import { keepWhileUnchanged } from '../../keep-answers.ts';
import { type AddRoute, parseInput } from '../../route.ts';
import { comparedSchema, type ComparedRequest, findComparedRuns, firstPair } from './compared-runs.ts';

const casesSchema = comparedSchema.extend({
  id: z.string(),
  pair: z.coerce.number().int().nonnegative(),
  choice: z.enum(preferenceChoices),
  limit: z.coerce.number().int().min(1).max(1000).default(50),
});

/** The number of answers of each kind that are cached. */
const mostKept = 20;

/**
 * Adds `GET /api/preferences`: the comparisons of answers in pairs, by judges and by people, that contain two targets; and `GET
 * /api/preferences/cases`: the verdicts on single answers behind a number of one of them.
 */
export const addPreferences: AddRoute = (app, { openStore, shown }) => {
  const keepList = keepWhileUnchanged<PreferenceList>(mostKept);
  const keepCases = keepWhileUnchanged<FoundCases>(mostKept);
  app.get('/api/preferences', async ({ req, json }) => {
    const store = await openStore();
    const input = parseInput(comparedSchema, req.query());
    const find = async () => await listPreferences(store, await findSides(store, input));
    return json(await keepList(store, input, find));
  });
  app.get('/api/preferences/cases', async ({ req, json }) => {
    const store = await openStore();
    const input = parseInput(casesSchema, req.query());
    const { cases, runs } = await keepCases(store, input, async () => {
      const sides = await findSides(store, input);
      const runs = sides.map(({ run }) => run.id);
      return { cases: await listPreferenceCases(store, sides, input), runs };
    });
    for (const { caseId } of cases.rows) for (const run of runs) shown.addCase(run, caseId);
    return json(cases);
  });
};

/** The verdicts behind a number, with the ids of the runs whose answers they are about. */
interface FoundCases {
  readonly cases: PreferenceCases;
  readonly runs: readonly string[];
}

/** Finds the two targets that a request is about. */
async function findSides(store: Store, request: ComparedRequest): Promise<Sides> {
  return firstPair(await findComparedRuns(store, request));
}

/** Two targets whose answers are compared. */
type Sides = ReturnType<typeof firstPair>;

/** A comparison of answers, and the verdicts on single answers. */
interface FoundPreferences {
  readonly view: PreferenceView;
  readonly preferences: readonly AnswerPreference[];
}

/** Reads the comparisons of answers that contain two targets: first by judges, then by people, the newest first. */
async function listPreferences(store: Store, sides: Sides): Promise<PreferenceList> {
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

/** The number of a comparison that a reader asks about. */
interface PreferenceNumber {
  readonly id: string;
  /** The number of the pair of targets. */
  readonly pair: number;
  readonly choice: PreferenceChoice;
  readonly limit: number;
}

/** Lists the verdicts behind a number of a comparison; none for a comparison that is not there. */
async function listPreferenceCases(
  store: Store,
  sides: Sides,
  { id, pair, choice, limit }: PreferenceNumber,
): Promise<PreferenceCases> {
  const found = (await findPreferences(store, sides)).find(({ view }) => view.id === id);
  return listCounted(found?.preferences ?? [], { pair: found?.view.pairs[pair], choice, limit });
}
