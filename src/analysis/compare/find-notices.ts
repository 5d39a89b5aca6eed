import { canonicalJson } from '../../lib/canonical-json.ts';
import type { ComparisonNotice } from '../../schema/run-comparison.ts';
import type { Run, RunMetric } from '../../schema/run.ts';
import { describeUnread, findUnchecked } from '../../schema/unread.ts';
import type { ComparedRun } from './compared-run.ts';

/** In what two runs differ beside their answers, each with what it means for the numbers. */
export function findNotices(a: ComparedRun, b: ComparedRun): ComparisonNotice[] {
  return [
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

/** In what the rules differ by which two runs are scored, and who talks to the target in them. */
export function findRuleNotices(a: RunRules, b: RunRules): ComparisonNotice[] {
  return [...metricNotices(a, b), ...scorecardNotice(a, b), ...userNotice(a, b)];
}

/** What scores of a run rest on, beside the answers. */
export type RunRules = Pick<Run, 'scorecard' | 'user'> & { readonly metrics: readonly RunMetric[] };

function unfinishedNotice({ id, status }: Run): ComparisonNotice[] {
  if (status === 'completed') return [];
  return [{ kind: 'unfinished', name: id, message: `is ${status}: what it has not asked is not measured` }];
}

/** Its questions were drawn at random, but how many there are depends on what came of them. */
function decidedNotice({ id, summary }: Run): ComparisonNotice[] {
  if (summary?.decision.sequential?.isDecided !== true) return [];
  return [
    { kind: 'unfinished', name: id, message: 'ended once its gate was decided: the rest was not asked' },
  ];
}

/** Two runs can agree on what nobody checked. */
function unreadNotice(run: Run): ComparisonNotice[] {
  const unread = findUnchecked(run);
  if (unread.length === 0) return [];
  return [
    {
      kind: 'unread',
      name: run.id,
      message: `checks less than its cases expect: ${unread.map(describeUnread).join('; ')}`,
    },
  ];
}

/** Where the numbers cannot differ for the reason that a reader may think of. */
function answerNotices(a: ComparedRun, b: ComparedRun): ComparisonNotice[] {
  const sourceOf = ({ id, rescoredFrom }: Run) => rescoredFrom ?? id;
  const [targetA, targetB] = [a, b].map(({ run, target }) => run.targets.find(({ name }) => name === target));
  if (sourceOf(a.run) === sourceOf(b.run) && a.target === b.target) {
    const message = 'both runs score the same answers: what differs is the rules, not the target';
    return [{ kind: 'same-answers', message }];
  }
  if (a.run.id === b.run.id || targetA?.fingerprint !== targetB?.fingerprint) return [];
  const message = 'the target is the same in both runs: what differs is chance, or what lies behind it';
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
  return [{ kind: 'metric', name, message: 'rests on other files or settings' }];
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
  return [{ kind: 'user', message: 'another user talks to the target in cases with a goal' }];
}

function datasetNotice({ dataset: a }: Run, { dataset: b }: Run): ComparisonNotice[] {
  if (a.hash === b.hash) return [];
  return [{ kind: 'dataset', message: 'the datasets are not the same; only what both ask is compared' }];
}

function versionNotice({ touchstoneVersion: a }: Run, { touchstoneVersion: b }: Run): ComparisonNotice[] {
  if (a === b) return [];
  return [
    { kind: 'version', name: `${a} → ${b}`, message: 'is how the version of Touchstone changed from A to B' },
  ];
}
