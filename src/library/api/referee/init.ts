import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { TouchstoneError } from '../../../core/errors.ts';
import { createRandom } from '../../../core/stats/index.ts';
import type { Case } from '../../../core/schema/case.ts';
import type { HeldOutSet, TargetVersion } from '../../../core/schema/referee.ts';
import { readLedgerState } from '../../../decide/referee/ledger-state.ts';
import { levelAfter } from '../../../decide/referee/levels.ts';
import { findDuplicates } from '../../../cases/lint/find-duplicates.ts';
import { openDataset } from '../../../evaluate/datasets/open-dataset.ts';
import type { StopSignals } from '../../../evaluate/run/limits/run-control.ts';
import { estimateCalling } from '../../../evaluate/run/prepare/estimate.ts';
import { loadCases, type LoadedCase } from '../../../evaluate/run/prepare/load.ts';
import { readRuns } from '../../../stores/store.ts';
import { readers } from '../../config/load-config.ts';
import { openStoreOf } from '../../config/open-store-of.ts';
import { askHeldOut, askOnce, rulesOf } from './ask-held-out.ts';
import { countKnown, findShared, type KnownQuestions, pathFrom, refuseShared } from './freshness.ts';
import { describeGain, type GainSeen } from './gain-seen.ts';
import {
  heldOutDataset,
  type HeldOutPlace,
  isHeldOut,
  makeHeldOut,
  noteSeen,
  openHeldOut,
} from './held-out-folder.ts';
import { claim, whoAsks } from './look.ts';
import {
  openRefereeProject,
  pickCandidate,
  type RefereeChoice,
  type RefereeProject,
  versionOf,
} from './open-project.ts';

/** A held-out set to make. */
export interface InitOptions extends RefereeChoice {
  /** A file of questions that nobody who works on the bot has seen. */
  readonly questions?: string;
  /** The share of the working set to take out in its place, from 0 to 1. */
  readonly split?: number;
  /** The most looks, in place of those of the config. */
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
  const target = pickCandidate(project.evaluation, options.incumbent, undefined);
  const version = versionOf(target);
  const { place, takenFrom } = (await openBegun(project)) ?? (await begin(project, options));
  await using _place = place;
  await using _claim = claim(place);
  const set = place.ledger.read().find((each) => each.event === 'set');
  if (set === undefined) throw new TouchstoneError('look-refused', 'The ledger of the held-out set is empty.');
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
    throw new TouchstoneError('usage-invalid', 'A held-out set needs questions that nobody has seen.', {
      remedy: 'Name a file of them, `--questions FILE`; or take a part of the working set: `--split 40%`.',
    });
  const working = await readWorkingSet(project);
  if (questions !== undefined) {
    const fresh = await readQuestions(questions, options.folder);
    refuseShared(findShared(working.map((each) => each.case), fresh.map(placed)));
    return { place: await makeSet(project, fresh, options) };
  }
  const file = soleFile(project);
  const taken = drawPart(working, split ?? 0);
  const lines = new Set(taken.map(({ place }) => place.line));
  const place = await makeSet(project, taken, options);
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.split('\n').filter((_, index) => !lines.has(index + 1)).join('\n'));
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
    rules: rulesOf(evaluation),
  };
}

/** Returns the number of clusters and of questions without one. */
export function countUnits(cases: readonly Case[]): number {
  const clusters = new Set(cases.flatMap(({ cluster }) => cluster ?? []));
  return clusters.size + cases.filter(({ cluster }) => cluster === undefined).length;
}

/** Reads the questions of a file. */
export async function readQuestions(file: string, folder = process.cwd()): Promise<LoadedCase[]> {
  const dataset = await openDataset({ paths: [file], folder, readers });
  return await Array.fromAsync(loadCases(dataset, { onNotice: () => {} }));
}

/** Reads the questions of the working set. */
export async function readWorkingSet({ evaluation }: RefereeProject): Promise<LoadedCase[]> {
  return await Array.fromAsync(loadCases(evaluation.dataset, { onNotice: () => {} }));
}

/** Reads the questions of a held-out set. */
export async function readHeldOutCases(folder: string): Promise<Case[]> {
  const loaded = await Array.fromAsync(loadCases(heldOutDataset(folder), { onNotice: () => {} }));
  return loaded.map((each) => each.case);
}

/** Returns a question with its line. */
export function placed({ case: testCase, place: { line } }: LoadedCase) {
  return { case: testCase, line };
}

/** Returns the file of a working set from which lines can be taken. Throws `usage-invalid` for any other. */
function soleFile({ config: { dataset }, workspace }: RefereeProject): string {
  const named = typeof dataset === 'object' && !Array.isArray(dataset) ? dataset.path : dataset;
  const [only, ...others] = [named].flat();
  if (only?.endsWith('.jsonl') === true && others.length === 0 && !only.includes('*'))
    return path.resolve(workspace, only);
  throw new TouchstoneError('usage-invalid', '`--split` takes lines out of one file of JSON lines, and the dataset is another.', {
    remedy: 'Name a file of new questions: `--questions FILE`. They are better in any case.',
  });
}

/** Draws a part of the questions. Those of a cluster, of a line, and those that ask the same stay together. */
function drawPart(working: readonly LoadedCase[], share: number): LoadedCase[] {
  const groups = groupAlike(working);
  const random = createRandom(randomUUID());
  const order = groups.map((group) => ({ group, at: random.next() })).toSorted((a, b) => a.at - b.at);
  const taken: LoadedCase[] = [];
  for (const { group } of order) if (taken.length + group.length / 2 <= share * working.length) taken.push(...group);
  if (taken.length > 0 && taken.length < working.length) return taken;
  throw new TouchstoneError('usage-invalid', `${working.length} questions cannot be split so that both parts have some.`, {
    remedy: 'Name a file of new questions: `--questions FILE`.',
  });
}

function groupAlike(working: readonly LoadedCase[]): LoadedCase[][] {
  const duplicates = findDuplicates([], working.map((each) => each.case));
  const parents = working.map((_, index) => index);
  const firstOf = new Map<string, number>();
  const rootOf = (index: number): number => {
    const parent = parents[index] ?? index;
    return parent === index ? index : rootOf(parent);
  };
  for (const [index, { case: testCase, place }] of working.entries()) {
    const { id, cluster } = testCase;
    const keys = [`id ${id}`, `line ${place.file} ${place.line}`];
    if (cluster !== undefined) keys.push(`cluster ${cluster}`);
    const duplicate = duplicates[index];
    if (duplicate !== undefined) keys.push(`id ${duplicate.caseId}`);
    for (const key of keys) {
      const first = firstOf.get(key) ?? index;
      firstOf.set(key, first);
      parents[rootOf(index)] = rootOf(first);
    }
  }
  const groups = new Map<number, LoadedCase[]>();
  for (const [index, each] of working.entries()) {
    const root = rootOf(index);
    groups.set(root, [...(groups.get(root) ?? []), each]);
  }
  return [...groups.values()];
}

/** Estimates the price of a look from runs of the working set; null when none knows the price of the bot. */
export async function priceOf(
  { config, workspace, evaluation }: RefereeProject,
  { questions }: Pick<HeldOutSet, 'questions'>,
): Promise<number | null> {
  const store = openStoreOf({ config, folder: workspace }, { opening: 'existing' });
  try {
    const runs = await Array.fromAsync(readRuns(store));
    const estimate = estimateCalling(evaluation, runs, questions * evaluation.attempts);
    return estimate === null || estimate.unknown.length > 0 ? null : estimate.cost / evaluation.targets.length;
  } finally {
    await store.close();
  }
}
