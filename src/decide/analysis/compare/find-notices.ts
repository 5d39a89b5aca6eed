import { canonicalJson } from '../../../core/lib/content-hash.ts';
import { isSecretName } from '../../../core/lib/redact-secrets.ts';
import { firstUnits } from '../../../core/lib/text/terminal-text.ts';
import type { ComparisonNotice, TargetChange } from '../../../core/schema/run-comparison.ts';
import { describeUnchecked, type Run, type RunMetric, type RunTarget } from '../../../core/schema/run.ts';
import type { ComparedRun } from './compared-run.ts';

/** Finds the differences between two runs other than their answers, each with its meaning for the numbers. */
export function findNotices(a: ComparedRun, b: ComparedRun): ComparisonNotice[] {
  return [
    ...toolsNotice(a.run, b.run),
    ...unfinishedNotice(a.run),
    ...decidedNotice(a.run),
    ...unreadNotice(a.run),
    ...(a.run.id === b.run.id
      ? []
      : [...unfinishedNotice(b.run), ...decidedNotice(b.run), ...unreadNotice(b.run)]),
    ...answerNotices(a, b),
    ...findRuleNotices(a.run, b.run),
    ...datasetNotice(a.run, b.run),
    ...versionNotice(a.run, b.run),
  ];
}

/** Finds the differences between the rules by which two runs are scored, and between their simulated users. */
export function findRuleNotices(a: RunRules, b: RunRules): ComparisonNotice[] {
  return [...metricNotices(a, b), ...scorecardNotice(a, b), ...userNotice(a, b)];
}

/** The rules from which the scores of a run follow, given its answers. */
export type RunRules = Pick<Run, 'scorecard' | 'user'> & { readonly metrics: readonly RunMetric[] };

/** Reports that the answers of tools came from elsewhere: what differs then may be the tools, and so may how long an answer took. */
function toolsNotice(a: Run, b: Run): ComparisonNotice[] {
  if (a.tools?.fingerprint === b.tools?.fingerprint) return [];
  const message = `the tools differ: ${describeTools(a)} in the first run, ${describeTools(b)} in the second; what differs between the answers may be due to that, and latency is not compared`;
  return [{ kind: 'tools', message }];
}

function describeTools({ tools }: Run): string {
  if (tools === undefined) return 'not seen';
  const { mode, cassette } = tools;
  return cassette === undefined
    ? mode
    : `${mode} (${cassette.path}${cassette.hash === undefined ? '' : ` ${cassette.hash}`})`;
}

function unfinishedNotice({ id, status }: Run): ComparisonNotice[] {
  if (status === 'completed') return [];
  // A run whose process was killed is stored as running.
  const state = status === 'running' ? 'not complete' : status;
  return [
    { kind: 'unfinished', name: id, message: `is ${state}: questions it has not asked are not measured` },
  ];
}

/**
 * Reports a run that its gate ended early: its questions were drawn at random, but their number depends on the
 * answers.
 */
function decidedNotice({ id, summary }: Run): ComparisonNotice[] {
  if (summary?.decision.sequential?.isDecided !== true) return [];
  return [
    {
      kind: 'unfinished',
      name: id,
      message: 'ended once its gate was decided: the remaining questions were not asked',
    },
  ];
}

/** Reports unread expectations: two runs can agree on something that neither checked. */
function unreadNotice(run: Run): ComparisonNotice[] {
  const unread = describeUnchecked(run);
  if (unread.length === 0) return [];
  return [
    {
      kind: 'unread',
      name: run.id,
      message: `checks less than its questions expect: ${unread.join('; ')}`,
    },
  ];
}

/** Reports runs whose numbers cannot differ because of another target. */
function answerNotices(a: ComparedRun, b: ComparedRun): ComparisonNotice[] {
  const sourceOf = ({ id, rescoredFrom }: Run) => rescoredFrom ?? id;
  const [targetA, targetB] = [a, b].map(({ run, target }) => run.targets.find(({ name }) => name === target));
  if (sourceOf(a.run) === sourceOf(b.run) && a.target === b.target) {
    const message = 'both runs score the same answers: the rules differ, not the target';
    return [{ kind: 'same-answers', message }];
  }
  if (a.run.id === b.run.id || targetA?.fingerprint !== targetB?.fingerprint) return [];
  const message =
    'the target is the same in both runs: differences are due to chance, or to something behind the target';
  return [{ kind: 'same-target', name: a.target, message }];
}

function metricNotices(a: RunRules, b: RunRules): ComparisonNotice[] {
  const ofB = new Map(b.metrics.map((metric) => [metric.name, metric]));
  const namesOfA = new Set(a.metrics.map(({ name }) => name));
  const changed = a.metrics.flatMap((metric) => {
    const partner = ofB.get(metric.name);
    return partner === undefined ? [onlyIn('A', metric.name)] : changesOf(metric, partner);
  });
  return [...changed, ...b.metrics.flatMap(({ name }) => (namesOfA.has(name) ? [] : [onlyIn('B', name)]))];
}

function onlyIn(side: 'A' | 'B', name: string): ComparisonNotice {
  return { kind: 'metric', name, message: `is measured in ${side} only` };
}

