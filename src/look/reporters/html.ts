import { sniffMedia } from '../../core/attachments/sniff-media.ts';
import { runState } from '../report/rows/run-row.ts';
import { makeRunView } from '../report/run-view.ts';
import {
  blobPath,
  type LeftOut,
  type ReportFile,
  reportFilePath,
  runPath,
  trialPath,
} from '../../core/schema/api/report-file.ts';
import { isUnresolved, type Outcome, outcomeOfTrial, type Result } from '../../core/schema/result.ts';
import { type Attachment, kindOf, type Message } from '../../core/schema/message.ts';
import type { Run } from '../../core/schema/run.ts';
import type { Judgement } from '../../core/schema/judgement.ts';
import { judgementsOf } from '../../core/schema/verdict.ts';
import { writeHeadline } from './html-headline.ts';
import { createFileMatrix } from './html-matrix.ts';
import { readTemplate, writeAnswer } from './html-page.ts';
import type { Reporter, ReportInput, ReportView } from './reporter.ts';

/** The most cases in a file, and the most bytes of their trials. */
const mostCases = 2_000;
const mostBytes = 20_000_000;

/** The number of cases that are read at a time. */
const batchSize = 50;

/**
 * The reporter for a page in one file, with the components of the dashboard: it needs no server and no network. It contains
 * the numbers of the whole run, and of its cases the worst, as many as fit.
 */
export const html: Reporter = {
  name: 'html',
  extensions: ['.html'],
  async *report(input, view) {
    const { run, summary, results, storeFolder } = input;
    const state = runState(run, false);
    const shownRun = await makeRunView({ run, state, summary, results, storeFolder });
    const [before, after] = await readTemplate(writeHeadline(shownRun));
    yield before;
    yield writeAnswer(runPath(run.id), shownRun);
    const cases = await listWorstFirst(run, results());
    const matrix = createFileMatrix(input);
    let shown = 0;
    const pictures = new FilePictures(input, view);
    for await (const { piece, read } of writeCases(input, cases)) {
      shown += 1;
      yield piece;
      yield* pictures.write(read.flatMap(({ trial }) => trial.transcript));
      matrix?.add(read);
    }
    const { narrowing } = input;
    const inMatrix = matrix?.answers(cases.length);
    for (const [at, answer] of inMatrix ?? []) yield writeAnswer(at, answer);
    const file: ReportFile = {
      run: run.id,
      shown,
      cases: cases.length,
      narrowing,
      leftOut: pictures.leftOut,
      ...(inMatrix !== undefined && { hasMatrix: true }),
    };
    yield writeAnswer(reportFilePath, file);
    yield after;
  },
};

/** The trials of a case as they are written, and as they were read. */
interface WrittenCase {
  readonly piece: string;
  readonly read: readonly Result[];
}

/** Yields the trials of the first cases, one piece for each case, until the file is full. A case that is too large is skipped. */
async function* writeCases(
  input: ReportInput,
  cases: readonly (readonly number[])[],
): AsyncGenerator<WrittenCase> {
  let [written, bytes] = [0, 0];
  for (let start = 0; start < cases.length && written < mostCases; start += batchSize) {
    const batch = cases.slice(start, start + batchSize);
    const read = await readBatch(
      input,
      batch.flat().sort((a, b) => a - b),
    );
    for (const ordinals of batch) {
      const piece = ordinals.map((ordinal) => writeTrial(input.run.id, ordinal, read)).join('');
      const size = Buffer.byteLength(piece);
      if (written === mostCases || bytes + size > mostBytes) continue;
      written += 1;
      bytes += size;
      yield { piece, read: ordinals.flatMap((ordinal) => read.results.get(ordinal) ?? []) };
    }
    if (bytes > mostBytes * 0.99) return;
  }
}

/** Some trials with the questions to judges that their verdicts are based on. */
interface Batch {
  readonly results: ReadonlyMap<number, Result>;
  readonly judgements: ReadonlyMap<string, Judgement>;
}

async function readBatch({ results, judgements }: ReportInput, ordinals: readonly number[]): Promise<Batch> {
  const read = await Array.fromAsync(results(ordinals));
  const ids = [...new Set(read.flatMap(({ verdicts }) => judgementsOf(verdicts)))];
  const asked = judgements === undefined || ids.length === 0 ? [] : await Array.fromAsync(judgements(ids));
  return {
    results: new Map(read.map((result) => [result.trial.ordinal, result])),
    judgements: new Map(asked.map((judgement) => [judgement.id, judgement])),
  };
}

