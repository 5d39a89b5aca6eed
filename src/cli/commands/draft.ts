import { checkOutputFiles } from '../../library/api/output-files.ts';
import { exitCodeAfterWriting } from '../write-report.ts';
import { draft, planDraft } from '../../library/api/cases/draft.ts';
import { writeEach, writeFile } from '../../library/api/write-file.ts';
import type { DraftObserver } from '../../cases/draft/draft.ts';
import { TouchstoneError } from '../../core/errors.ts';
import { jsonDocument } from '../../core/lib/objects.ts';
import { didYouMean } from '../../core/lib/text/nearest-name.ts';
import { toTerminalText } from '../../core/lib/text/terminal-text.ts';
import { formatCount, formatPlural } from '../../look/report/format.ts';
import { draftText, estimateText } from '../../look/reporters/draft.ts';
import { type DraftReport, questionKinds } from '../../core/schema/api/draft-report.ts';
import { interrupted, listenForInterrupts } from '../interrupts.ts';
import { openStore, openWritableStore } from '../open-store.ts';
import { claimStdout, viewOfTerminal } from '../output.ts';

/** The options of `touchstone draft`, as parsed from the command line. */
export interface DraftFlags {
  readonly from: readonly string[];
  readonly model: string;
  readonly dataset?: string;
  readonly count: number;
  /** The weights by the names of kinds, not checked yet. */
  readonly mix?: ReadonlyMap<string, number>;
  readonly category?: readonly string[];
  readonly seed?: string;
  /** The longest passage in characters. */
  readonly passage: number;
  readonly concurrency: number;
  /** US dollars. */
  readonly maxCost?: number;
  readonly dryRun?: boolean;
  readonly config?: string;
  readonly verbose?: boolean;
  readonly output?: string;
  readonly json?: boolean;
  readonly store?: string;
}

/** Runs `touchstone draft`: drafts questions from documents or traces and proposes those that pass their checks. Returns the exit code. */
export async function draftCommand(flags: DraftFlags): Promise<number> {
  const output = claimStdout();
  const { from, model, json = false, verbose = false, dryRun = false } = flags;
  const options = optionsOf(flags);
  const store = await (dryRun ? openStore(flags.store) : openWritableStore(flags.store));
  const progress = createLines(from.includes('traces') ? 'trace' : 'document');
  const signals = listenForInterrupts(progress.note);
  try {
    if (dryRun) {
      const estimate = await planDraft({ from, model }, { ...options, store });
      await output.write(json ? jsonDocument(estimate) : estimateText(estimate));
      return 0;
    }
    const { observer } = progress;
    const files = flags.output === undefined ? [] : [flags.output];
    await checkOutputFiles(files, { store, reads: from });
    const report = await draft({ from, model }, { ...options, store, observer, signals });
    await output.write(json ? jsonDocument(report) : draftText(report, viewOfTerminal(verbose)));
    const writings = files.map((file) => () => writeFile(file, [jsonDocument(report)]));
    return await exitCodeAfterWriting(exitCodeOf(report, signals.stop.aborted), () => writeEach(writings));
  } finally {
    signals.release();
    await store.close();
  }
}

function optionsOf({ mix, passage, ...flags }: DraftFlags) {
  const { dataset, config, count, concurrency, category: categories, seed, maxCost } = flags;
  const unknown = [...(mix?.keys() ?? [])].find((kind) => !questionKinds.some((known) => known === kind));
  if (unknown !== undefined) {
    const hint = didYouMean(unknown, questionKinds);
    throw new TouchstoneError('usage-invalid', `No question is of the kind "${unknown}".${hint}`, {
      remedy: `Choose from ${questionKinds.join(', ')}.`,
    });
  }
  return {
    count,
    concurrency,
    passageLength: passage,
    dataset,
    config,
    categories,
    seed,
    maxCost,
    ...(mix !== undefined && { mix: Object.fromEntries(mix) }),
  };
}

/** Returns 130 when interrupted, 2 when a repetition could draft or check more, else 0. */
function exitCodeOf({ planned, drafted, notChecked }: DraftReport, wasInterrupted: boolean): number {
  if (wasInterrupted) return interrupted;
  return drafted < planned || notChecked > 0 ? 2 : 0;
}

/** The milliseconds between two lines of progress. */
const pauseMs = 5000;

/** Creates the lines of progress on standard error: what is going to be asked at what price, then how far it is. */
function createLines(source: 'document' | 'trace') {
  const note = (text: string) => console.error(toTerminalText(text));
  let [drafted, checked, shownAt] = [0, 0, performance.now()];
  const show = () => {
    if (performance.now() - shownAt < pauseMs) return;
    shownAt = performance.now();
    note(`${formatPlural(drafted, 'question')} drafted, ${formatCount(checked)} checked`);
  };
  const observer: DraftObserver = {
    onPlanned: (estimate, documents) =>
      note(`${formatPlural(documents, source)}. ${estimateText({ ...estimate, notices: [] }).trim()}`),
    onDrafted: (questions) => {
      drafted += questions;
      show();
    },
    onChecked: (questions) => {
      checked += questions;
      show();
    },
  };
  return { note, observer };
}
