import type { CaseDraft, Dataset } from '../../evaluate/datasets/dataset.ts';
import { type Place, TouchstoneError } from '../../core/errors.ts';
import { checkDraft, type LoadedCase } from '../../evaluate/run/prepare/check-draft.ts';
import { type LintFinding, type LintReport, lintSeverities } from '../../core/schema/api/lint-finding.ts';
import { refTo, toIndexed } from './index-case.ts';
import { QuestionIndex } from './question-index.ts';
import type { CaseRef, Discovery, LintRule, LintSetting, QuestionPair, RuleCheck } from './rule.ts';

/** The number of rows from which compiling the schema of cases pays off. */
const mostUncompiled = 1000;

/** The most findings of a rule with an exact column; those after it name the line, which is much faster. */
const mostLocated = 100;

/** The dataset to check, and the rules. */
export interface LintNeeds {
  readonly dataset: Dataset;
  /** A set that the dataset must share no question with, such as the examples in the prompt. */
  readonly against?: Dataset;
  readonly rules: readonly LintRule[];
  /** The names of the rules that are switched off. */
  readonly skip: readonly string[];
  readonly setting: LintSetting;
}

/**
 * Checks a dataset by all rules but those that are switched off, in one pass. Memory grows by some 300 bytes a case. Throws
 * `dataset-empty` for a file without rows.
 */
export async function lintDataset(needs: LintNeeds): Promise<LintReport> {
  const { dataset, against, rules, skip, setting } = needs;
  const index = new QuestionIndex();
  if (against !== undefined) await indexReference(against, index);
  const findings = new FindingList();
  const checks = rules
    .filter(({ name }) => !skip.includes(name))
    .map((rule): OpenRule => ({ rule, check: rule.create(setting) }));
  let rows = 0;
  let cases = 0;
  for await (const draft of readDrafts(dataset, findings)) {
    rows += 1;
    const checked = checkDraft(draft, { isOneOfMany: rows > mostUncompiled, caseChecks: setting.caseChecks });
    const problems = 'problems' in checked ? checked.problems : [];
    for (const { rule, check } of checks) {
      findings.add(rule, check.checkRow?.({ draft, problems }), draft);
    }
    if ('problems' in checked) continue;
    cases += 1;
    const linted = { case: checked.case, ref: refTo(checked.case, checked.place, false) };
    for (const { rule, check } of checks) findings.add(rule, check.checkCase?.(linted), draft);
    addToIndex(checked, linted.ref, index);
  }
  if (cases === 0) await refuseNoCases(dataset, rows === 0 && findings.isEmpty);
  let pairs: QuestionPair[] | undefined;
  const set = { dataset, pairs: () => (pairs ??= index.pairs()) };
  for (const { rule, check } of checks) findings.add(rule, check.finish?.(set));
  return {
    sources: [...dataset.sources],
    ...(against !== undefined && { against: [...against.sources] }),
    cases,
    ...findings.finish(rules, dataset.sources),
    skipped: [...skip],
  };
}

/** Throws for a file without rows, and for one of another tool, in which no row is a case. */
async function refuseNoCases(dataset: Dataset, isEmpty: boolean): Promise<void> {
  if (isEmpty) {
    throw new TouchstoneError('dataset-empty', `There are no questions in ${dataset.sources.join(', ')}.`);
  }
  const foreign = await dataset.recognize?.();
  if (foreign === undefined) return;
  throw new TouchstoneError('dataset-invalid', foreign.message, { remedy: foreign.remedy });
}

interface OpenRule {
  readonly rule: LintRule;
  readonly check: RuleCheck;
}

/** Reads the rows, up to where a file cannot be read any further, which is a finding. */
async function* readDrafts(dataset: Dataset, findings: FindingList): AsyncGenerator<CaseDraft> {
  try {
    yield* dataset.drafts();
  } catch (error) {
    if (!(error instanceof TouchstoneError) || error.code !== 'dataset-invalid') throw error;
    const { message, remedy } = error;
    const file = dataset.sources.find((source) => message.startsWith(`${source}:`)) ?? dataset.sources[0];
    const at = { file: file ?? '' };
    findings.add({ name: 'invalid-row', severity: 'error' }, [
      { ...splitPlace(message, at), remedy: `${remedy} What follows in the file was not checked.` },
    ]);
  }
}

