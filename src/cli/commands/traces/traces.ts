import { forgetTraces, importTraces, listTraces, readTrace } from '../../../api/traces.ts';
import { TouchstoneError } from '../../../errors.ts';
import { jsonDocument } from '../../../lib/objects.ts';
import { openStore, openWritableStore } from '../../open-store.ts';
import { claimStdout } from '../../output.ts';
import { damagedCode } from '../check.ts';
import { describeForgotten, describeHeads, describeOneTrace, describeTraceReceipt } from './print-traces.ts';

/** The options of the `touchstone traces` commands, as parsed from the command line. */
export interface TracesFlags {
  readonly limit: number;
  readonly trace?: readonly string[];
  readonly user?: readonly string[];
  readonly json?: boolean;
  readonly store?: string;
}

/** Runs `touchstone traces import FILE`: adds the traces of a file. Returns the exit code: 2 when spans were not stored. */
export async function importCommand(file: string, flags: TracesFlags): Promise<number> {
  const output = claimStdout();
  const store = await openWritableStore(flags.store);
  try {
    const receipt = await importTraces(file, { store });
    await output.write(flags.json === true ? jsonDocument(receipt) : describeTraceReceipt(receipt));
    return Object.keys(receipt.rejected).length === 0 ? 0 : damagedCode;
  } finally {
    await store.close();
  }
}

/** Runs `touchstone traces list`: lists the newest traces. Returns the exit code. */
export async function listCommand(flags: TracesFlags): Promise<number> {
  const output = claimStdout();
  const store = await openStore(flags.store);
  try {
    const heads = await listTraces({ store, limit: flags.limit });
    const all = await store.traces.count();
    await output.write(flags.json === true ? jsonDocument(heads) : describeHeads(heads, all));
    return 0;
  } finally {
    await store.close();
  }
}

/** Runs `touchstone traces show ID`: prints a trace with the cases made of it. Returns the exit code. */
export async function showCommand(id: string, flags: TracesFlags): Promise<number> {
  const output = claimStdout();
  const store = await openStore(flags.store);
  try {
    const trace = await readTrace(id, { store });
    await output.write(flags.json === true ? jsonDocument(trace) : describeOneTrace(trace));
    return 0;
  } finally {
    await store.close();
  }
}

/** Runs `touchstone traces forget`: erases traces with the proposals made of them. Returns the exit code. */
export async function forgetCommand(flags: TracesFlags): Promise<number> {
  const { trace: traces = [], user: users = [] } = flags;
  if (traces.length + users.length === 0) {
    throw new TouchstoneError('usage-invalid', 'It is not said what to forget.', {
      remedy: 'Name traces or users: `--trace ID`, `--user ID`; both may be repeated.',
    });
  }
  const output = claimStdout();
  const store = await openWritableStore(flags.store);
  try {
    const forgotten = await forgetTraces({ store, traces, users });
    await output.write(flags.json === true ? jsonDocument(forgotten) : describeForgotten(forgotten));
    return 0;
  } finally {
    await store.close();
  }
}
