import type { CaseDraft, Dataset } from '../../evaluate/datasets/dataset.ts';
import type { Place } from '../../core/errors.ts';
import type { TermRules } from '../../core/lib/search/find-terms.ts';
import type { CaseCheckRules } from '../../evaluate/run/prepare/case-check-rules.ts';
import type { LintSeverity } from '../../core/schema/api/lint-finding.ts';
import type { Case } from '../../core/schema/case.ts';
import type { Expectation } from '../../core/schema/expectation.ts';
import type { Difference } from './question-difference.ts';

/** A case that findings can point to. It is small, so that rules can keep one for every case of a set. */
export interface CaseRef {
  readonly caseId: string;
  readonly place: Place;
  /** True for a case of the files to compare with, which is not checked itself. */
  readonly isReference: boolean;
  /** The rules that the case switches off for itself by tags such as `lint-skip:near-duplicate`. */
  readonly skips: readonly string[];
}

/** A case that is being checked. */
export interface LintedCase {
  readonly case: Case;
  readonly ref: CaseRef;
}

/** A row as it was read, with the problems that keep it from being a case. */
export interface LintedRow {
  readonly draft: CaseDraft;
  readonly problems: readonly { readonly message: string; readonly remedy?: string }[];
}

/** One discovery of a rule. */
export interface Discovery {
  readonly message: string;
  readonly remedy: string;
  /** The case that it is about; a place alone where there is no case. */
  readonly at: CaseRef | Place;
  /** The path inside the case, for the exact place; only for the case that is being checked. */
  readonly path?: readonly PropertyKey[];
  /** Another case that it is about. */
  readonly other?: CaseRef;
  /** The severity where it differs from the rule's. */
  readonly severity?: LintSeverity;
}

/** Two cases whose questions say the same. */
export interface QuestionPair {
  readonly earlier: CaseRef;
  readonly later: CaseRef;
  /** The difference in words; `copy` for two cases of the same content. */
  readonly difference: Difference | { readonly type: 'copy' };
  /** The share of the words that both have, from 0 to 1. */
  readonly similarity: number;
  /** True when both cases expect something, and not the same. */
  readonly disagrees: boolean;
}

/** A set of which all cases have been read. */
export interface CheckedSet {
  readonly dataset: Dataset;
  /** Returns the pairs of cases whose questions say the same; the later one of each pair appears once. */
  pairs(): readonly QuestionPair[];
}

/** A rule at work on one set. Every hook yields what it finds. */
export interface RuleCheck {
  /** Checks a row before it is known to be a case. */
  checkRow?(row: LintedRow): Iterable<Discovery>;
  /** Checks a case on its own, and remembers what `finish` needs of it. */
  checkCase?(linted: LintedCase): Iterable<Discovery>;
  /** Checks the set as a whole, once all cases have been read. */
  finish?(set: CheckedSet): Iterable<Discovery>;
}

/** The evaluation that the set is for, as far as rules know it. */
export interface LintSetting {
  /** The name of the config; undefined when the rules of no config apply. */
  readonly config?: string;
  /** The expectations that the metrics of the config read, or that it lists as unread on purpose. */
  readonly reads?: readonly Expectation[];
  /** The rules by which the metrics of the config look for keywords; the usual ones when undefined. */
  readonly keywordRules?: TermRules;
  /** The rules for the checks that cases bring along. */
  readonly caseChecks?: CaseCheckRules;
}

/** A rule for datasets: one file, one line in the registry, one test. */
export interface LintRule {
  /** The name in reports, after `--skip`, and in tags. */
  readonly name: string;
  readonly severity: LintSeverity;
  /** A clause on what it finds. */
  readonly summary: string;
  create(setting: LintSetting): RuleCheck;
}
