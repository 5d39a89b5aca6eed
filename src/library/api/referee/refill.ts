import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import { TouchstoneError } from '../../../core/errors.ts';
import type { HeldOutSet, TargetVersion } from '../../../core/schema/referee/referee.ts';
import { isOver, type LedgerState } from '../../../decide/referee/ledger-state.ts';
import type { StopSignals } from '../../../evaluate/run/limits/run-control.ts';
import { findRun } from '../../../look/queries/runs.ts';
import { askHeldOut, askOnce } from './ask-held-out.ts';
import { countKnown, describeKnown, findShared, pathFrom, refuseShared } from './freshness.ts';
import {
  type HeldOutPlace,
  makeHeldOut,
  nextCasesFile,
  noteSeen,
  putAside,
  releaseStore,
  takeNextCases,
  writeCases,
} from './held-out-folder.ts';
import { describeSet } from './init.ts';
import { placed, readHeldOutCases, readQuestions, readWorkingSet } from './questions.ts';
import { whoAsks, withHeldOut } from './with-held-out.ts';
import { openRefereeProject, type RefereeChoice, type RefereeProject } from './open-project.ts';

/** Fresh questions for a held-out set. */
export interface RefillOptions extends RefereeChoice {
  readonly questions: string;
  /** True to begin a new set of these alone, with a new budget; the one before is opened and moves to the working set. */
  readonly renews?: boolean;
  readonly signals?: StopSignals;
}

/** A held-out set with fresh questions. */
export interface RefillReport {
  readonly added: number;
  readonly questions: number;
  readonly set: number;
  /** The file with the questions of the set before, for the working set; present when it was renewed. */
  readonly opened?: string;
  /** True when the incumbent was not asked to the end; the same command again goes on. */
  readonly isOpen: boolean;
}

/**
 * Adds fresh questions to a held-out set, or begins a new one with them.
 * @throws TouchstoneError `usage-invalid` for questions that are not fresh, `look-refused` while a look has no answer.
 */
export async function refillReferee(options: RefillOptions): Promise<RefillReport> {
  const project = await openRefereeProject(options);
  return await withHeldOut(project, async (place, state) => {
    if (state.open !== undefined)
      throw new TouchstoneError('look-refused', `Look ${state.open.look} has no answer yet.`, {
        remedy: 'Go on with it, or give it up with `touchstone referee look --withdraw`, which costs it.',
      });
    const fresh = await readFresh(project, place, options);
    return await (options.renews === true ? renew : add)({ project, place, state }, fresh, options.signals);
  });
}

interface Refilling {
  readonly project: RefereeProject;
  readonly place: HeldOutPlace;
  readonly state: LedgerState;
}

type Fresh = Awaited<ReturnType<typeof readQuestions>>;

/** Reads questions, and checks that they are in no working set, held-out set, run, proposal or commit. */
async function readFresh(
  project: RefereeProject,
  { folder }: HeldOutPlace,
  { questions, folder: from }: RefillOptions,
): Promise<Fresh> {
  const fresh = await readQuestions(questions, from);
  if (fresh.some(({ attachments = [] }) => attachments.length > 0))
    throw new TouchstoneError('usage-invalid', 'Questions with pictures or other files cannot be held out.');
  const working = (await readWorkingSet(project)).map((each) => each.case);
  refuseShared(findShared(working, fresh.map(placed)));
  if (findShared(await readHeldOutCases(folder), fresh.map(placed)).length > 0)
    throw new TouchstoneError('usage-invalid', 'Some of the questions are in the held-out set already.');
  const known = describeKnown(
    await countKnown(
      project,
      fresh.map((each) => each.case),
    ),
  );
  if (known === undefined) return fresh;
  throw new TouchstoneError('usage-invalid', `Not all of the questions are fresh: ${known}.`, {
    remedy: 'Leave out those that someone may have read.',
  });
}

/** Finds the target that is the incumbent. Throws `look-refused` when the config has another version of it. */
function findIncumbent({ evaluation }: RefereeProject, { label, fingerprint, target }: TargetVersion) {
  const found = evaluation.targets.find((each) => each.fingerprint === fingerprint);
  if (found !== undefined) return found;
  throw new TouchstoneError(
    'look-refused',
    `The incumbent ${label} has to answer the fresh questions, and no target is it now.`,
    {
      remedy: `Give the config a target that is it, beside the others: the \`${target}\` of that version.`,
    },
  );
}

