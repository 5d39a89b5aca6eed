import { TouchstoneError } from '../../../core/errors.ts';
import type { Run } from '../../../core/schema/run.ts';
import type { ReceivedRun } from '../../../core/schema/api/acting/received-run.ts';
import { recordsOfRun } from '../../../stores/shared/shared-records.ts';
import type { Claim, Store } from '../../../stores/store.ts';
import { createClaimedRun } from '../prepare/begin-run.ts';
import { type ArchiveRow, type CheckedLine, checkLines, invalidImport } from './archive-line.ts';
import { createRowWriter } from './archive-rows.ts';
import { completeRun, exportRun, incomplete, runOfLine } from './archive.ts';

/** A part of an exported run that another machine sends. */
export interface SentPart {
  /** The id of the run. */
  readonly run: string;
  /** The hash on the last line of the whole export, by which two exports of a run are known to be the same. */
  readonly end: string;
  /** The number of lines of the export before this part. */
  readonly from: number;
  /** The lines of this part, which may break off anywhere. */
  readonly rows: AsyncIterable<ArchiveRow>;
  readonly allows: Allowed;
}

/** The limits of a sender. */
export interface Allowed {
  /** The size of a whole run in bytes of its export. */
  readonly mostBytes: number;
  /** True for legal holds, which keep a run from being deleted. */
  readonly holds: boolean;
}

/** A run that was sent in part. */
export interface HalfSentRun {
  readonly run: string;
  readonly lines: number;
  /** When its last lines arrived, ISO 8601; null for one of an earlier version. */
  readonly at: string | null;
}

/** The part of a run that has arrived, as a shared record of the store, which is removed with the run. */
interface Receipt {
  readonly end: string;
  readonly lines: number;
  /** The hash on the last line that is stored. */
  readonly hash: string;
  /** The length of these lines in bytes. */
  readonly bytes?: number;
  /** When the last of them arrived, in milliseconds since 1970 on the clock of the store. */
  readonly at?: number;
}

/**
 * Receives a part of an exported run, and returns how much of the run is stored. A part that does not begin where the last one ended is not
 * read: its sender goes on from the number of lines that is returned. Sending a run again that is there already changes nothing.
 *
 * What arrives is stored in batches, under the claim on the run. Until the last line is stored, the run is `planning`, has no totals, and
 * says by `isSent` that a part is missing; a part of other content than before begins it again. Throws `push-refused` when a whole run of that
 * id with other content is there and for what the sender may not bring, `run-in-progress` while another sender is at work on it, and
 * `import-invalid` for lines that are not what was exported. A run that is too large is removed: it could never be whole.
 */
export async function receiveRun(sent: SentPart, store: Store): Promise<ReceivedRun> {
  const kept = await store.readRun(sent.run);
  if (kept !== undefined && kept.isSent !== true) return await compareKept(kept, sent, store);
  const receipt = kept && (await readReceipt(sent.run, store));
  if (receipt?.end === sent.end) {
    if (receipt.lines !== sent.from) return { run: sent.run, lines: receipt.lines, isWhole: false };
    await using _claim = await store.claimRun(sent.run);
    // Another sender may have gone on, or have ended, before the claim.
    const now = await readReceipt(sent.run, store);
    if (now?.lines !== receipt.lines) throw busy(sent.run);
    return await storeLines(receipt, checkLines(sent.rows, receipt.hash), { ...sent, store });
  }
  if (sent.from !== 0) return { run: sent.run, lines: 0, isWhole: false };
  const lines = checkLines(sent.rows);
  const first = await lines.next();
  // A part without lines asks how much is here.
  if (first.done === true) return { run: sent.run, lines: 0, isWhole: false };
  const run = runOfLine(first.value);
  if (run.id !== sent.run) throw invalidImport(`The lines are of run ${run.id}, and not of run ${sent.run}.`);
  refuseHolds(run, sent.allows);
  await using _claim = await begin(run, kept, store);
  const begun = { end: sent.end, lines: 1, hash: first.value.hash, bytes: first.value.bytes };
  await write(statedName(run.id), run, store);
  await writeReceipt(run.id, begun, store);
  return await storeLines(begun, lines, { ...sent, store });
}

function refuseHolds({ id, holds = [] }: Run, allows: Allowed): void {
  if (holds.length === 0 || allows.holds) return;
  throw new TouchstoneError(
    'push-refused',
    `Run ${id} is under a legal hold, which this token may not bring.`,
    {
      remedy:
        'Send it with a token of the scope `admin`, or from a copy without the hold: `touchstone server hold --release`.',
    },
  );
}

/** Begins a run, in place of a part of it with other content. Throws `run-in-progress` when another sender was faster. */
async function begin(run: Run, left: Run | undefined, store: Store): Promise<Claim> {
  if (left !== undefined) {
    await using _claim = await store.claimRun(left.id);
    await store.deleteRun(left.id);
  }
  try {
    return await createClaimedRun({ ...incomplete(run), isSent: true }, store);
  } catch (error) {
    if ((await store.readRun(run.id)) === undefined) throw error;
    throw busy(run.id);
  }
}

