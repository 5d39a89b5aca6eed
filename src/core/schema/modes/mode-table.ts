import type { Mode } from './mode.ts';

/** The reason why a share is not a number. `not-drawn`: the answers were picked by hand. */
export type NoShare = 'not-drawn' | 'nothing-read' | 'part-unread' | 'no-spread' | 'to-be-marked';

/** A share of answers with a failure mode, from 0 to 1, with its 95 % interval. */
export interface ModeShare {
  /** The estimate; null with a reason, and where answers that were read are still to be marked. */
  readonly estimate: number | null;
  /** The estimates if none, or all, of the answers that are not marked had the mode; equal where all are marked. */
  readonly least: number | null;
  readonly most: number | null;
  /** The limits: of `least` the lower one, of `most` the upper one. */
  readonly lower: number | null;
  readonly upper: number | null;
  /** The number of answers read. */
  readonly n: number;
  readonly method?: string;
  readonly reason?: NoShare;
}

/** The frequency of a mode in a part of the answers read, against the others. */
export interface ModeConcentration {
  readonly mode: string;
  readonly by: 'category' | 'target' | 'tool';
  readonly level: string;
  readonly successes: number;
  readonly trials: number;
  readonly otherSuccesses: number;
  readonly otherTrials: number;
  /** The p-value of Fisher's exact test, and adjusted by Holm over all cells that were tested. */
  readonly pValue: number;
  readonly adjusted: number;
}

/** The agreement of two readers on a mode. */
export interface ModeAgreement {
  readonly n: number;
  readonly table: {
    readonly both: number;
    readonly onlyFirst: number;
    readonly onlySecond: number;
    readonly neither: number;
  };
  readonly raw: number | null;
  readonly positive: number | null;
  readonly ac1: number | null;
  readonly ac1Lower: number | null;
  /** Null with fewer than five answers on which both say yes. */
  readonly kappa: number | null;
  /** True where people agree so little that the definition is the problem. */
  readonly isUnclear: boolean;
}

/** The share of a mode in an earlier run. */
export interface ModeOfRun {
  readonly run: string;
  readonly share: ModeShare;
}

/** An answer that has a mode, with the words that show it. */
export interface ModeExample {
  readonly case: string;
  readonly target: string;
  readonly attempt: number;
  readonly run: string | null;
  readonly ordinal: number | null;
  /** The id of the note, and its first line; null for a mark without one. */
  readonly note: string | null;
  readonly text: string | null;
  /** The marked words of the answer. */
  readonly quotes: readonly string[];
  readonly isFirst: boolean;
}

/** A failure mode with its numbers. */
export interface ModeRow
  extends Pick<Mode, 'id' | 'name' | 'definition' | 'includes' | 'excludes' | 'version'> {
  /** The numbers of answers read by what people say of the mode; `unmarked` ones are not measured. */
  readonly yes: number;
  readonly no: number;
  readonly disputed: number;
  readonly unmarked: number;
  /** Of the answers that failed; null where the draw does not tell them apart. */
  readonly ofFailed: ModeShare | null;
  readonly ofAll: ModeShare;
  /** Of other answers of this kind; null where the draw is not a plain random one. */
  readonly beyond: ModeShare | null;
  readonly agreement: ModeAgreement | null;
  /** Earlier runs of which notes were taken, the oldest first, and this one. */
  readonly runs: readonly ModeOfRun[];
  /** The change since the run before, where it is more than chance; else null. */
  readonly change: 'worse' | 'better' | null;
  readonly examples: readonly ModeExample[];
}

/** The table of failure modes of a run. */
export interface ModeTable {
  readonly run: string;
  readonly target: string | null;
  /** The targets of which answers were drawn. */
  readonly targets: readonly string[];
  readonly tasks: readonly string[];
  readonly seeds: readonly number[];
  /** The draws of the run that these numbers do not contain. */
  readonly otherTasks: readonly string[];
  readonly answers: number;
  readonly read: number;
  readonly strata: readonly { readonly name: string; readonly size: number; readonly read: number }[];
  readonly readers: readonly string[];
  /** The number of answers that several people read. */
  readonly doubled: number;
  readonly rows: readonly ModeRow[];
  /** The cells in which modes are concentrated, the most certain first; at most five. */
  readonly where: readonly ModeConcentration[];
  /** The share of failures of kinds not seen yet; null where failures were not drawn at random. */
  readonly unseen: {
    readonly failures: number;
    readonly once: number;
    readonly twice: number;
    readonly estimate: number | null;
    readonly upper: number;
    /** The number of further failures to read, if none is of a new kind, until the limit is 10 %. */
    readonly more: number;
  } | null;
  /** The number of answers with something wrong that have no mode. */
  readonly unnamed: number;
  /** The answers to look at again, since modes were named after it was read. */
  readonly again: { readonly answers: number; readonly modes: readonly string[]; readonly minutes: number };
}

/** The difference of a mode between two runs. */
export interface ModeDifference {
  readonly mode: string;
  readonly name: string;
  readonly a: ModeShare;
  readonly b: ModeShare;
  /** B minus A with its 95 % interval. */
  readonly estimate: number | null;
  readonly lower: number | null;
  readonly upper: number | null;
  /** Of questions read in both runs: those with the mode in A only, and in B only. */
  readonly pairs: { readonly n: number; readonly aOnly: number; readonly bOnly: number } | null;
  readonly pValue: number | null;
  /** Adjusted by Holm over all modes. */
  readonly adjusted: number | null;
  readonly change: 'worse' | 'better' | null;
}

/** The failure modes of two runs. */
export interface ModeComparison {
  readonly a: string;
  readonly b: string;
  /** `pairs`: the same questions were read in both; `shares`: others were. */
  readonly method: 'pairs' | 'shares';
  readonly rows: readonly ModeDifference[];
}