function changesOf(a: RunMetric, b: RunMetric): ComparisonNotice[] {
  const { name } = a;
  if (a.use.use !== b.use.use) {
    return [{ kind: 'metric', name, message: 'is another metric under the same name' }];
  }
  if (a.version !== b.version) {
    return [{ kind: 'metric', name, message: `is of version ${a.version} in A and ${b.version} in B` }];
  }
  const optionsOf = ({ use: { judge: _judge, ...options } }: RunMetric) => canonicalJson(options);
  if (optionsOf(a) !== optionsOf(b)) return [{ kind: 'metric', name, message: 'has other options' }];
  if (a.judge?.fingerprint !== b.judge?.fingerprint) {
    return [{ kind: 'judge', name, message: 'is judged by another judge' }];
  }
  if (a.fingerprint === b.fingerprint) return [];
  return [{ kind: 'metric', name, message: 'uses other files or settings' }];
}

function scorecardNotice({ scorecard: a }: RunRules, { scorecard: b }: RunRules): ComparisonNotice[] {
  if (a === null && b === null) return [];
  if (a === null || b === null) {
    return [{ kind: 'scorecard', message: `only ${a === null ? 'B' : 'A'} has a scorecard` }];
  }
  const [{ use: _a, ...restA }, { use: _b, ...restB }] = [a, b];
  if (canonicalJson(restA) === canonicalJson(restB)) return [];
  const parts = (['version', 'criteria', 'grades', 'outcomes', 'passMark'] as const).filter(
    (part) => canonicalJson(restA[part] ?? null) !== canonicalJson(restB[part] ?? null),
  );
  const message = `the scorecard has another ${parts.map((part) => (part === 'passMark' ? 'pass mark' : part)).join(', ') || 'name'}`;
  return [{ kind: 'scorecard', message }];
}

function userNotice({ user: a }: RunRules, { user: b }: RunRules): ComparisonNotice[] {
  if (a?.fingerprint === b?.fingerprint) return [];
  return [{ kind: 'user', message: 'another user talks to the target in questions with a goal' }];
}

function datasetNotice({ dataset: a }: Run, { dataset: b }: Run): ComparisonNotice[] {
  if (a.hash === b.hash) return [];
  const isReweighed = canonicalJson(a.caseWeights ?? null) !== canonicalJson(b.caseWeights ?? null);
  const weights = isReweighed ? ', by the weights that questions have in the newer run' : '';
  return [
    { kind: 'dataset', message: `the datasets are not the same; only what both ask is compared${weights}` },
  ];
}

function versionNotice({ touchstoneVersion: a }: Run, { touchstoneVersion: b }: Run): ComparisonNotice[] {
  if (a === b) return [];
  return [
    { kind: 'version', name: `${a} → ${b}`, message: 'is how the version of Touchstone changed from A to B' },
  ];
}

/** Largest length of a shown value, and of the beginning that both share. */
const longestValue = 80;
const sharedBeginning = 20;

/**
 * Finds the settings in which two targets differ, each by its innermost path; returns undefined when the target is
 * the same.
 */
export function findTargetChanges(
  a: Pick<RunTarget, 'use' | 'fingerprint'> | undefined,
  b: Pick<RunTarget, 'use' | 'fingerprint'> | undefined,
): TargetChange[] | undefined {
  if (a === undefined || b === undefined || a.fingerprint === b.fingerprint) return undefined;
  return changesIn({ ...a.use, name: undefined }, { ...b.use, name: undefined }, []);
}

function changesIn(a: unknown, b: unknown, path: readonly string[]): TargetChange[] {
  if (Object.is(a, b)) return [];
  const names = sharedNames(a, b);
  if (names !== undefined) {
    return names.flatMap((name) => changesIn(memberOf(a, name), memberOf(b, name), [...path, name]));
  }
  const setting = path.join('.');
  const isSecret = path.some(isSecretName) && [a, b].some((value) => typeof value === 'string');
  return [isSecret ? { setting, a: null, b: null, isSecret } : { setting, ...excerpt(a, b) }];
}

/**
 * Returns the names inside two values of the same kind, one of which may be undefined; undefined when the values can
 * only be shown whole.
 */
function sharedNames(a: unknown, b: unknown): string[] | undefined {
  const values = [a, b].filter((value) => value !== undefined);
  const isList = values.every((value) => Array.isArray(value));
  const isRecord = values.every((value) => isBranch(value) && !Array.isArray(value));
  const names = new Set(values.flatMap((value) => (isBranch(value) ? Object.keys(value) : [])));
  return (isList || isRecord) && names.size > 0 ? [...names] : undefined;
}

function memberOf(value: unknown, name: string): unknown {
  return isBranch(value) ? Reflect.get(value, name) : undefined;
}

function isBranch(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Excerpts both values as JSON, from shortly before the first difference. */
function excerpt(a: unknown, b: unknown): Pick<TargetChange, 'a' | 'b'> {
  const [textA, textB] = [JSON.stringify(a) ?? '', JSON.stringify(b) ?? ''];
  let shared = 0;
  while (shared < textA.length && textA[shared] === textB[shared]) shared += 1;
  const from = shared > 2 * sharedBeginning ? startOfWord(textA, shared) : 0;
  const clip = (text: string) => {
    const shown = firstUnits(text.slice(from), longestValue);
    const isCut = from + shown.length < text.length;
    return text === '' ? null : `${from > 0 ? '…' : ''}${shown}${isCut ? '…' : ''}`.toWellFormed();
  };
  return { a: clip(textA), b: clip(textB) };
}

/** Returns the place where an excerpt begins, shortly before a place in a text. */
function startOfWord(text: string, place: number): number {
  const earliest = place - sharedBeginning;
  const space = text.indexOf(' ', earliest);
  return space === -1 || space >= place ? earliest : space + 1;
}