async function add(
  { project, place, state }: Refilling,
  fresh: Fresh,
  signals: StopSignals | undefined,
): Promise<RefillReport> {
  if (isOver(state))
    throw new TouchstoneError(
      'look-refused',
      'The held-out set is spent: more questions do not give it more looks.',
      {
        remedy: 'Begin a new set with them: `--renew`.',
      },
    );
  const { set, incumbent } = state;
  const target = findIncumbent(project, incumbent.version);
  const cases = [...(await readHeldOutCases(place.folder)), ...fresh.map((each) => each.case)];
  const { units, isBinary, content } = describeSet(cases, project);
  if (set.isBinary && !isBinary)
    throw new TouchstoneError(
      'usage-invalid',
      'The fresh questions have clusters, and the set is tested without any.',
      {
        remedy: 'Leave out the clusters, or begin a new set: `--renew`.',
      },
    );
  await writeCases(place.folder, cases, nextCasesFile);
  await askOnce(project.evaluation, target);
  const run = `incumbent ${set.set} of ${cases.length}`;
  const asked = await askHeldOut(place, project.evaluation, {
    target,
    name: run,
    measure: set.measure,
    signals,
    file: nextCasesFile,
    from: await findRun(place.store, incumbent.run),
  });
  const report = { added: fresh.length, questions: cases.length, set: set.set };
  if ('open' in asked) return { ...report, isOpen: true };
  await takeNextCases(place.folder);
  const by = whoAsks();
  const entries = place.ledger.add(() => [
    { event: 'questions', by, questions: cases.length, units, content },
    { event: 'incumbent', by, version: incumbent.version, run },
  ]);
  await noteSeen(project.workspace, entries, {
    ...seenOf(set, state),
    answer: `${fresh.length} questions added`,
  });
  return { ...report, isOpen: false };
}

function seenOf({ set }: Pick<HeldOutSet, 'set'>, { answered, incumbent }: LedgerState) {
  return { set, look: answered.looks, candidate: incumbent.version.label };
}

async function renew(
  { project, place, state }: Refilling,
  fresh: Fresh,
  signals: StopSignals | undefined,
): Promise<RefillReport> {
  const { workspace, evaluation } = project;
  const { incumbent, set: before } = state;
  const target = findIncumbent(project, incumbent.version);
  await askOnce(evaluation, target);
  const by = whoAsks();
  if (!state.isOpened) place.ledger.add(() => [{ event: 'opened', by }]);
  const earlier = place.ledger.read();
  await place[Symbol.asyncDispose]();
  const questions = await putAside(place.folder, before.set);
  const opened = path.join(workspace, `held-out-${before.set}.jsonl`);
  await copyFile(questions, opened);
  const cases = fresh.map((each) => each.case);
  await using next = await makeHeldOut(place.folder, cases);
  next.ledger.continueFrom(earlier);
  const set = before.set + 1;
  next.ledger.add(() => [{ event: 'set', by, ...describeSet(cases, project), set }]);
  const run = `incumbent ${set}`;
  const asked = await askHeldOut(next, evaluation, {
    target,
    name: run,
    measure: project.setting.measure,
    signals,
  });
  const isOpen = 'open' in asked;
  const entries = next.ledger.add(() =>
    isOpen ? [] : [{ event: 'incumbent', by, version: incumbent.version, run }],
  );
  await noteSeen(workspace, entries, {
    set,
    look: 0,
    candidate: incumbent.version.label,
    answer: `set ${set} begun`,
  });
  return {
    added: cases.length,
    questions: cases.length,
    set,
    opened: pathFrom(workspace, opened),
    isOpen,
  };
}

/** Opens a held-out set, which ends it: from now on, every command reads it as a store. Returns its folder. */
export async function openHeldOutSet(choice: RefereeChoice): Promise<string> {
  const project = await openRefereeProject(choice);
  const folder = await withHeldOut(project, async (place, state) => {
    if (state.isOpened) throw new TouchstoneError('look-refused', 'The set was opened already.');
    const entries = place.ledger.add(() => [{ event: 'opened', by: whoAsks() }]);
    await noteSeen(project.workspace, entries, { ...seenOf(state.set, state), answer: 'opened' });
    return place.folder;
  });
  await releaseStore(folder);
  return folder;
}
