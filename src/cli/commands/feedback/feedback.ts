import { checkOutputFiles } from '../../../library/api/output-files.ts';
import {
  exportFeedback,
  forgetFeedbackUsers,
  importFeedback,
  readFeedback,
  summarizeFeedback,
} from '../../../library/api/feedback.ts';
import type { PeriodLength } from '../../../people/feedback/rated-answers.ts';
import { escapeJson, jsonDocument } from '../../../core/lib/objects.ts';
import { toTerminalText } from '../../../core/lib/text/terminal-text.ts';
import { openStore, openWritableStore } from '../../open-store.ts';
import { claimStdout } from '../../output.ts';
import { writeFile } from '../../../library/api/write-file.ts';
import { damagedCode } from '../check.ts';
import { describeReceipt, describeRecords, describeSummary } from './print-feedback.ts';

/** The options of the `touchstone feedback` commands, as parsed from the command line. */
export interface FeedbackFlags {
  readonly by: PeriodLength;
  readonly limit: number;
  readonly json?: boolean;
  readonly store?: string;
}

/** Runs `touchstone feedback import FILE`: adds feedback of users. Returns the exit code: 2 when records were refused. */
export async function importCommand(file: string, flags: FeedbackFlags): Promise<number> {
  const output = claimStdout();
  const store = await openWritableStore(flags.store);
  try {
    const receipt = await importFeedback(file, { store });
    await output.write(flags.json === true ? jsonDocument(receipt) : describeReceipt(receipt));
    return receipt.refused.length === 0 ? 0 : damagedCode;
  } finally {
    await store.close();
  }
}

/** Runs `touchstone feedback export FILE`: writes all feedback. Returns the exit code: 2 when records are damaged. */
export async function exportCommand(
  file: string,
  flags: Pick<FeedbackFlags, 'store'> & { readonly salvage?: boolean },
): Promise<number> {
  const output = claimStdout();
  const isSalvage = flags.salvage === true;
  const store = await openStore(flags.store);
  const lost: string[] = [];
  try {
    const onLost = isSalvage ? (what: string) => lost.push(what) : undefined;
    const lines = exportFeedback({ store, onLost });
    if (file === '-') await output.writeAll(escaped(lines));
    else {
      await checkOutputFiles([file], { store });
      await writeFile(file, lines);
      console.error(toTerminalText(`Wrote the feedback to ${file}.`));
    }
    if (lost.length === 0) return 0;
    const names = lost.map((what) => `  ${toTerminalText(what)}`);
    console.error(`Damaged or missing, and not in the file:\n${names.join('\n')}`);
    return damagedCode;
  } finally {
    await store.close();
  }
}

async function* escaped(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield escapeJson(line);
}

/** Runs `touchstone feedback show`: summarizes feedback by period and category. Returns the exit code. */
export async function showCommand(flags: FeedbackFlags): Promise<number> {
  const output = claimStdout();
  const store = await openStore(flags.store);
  try {
    const summary = await summarizeFeedback({ store, by: flags.by });
    await output.write(flags.json === true ? jsonDocument(summary) : describeSummary(summary));
    return 0;
  } finally {
    await store.close();
  }
}

/** Runs `touchstone feedback list`: lists the newest records of feedback. Returns the exit code. */
export async function listCommand(flags: FeedbackFlags): Promise<number> {
  const output = claimStdout();
  const store = await openStore(flags.store);
  try {
    const newest = (await Array.fromAsync(readFeedback({ store }))).slice(-flags.limit).toReversed();
    await output.write(flags.json === true ? jsonDocument(newest) : describeRecords(newest));
    return 0;
  } finally {
    await store.close();
  }
}

/** Runs `touchstone feedback forget-users`: removes the key of users' hashes. Returns the exit code. */
export async function forgetUsersCommand(flags: FeedbackFlags): Promise<number> {
  const output = claimStdout();
  const store = await openWritableStore(flags.store);
  try {
    await forgetFeedbackUsers({ store });
    const said = 'Removed the key: no stored hash can be traced back to a user.\n';
    await output.write(flags.json === true ? jsonDocument({ forgotten: true }) : said);
    return 0;
  } finally {
    await store.close();
  }
}