/** Separates the place at the beginning of a message from the message. */
export function splitPlace(
  message: string,
  { file }: Place,
): { readonly at: Place; readonly message: string } {
  if (!message.startsWith(`${file}:`)) return { at: { file }, message };
  const [whole = '', line, column] = /^(?:(\d+):)?(?:(\d+):)? */.exec(message.slice(file.length + 1)) ?? [];
  const at = {
    file,
    ...(line !== undefined && { line: Number(line) }),
    ...(column !== undefined && { column: Number(column) }),
  };
  return { at, message: message.slice(file.length + 1 + whole.length) };
}

async function indexReference(against: Dataset, index: QuestionIndex): Promise<void> {
  let rows = 0;
  for await (const draft of against.drafts()) {
    rows += 1;
    const checked = checkDraft(draft, { isOneOfMany: rows > mostUncompiled });
    if ('case' in checked) addToIndex(checked, refTo(checked.case, checked.place, true), index);
  }
}

function addToIndex({ case: testCase, hash }: LoadedCase, ref: CaseRef, index: QuestionIndex): void {
  index.add(toIndexed(testCase, hash, ref));
}

/** The findings so far. */
class FindingList {
  readonly #findings: LintFinding[] = [];
  readonly #counts = new Map<string, number>();

  get isEmpty(): boolean {
    return this.#findings.length === 0;
  }

  /** Adds what a rule found, except about cases that switch it off. */
  add(
    { name, severity }: Pick<LintRule, 'name' | 'severity'>,
    discoveries: Iterable<Discovery> = [],
    draft?: CaseDraft,
  ): void {
    for (const found of discoveries) {
      const { message, remedy, at, other } = found;
      const ref = 'place' in at ? at : undefined;
      if (ref?.skips.includes(name) === true || other?.skips.includes(name) === true) continue;
      const count = (this.#counts.get(name) ?? 0) + 1;
      this.#counts.set(name, count);
      this.#findings.push({
        rule: name,
        severity: found.severity ?? severity,
        ...(count <= mostLocated ? exactPlace(found, draft) : placeOf(at)),
        ...(ref !== undefined && { caseId: ref.caseId }),
        message,
        remedy,
        ...(other !== undefined && { related: { ...other.place, caseId: other.caseId } }),
      });
    }
  }

  /** Returns all findings with their numbers: the errors first, then by rule, file and line. */
  finish(rules: readonly LintRule[], sources: readonly string[]): Pick<LintReport, 'counts' | 'findings'> {
    const order = new Map(rules.map(({ name }, index) => [name, index]));
    const rankOf = ({ severity, rule, file, line = 0 }: LintFinding) => [
      lintSeverities.indexOf(severity),
      order.get(rule) ?? 0,
      sources.indexOf(file),
      line,
    ];
    const ranked = this.#findings.map((finding) => ({ finding, rank: rankOf(finding) }));
    const findings = ranked.sort((a, b) => compareRanks(a.rank, b.rank)).map(({ finding }) => finding);
    const count = (wanted: string) => findings.filter(({ severity }) => severity === wanted).length;
    return { counts: { error: count('error'), warning: count('warning'), note: count('note') }, findings };
  }
}

function exactPlace({ at, path }: Discovery, draft: CaseDraft | undefined): Place {
  return path === undefined || draft === undefined ? placeOf(at) : draft.locate(path).place;
}

function placeOf(at: CaseRef | Place): Place {
  return 'place' in at ? at.place : at;
}

function compareRanks(first: readonly number[], second: readonly number[]): number {
  const index = first.findIndex((rank, each) => rank !== second[each]);
  return index === -1 ? 0 : (first[index] ?? 0) - (second[index] ?? 0);
}
