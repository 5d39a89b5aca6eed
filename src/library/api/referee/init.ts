import { readFile, writeFile } from 'node:fs/promises';
import { TouchstoneError } from '../../../core/errors.ts';
import type { Case } from '../../../core/schema/case.ts';
import type { HeldOutSet, TargetVersion } from '../../../core/schema/referee/referee.ts';
import { readLedgerState } from '../../../decide/referee/ledger-state.ts';
import { levelAfter } from '../../../decide/referee/levels.ts';
import type { StopSignals } from '../../../evaluate/run/limits/run-control.ts';
import type { LoadedCase } from '../../../evaluate/run/prepare/load.ts';
import { askHeldOut, askOnce, rulesOf } from './ask-held-out.ts';
import { countKnown, findShared, type KnownQuestions, pathFrom, refuseShared } from './freshness.ts';
import { describeGain, type GainSeen } from './gain-seen.ts';
import {
  hashCases,
  type HeldOutPlace,
  isHeldOut,
  makeHeldOut,
  noteSeen,
  openHeldOut,
} from './held-out-folder.ts';
import { priceOf } from './plan-look.ts';
import { drawPart, placed, readHeldOutCases, readQuestions, readWorkingSet, soleFile } from './questions.ts';
import { claim, requireFolder, whoAsks } from './with-held-out.ts';
import {
  openRefereeProject,
  pickCandidate,
  type RefereeChoice,
  type RefereeProject,
  versionOf,
} from './open-project.ts';

/** A held-out set to make. */
export interface InitOptions extends RefereeChoice {
  /** A file of questions that are new to all who work on the bot. */
  readonly questions?: string;
  /** The share of the working set to take out in its place, from 0 to 1. */
  readonly split?: number;
  /** The most looks, in place of the number in the config. */
  readonly looks?: number;
  /** The target that candidates are compared with; the only one by default. */
  readonly incumbent?: string;
  readonly signals?: StopSignals;
}

/** A new held-out set. */
export interface InitReport {
  readonly folder: string;
  readonly set: HeldOutSet;
  readonly incumbent: TargetVersion;
  readonly level: number;
  readonly gain: GainSeen;
  /** The likely price of a look in US dollars, from runs of the working set; null when none knows one. */
  readonly price: number | null;
  /** Questions that someone may have read already. */
  readonly known: KnownQuestions;
  /** Present when the questions were taken out of the working set. */
  readonly takenFrom?: string;
  /** True when the incumbent was not asked to the end; the same command again goes on. */
  readonly isOpen: boolean;
}

/**
 * Makes the held-out set of a project, and asks the incumbent.
 * @throws TouchstoneError when questions are shared with the working set, and for what is wrong with the config.
 */
export async function initReferee(options: InitOptions): Promise<InitReport> {
  const project = await openRefereeProject(options);
  requireFolder(project);
  const target = pickCandidate(project.evaluation, options.incumbent, undefined);
  const version = versionOf(target);
  const { place, takenFrom } = (await openBegun(project)) ?? (await begin(project, options));
  await using _place = place;
  await using _claim = claim(place);
  const set = place.ledger.read().find((each) => each.event === 'set');
  if (set === undefined)
    throw new TouchstoneError('look-refused', 'The ledger of the held-out set is empty.');
  const known = await countKnown(project, await readHeldOutCases(place.folder));
  await askOnce(project.evaluation, target);
  const run = `incumbent ${set.set}`;
  const asked = await askHeldOut(place, project.evaluation, {
    target,
    name: run,
    measure: set.measure,
    signals: options.signals,
  });
  const isOpen = 'open' in asked;
  if (!isOpen) {
    const entries = place.ledger.add(() => [{ event: 'incumbent', by: whoAsks(), version, run }]);
    await noteSeen(project.workspace, entries, {
      set: set.set,
      look: 0,
      candidate: version.label,
      answer: 'incumbent',
    });
  }
  const level = levelAfter(0, set);
  return {
    folder: place.folder,
    set,
    incumbent: version,
    level,
    gain: describeGain(set, level, undefined),
    price: await priceOf(project, set),
    known,
    takenFrom,
    isOpen,
  };
}

interface Begun {
  readonly place: HeldOutPlace;
  readonly takenFrom?: string;
}

/** Opens a set whose incumbent was not asked to the end; undefined when there is none. */
async function openBegun({ heldOut }: RefereeProject): Promise<Begun | undefined> {
  if (!isHeldOut(heldOut)) return undefined;
  const place = openHeldOut(heldOut);
  const entries = place.ledger.read();
  if (entries.length > 0 && readLedgerState(entries) === undefined) return { place };
  await place[Symbol.asyncDispose]();
  return undefined;
}

async function begin(project: RefereeProject, options: InitOptions): Promise<Begun> {
  const { questions, split } = options;
  if ((questions === undefined) === (split === undefined))
    throw new TouchstoneError(
      'usage-invalid',
      'A held-out set needs questions that are new to all who work on the bot.',
      {
        remedy: 'Name a file of them, `--questions FILE`; or take a part of the working set: `--split 40%`.',
      },
    );
  const working = await readWorkingSet(project);
  if (questions !== undefined) {
    const fresh = await readQuestions(questions, options.folder);
    refuseShared(
      findShared(
        working.map((each) => each.case),
        fresh.map(placed),
      ),
    );
    return { place: await makeSet(project, fresh, options) };
  }
  const file = soleFile(project);
  const taken = drawPart(working, split ?? 0);
  const lines = new Set(taken.map(({ place }) => place.line));
  const place = await makeSet(project, taken, options);
  const text = await readFile(file, 'utf8');
  await writeFile(
    file,
    text
      .split('\n')
      .filter((_, index) => !lines.has(index + 1))
      .join('\n'),
  );
  return { place, takenFrom: pathFrom(project.workspace, file) };
}

/** Makes the folder, and writes what is frozen from now on as the first entry of the ledger. */
async function makeSet(
  project: RefereeProject,
  loaded: readonly LoadedCase[],
  { looks }: Pick<InitOptions, 'looks'>,
): Promise<HeldOutPlace> {
  if (loaded.some(({ attachments = [] }) => attachments.length > 0))
    throw new TouchstoneError('usage-invalid', 'Questions with pictures or other files cannot be held out.');
  const { setting, evaluation, heldOut } = project;
  const cases = loaded.map((each) => each.case);
  const place = await makeHeldOut(heldOut, cases);
  const budget = { ...setting, looks: looks ?? setting.looks };
  place.ledger.add(() => [
    { event: 'set', by: whoAsks(), ...describeSet(cases, { evaluation, setting: budget }), set: 1 },
  ]);
  return place;
}

/** Returns what is frozen of a set. */
export function describeSet(
  cases: readonly Case[],
  { evaluation, setting }: Pick<RefereeProject, 'evaluation' | 'setting'>,
): Omit<HeldOutSet, 'set'> {
  const { looks, surprises, confidence, measure } = setting;
  const units = countUnits(cases);
  const isSingle = evaluation.attempts === 1 || evaluation.caseRule !== undefined;
  return {
    looks,
    surprises: Math.min(surprises, looks),
    confidence,
    measure,
    isBinary: measure === 'passed' && isSingle && units === cases.length,
    questions: cases.length,
    units,
    content: hashCases(cases),
    rules: rulesOf(evaluation),
  };
}

/** Returns the number of clusters and of questions without one. */
function countUnits(cases: readonly Case[]): number {
  const clusters = new Set(cases.flatMap(({ cluster }) => cluster ?? []));
  return clusters.size + cases.filter(({ cluster }) => cluster === undefined).length;
}