function writeTrial(run: string, ordinal: number, { results, judgements }: Batch): string {
  const result = results.get(ordinal);
  if (result === undefined) return '';
  const asked = judgementsOf(result.verdicts).flatMap((id) => judgements.get(id) ?? []);
  const at = trialPath(run, ordinal);
  const trial = writeAnswer(at, { result });
  return asked.length === 0
    ? trial
    : trial + writeAnswer(`${at}/judgements`, { judgements: asked, cuts: [] });
}

/** The worst result of a case. */
interface CaseRank {
  /** The place of the case in the dataset, from 0. */
  readonly position: number;
  /** The ordinals of its trials, in ascending order. */
  readonly ordinals: number[];
  /** True when a trial did not pass. */
  isUnresolved: boolean;
  /** The smallest total of its trials; infinite when none has one. */
  total: number;
}

/**
 * Lists the trials of each case, the worst case first: those with a trial that did not pass, then by the smallest total;
 * cases without a total after others. Each inner list has the ordinals of one case.
 */
async function listWorstFirst(run: Run, results: AsyncIterable<Outcome>): Promise<number[][]> {
  const ofCase = run.targets.length * run.attempts;
  const ranks = new Map<number, CaseRank>();
  for await (const result of results) {
    const { ordinal } = result.trial;
    const position = Math.floor(ordinal / ofCase);
    const rank = ranks.get(position) ?? { position, ordinals: [], isUnresolved: false, total: Infinity };
    rank.ordinals.push(ordinal);
    rank.isUnresolved ||= isUnresolved(outcomeOfTrial(run, result));
    rank.total = Math.min(rank.total, result.scorecard?.total ?? Infinity);
    ranks.set(position, rank);
  }
  return [...ranks.values()].sort(compareRanks).map(({ ordinals }) => ordinals);
}

function compareRanks(one: CaseRank, other: CaseRank): number {
  if (one.isUnresolved !== other.isUnresolved) return one.isUnresolved ? -1 : 1;
  if (one.total !== other.total) return one.total < other.total ? -1 : 1;
  return one.position - other.position;
}

/** The most bytes of a picture in a file, and of all of them. */
const mostBytesOfPicture = 256 * 1024;
const mostBytesOfPictures = 10 * 1024 * 1024;

/** The pictures of a report in one file: each once, as far as they fit. */
class FilePictures {
  readonly #readBlob: ReportInput['readBlob'];
  readonly #choice: ReportView['attachments'];
  readonly #seen = new Set<string>();
  readonly #leftOut = new Map<keyof LeftOut, number>();
  #bytes = 0;

  constructor({ readBlob }: Pick<ReportInput, 'readBlob'>, { attachments }: Pick<ReportView, 'attachments'>) {
    this.#readBlob = readBlob;
    this.#choice = attachments;
  }

  /** The numbers of files that are not in the report; undefined when all are. */
  get leftOut(): LeftOut | undefined {
    return this.#leftOut.size === 0 ? undefined : Object.fromEntries(this.#leftOut);
  }

  /** Yields the pictures of messages that are not in the file yet, as the answers of the server that the page asks for. */
  async *write(messages: readonly Message[]): AsyncGenerator<string> {
    for (const file of messages.flatMap(({ attachments = [] }) => attachments)) {
      if (this.#seen.has(file.hash)) continue;
      this.#seen.add(file.hash);
      const url = await this.#read(file);
      if (url !== undefined) yield writeAnswer(blobPath(file.hash), url);
      else this.#leftOut.set(kindOf(file), (this.#leftOut.get(kindOf(file)) ?? 0) + 1);
    }
  }

  /** Returns a picture as a data URL of what its first bytes are; undefined for one that stays out. */
  async #read({ hash, bytes: size }: Attachment): Promise<string | undefined> {
    const fits = size <= mostBytesOfPicture && this.#bytes + size <= mostBytesOfPictures;
    if (this.#choice === 'none' || (this.#choice !== 'all' && !fits)) return undefined;
    // A report is written without what the store has lost: `touchstone check` names it.
    const bytes = await this.#readBlob?.(hash).catch(() => undefined);
    const type = bytes && sniffMedia(bytes);
    if (bytes === undefined || type?.startsWith('image/') !== true) return undefined;
    this.#bytes += bytes.length;
    return `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;
  }
}
