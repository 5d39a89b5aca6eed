import { z } from 'zod';
import { pickTargets } from '../../analysis/compare/compared-run.ts';
import { TouchstoneError } from '../../errors.ts';
import { findRun } from '../../queries/runs.ts';
import { preferenceChoices } from '../../schema/api/preference-view.ts';
import type { Store } from '../../stores/store.ts';
import { listPreferenceCases, listPreferences, type PreferenceSide } from '../preference-answers.ts';
import { type AddRoute, parseInput } from '../route.ts';

/** The parameters of every request, as for a comparison of two runs. */
const sidesSchema = z.object({
  a: z.string().default('latest~1'),
  b: z.string().default('latest'),
  targetA: z.string().optional(),
  targetB: z.string().optional(),
});

const casesSchema = sidesSchema.extend({
  id: z.string(),
  pair: z.coerce.number().int().nonnegative(),
  choice: z.enum(preferenceChoices),
  limit: z.coerce.number().int().min(1).max(1000).default(50),
});

/**
 * Adds `GET /api/preferences`: the comparisons of answers in pairs, by judges and by people, that contain two targets; and `GET
 * /api/preferences/cases`: the verdicts on single answers behind a number of one of them.
 */
export const addPreferences: AddRoute = (app, { openStore }) => {
  app.get('/api/preferences', async ({ req, json }) => {
    const store = await openStore();
    return json(await listPreferences(store, await findSides(store, parseInput(sidesSchema, req.query()))));
  });
  app.get('/api/preferences/cases', async ({ req, json }) => {
    const store = await openStore();
    const input = parseInput(casesSchema, req.query());
    return json(await listPreferenceCases(store, await findSides(store, input), input));
  });
};

async function findSides(
  store: Store,
  { a, b, targetA, targetB }: z.output<typeof sidesSchema>,
): Promise<[PreferenceSide, PreferenceSide]> {
  const find = async (name: string) => {
    const id = (await store.readBaseline(name))?.run.id ?? name;
    return { run: await findRun(store, id), store };
  };
  const isChosen = targetA !== undefined && targetB !== undefined;
  const choices = isChosen ? [{ a: targetA, b: targetB }] : [];
  const [pair] = pickTargets(await find(a), await find(b), choices);
  if (pair !== undefined) return pair;
  throw new TouchstoneError('usage-invalid', 'The runs have no targets to compare.');
}
