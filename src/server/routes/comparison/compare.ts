import { compareRuns } from '../../../people/reviews/compare-runs.ts';
import { listDifferences } from '../../../decide/analysis/compare/list-differences.ts';
import { z } from 'zod';
import { readRunRow } from '../../comparison-answers.ts';
import { readPairedCase } from '../../../look/queries/paired-case.ts';
import { listPairs, type PairList, type PairListQuery } from '../../../look/queries/pairs.ts';
import { thinDifferences } from '../../../look/report/comparison/parts.ts';
import type { ComparisonView, DifferenceList } from '../../../core/schema/api/comparison/comparison-view.ts';
import type { PairedCase } from '../../../core/schema/api/comparison/paired-case.ts';
import { withoutConditions } from '../../../core/schema/condition.ts';
import type { RunComparison } from '../../../core/schema/run-comparison.ts';
import { keepWhenFinished } from '../../keep-answers.ts';
import { type AddRoute, parseInput } from '../../route.ts';
import { type ComparedRuns, comparedSchema, findComparedRuns, firstPair } from './compared-runs.ts';
import { certificateKind } from '../../../stores/kinds/certificate.ts';

const differencesSchema = comparedSchema.extend({ measure: z.string() });

const casesSchema = comparedSchema.extend({
  where: z.string().optional(),
  sort: z.string().optional(),
  after: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});

const caseSchema = comparedSchema.extend({ case: z.string() });

/**
 * Adds the routes of a comparison of two runs:
 * - `GET /api/compare`: the comparison as `touchstone compare --json` prints it, with the runs;
 * - `GET /api/compare/differences`: the sorted paired differences on a measure;
 * - `GET /api/compare/cases`: a part of the list of pairs;
 * - `GET /api/compare/case`: one case with the answers of both runs.
 */
export const addCompare: AddRoute = (app, { openStore, storeFolder, shown }) => {
  const compare = keepFinished(compareTargets);
  const differencesOf = keepFinished(listSteps);
  const pairsOf = keepFinished(listPart);
  app.get('/api/compare', async ({ req, json }) => {
    const runs = await findComparedRuns(await openStore(), parseInput(comparedSchema, req.query()));
    const { a, b } = runs;
    const view = { a: await readRunRow(a), b: await readRunRow(b), comparison: await compare(runs, 'whole') };
    return json({ ...(view satisfies ComparisonView), storeFolder });
  });
  app.get('/api/compare/differences', async ({ req, json }) => {
    const input = parseInput(differencesSchema, req.query());
    const runs = await findComparedRuns(await openStore(), input);
    return json(await differencesOf(runs, input.measure));
  });
  app.get('/api/compare/cases', async ({ req, json }) => {
    const input = parseInput(casesSchema, req.query());
    const runs = await findComparedRuns(await openStore(), input);
    const { where, sort, after, limit } = input;
    const list = await pairsOf(runs, { where, sort, after, limit });
    const { a, b } = runs;
    for (const { caseId } of list.rows) for (const { run } of [a, b]) shown.addCase(run.id, caseId);
    return json(list);
  });
  app.get('/api/compare/case', async ({ req, json }) => {
    const input = parseInput(caseSchema, req.query());
    const runs = await findComparedRuns(await openStore(), input);
    const paired: PairedCase = await readPairedCase(...firstPair(runs), input.case);
    shown.addAll(paired);
    return json(paired);
  });
};

/** The number of answers about two runs that are cached: of comparisons, and of parts of lists of pairs. */
const mostKept = 20;

/** Keeps the answers to a question about two finished runs, of which all outcomes are read; a new certificate can change them. */
function keepFinished<Answer, Question>(answer: (runs: ComparedRuns, question: Question) => Promise<Answer>) {
  const keep = keepWhenFinished<Answer>(mostKept);
  return async (runs: ComparedRuns, question: Question): Promise<Answer> => {
    const { a, b, targets } = runs;
    const [newest] = await Array.fromAsync(b.store.documents.list(certificateKind));
    const asked = [a.store.address, targets, question, newest?.id];
    return await keep(b.store, [a.run, b.run], asked, async () => await answer(runs, question));
  };
}

async function compareTargets(runs: ComparedRuns): Promise<RunComparison> {
  const { a, b, targets } = runs;
  const isChosen = targets !== undefined && !isUsualChoice(runs);
  const read = [a, b].map((of) => ({ ...of, hasColumnsRead: true }));
  return await compareRuns(read, {
    ...(isChosen && { targets: [targets] }),
  });
}

async function listPart({ a, b, targets }: ComparedRuns, part: PairListQuery): Promise<PairList> {
  return await listPairs(a, b, { ...part, targets });
}

async function listSteps(runs: ComparedRuns, wanted: string): Promise<DifferenceList> {
  const { differences, ...measure } = await listDifferences(...firstPair(runs), wanted);
  return { ...measure, steps: thinDifferences(differences) };
}

/**
 * Returns whether targets are compared without being named: then their p-values are corrected together with the p-values of the
 * other targets.
 */
function isUsualChoice({ a, b, targets }: ComparedRuns): boolean {
  if (targets === undefined) return true;
  if (a.run.id === b.run.id) return false;
  const [namesA, namesB] = [a, b].map(({ run }) => withoutConditions(run.targets).map(({ name }) => name));
  if (namesA === undefined || namesB === undefined) return false;
  const isSame = targets.a === targets.b || (namesA.length === 1 && namesB.length === 1);
  return isSame && namesA.includes(targets.a) && namesB.includes(targets.b);
}