/** Stores lines as they come, and says after each batch how far it is. */
async function storeLines(
  { end, ...at }: Receipt,
  lines: AsyncIterable<CheckedLine>,
  { run: id, allows, store }: Pick<SentPart, 'run' | 'allows'> & { readonly store: Store },
): Promise<ReceivedRun> {
  const writer = createRowWriter(id, store);
  let [count, last, stored, bytes] = [at.lines, at.hash, at.lines, at.bytes ?? 0];
  const flush = async () => {
    if (count === stored) return;
    await writer.flush();
    await writeReceipt(id, { end, lines: count, hash: last, bytes }, store);
    stored = count;
  };
  try {
    for await (const line of lines) {
      bytes += line.bytes;
      if (bytes > allows.mostBytes) {
        stored = count;
        await store.deleteRun(id);
        throw tooLarge(id, allows.mostBytes);
      }
      const isFull = await writer.add(line);
      if (writer.hasEnded()) {
        if (line.hash !== end)
          throw invalidImport(`The export of run ${id} ends otherwise than its sender says.`);
        await writer.flush();
        return await finish({ end, lines: count + 1, hash: line.hash }, id, store);
      }
      [count, last] = [count + 1, line.hash];
      if (isFull) await flush();
    }
  } finally {
    // What came before a fault of the connection is whole.
    if (!writer.hasEnded()) await flush();
  }
  return { run: id, lines: stored, isWhole: false };
}

function tooLarge(id: string, mostBytes: number): TouchstoneError {
  return new TouchstoneError(
    'push-refused',
    `Run ${id} has more than ${Math.round(mostBytes / 1e6)} MB, the most that this server takes. Nothing of it is stored there.`,
    {
      remedy:
        'Have the operator of the server allow more, `touchstone server --largest-run 20000` (in MB); or ask fewer questions in a run.',
    },
  );
}

/** Completes a run whose rows are all stored. One whose totals do not follow from them is removed: no part of it can be believed. */
async function finish(receipt: Receipt, id: string, store: Store): Promise<ReceivedRun> {
  const stated = await read<Run>(statedName(id), store);
  if (stated === undefined) throw new Error(`The record of run ${id}, which was sent in part, is lost.`);
  try {
    const whole = await completeRun(stated, store);
    await writeReceipt(id, receipt, store);
    await store.updateRun(whole);
  } catch (error) {
    if (error instanceof TouchstoneError && error.code === 'import-invalid') await store.deleteRun(id);
    throw error;
  }
  await store.shared.remove(statedName(id));
  return { run: id, lines: receipt.lines, isWhole: true };
}

/** Answers for a run that is there and is not being sent: it is whole, or this is another run of the same id. */
async function compareKept(kept: Run, { end, run: id }: SentPart, store: Store): Promise<ReceivedRun> {
  if (kept.status === 'planning') throw busy(id);
  const receipt = await readReceipt(id, store);
  // A run that was made or imported there has none.
  const own = receipt ?? (await readEnd(kept, store));
  if (own.end === end) return { run: id, lines: own.lines, isWhole: true };
  throw new TouchstoneError('push-refused', `Run ${id} is there already, with other content.`, {
    remedy: `Keep the one that is there; or delete it there, on the page of the run or by \`DELETE /api/runs/${id}\`, and send it again.`,
  });
}

/** Lists the runs of a store that were sent in part, and not completed since. */
export async function listHalfSent(store: Store): Promise<HalfSentRun[]> {
  const found: HalfSentRun[] = [];
  for (const { id, isSent } of await store.listRuns({ status: 'planning' })) {
    if (isSent !== true) continue;
    const { lines = 0, at } = (await readReceipt(id, store)) ?? {};
    found.push({ run: id, lines, at: at === undefined ? null : new Date(at).toISOString() });
  }
  return found;
}

/** Reads a stored run as an export. Returns the hash on its last line, and the number of its lines. */
export async function readEnd(run: Run, store: Store): Promise<Pick<Receipt, 'end' | 'lines'>> {
  let [end, lines] = ['', 0];
  for await (const line of exportRun(run, store)) [end, lines] = [line, lines + 1];
  return { end: (JSON.parse(end) as { readonly hash: string }).hash, lines };
}

function busy(id: string): TouchstoneError {
  return new TouchstoneError('run-in-progress', `Run ${id} is being sent or imported by another process.`, {
    remedy: 'Wait until it is there; sending it again then changes nothing.',
  });
}

function receiptName(id: string): string {
  return `${recordsOfRun(id)}received`;
}

/** Returns the name of the record of a run as its sender has stated it, which is needed again at its end. */
function statedName(id: string): string {
  return `${recordsOfRun(id)}stated`;
}

async function readReceipt(id: string, store: Store): Promise<Receipt | undefined> {
  return await read<Receipt>(receiptName(id), store);
}

async function read<Value>(name: string, { shared }: Store): Promise<Value | undefined> {
  return await shared.change<Value, Value | undefined>(name, (value) => ({ value, result: value }));
}

async function writeReceipt(id: string, receipt: Receipt, { shared }: Store): Promise<void> {
  await shared.change<Receipt, void>(receiptName(id), (_, at) => ({
    value: { ...receipt, at },
    result: undefined,
  }));
}

async function write(name: string, value: unknown, { shared }: Store): Promise<void> {
  await shared.change<unknown, void>(name, () => ({ value, result: undefined }));
}
