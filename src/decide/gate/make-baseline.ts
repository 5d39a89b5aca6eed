import { TouchstoneError } from '../../core/errors.ts';
import { type Baseline, type BaselineCase, baselineVersion } from '../../core/schema/decision.ts';
import { withoutConditions } from '../../core/schema/condition.ts';
import type { Outcome } from '../../core/schema/result.ts';
import type { Run } from '../../core/schema/run.ts';
import { baselineKind } from '../../stores/kinds/baseline.ts';
import type { Store } from '../../stores/store.ts';
import { curtailingRule, weightAttempts } from '../analysis/attempts.ts';
import { readSingleAnswers } from '../analysis/hash-answer.ts';
import { type CaseNumber, createCaseNumbers } from './case-numbers.ts';
import { createReading } from './reading.ts';
import { keyOfSubject, type Subject } from './phrases.ts';
import { refuseFailedOnly, requireWhole } from '../analysis/summary/check-totals.ts';
import { fingerprintScorecard } from '../analysis/summary/fingerprint-scorecard.ts';

type Numbers = ReturnType<typeof createCaseNumbers>;

/**
 * Builds a baseline from a run: the numbers of its targets without a condition. Throws `usage-invalid` for an
 * unfinished run, and for a name that differs from another one only in capitals; and the errors of `requireWhole`.
 */
export async function makeBaseline(name: string, run: Run, store: Store): Promise<Baseline> {
  await refuseAlike(name, store);
  refuseFailedOnly(run, 'be a baseline');
  await requireWhole(run, store);
  if (run.status !== 'completed') {
    throw new TouchstoneError(
      'usage-invalid',
      `Run ${run.id} is ${run.status}, and only a finished run can be a baseline.`,
      {
        remedy: `Continue it with \`touchstone run --resume ${run.id}\`, or name another run.`,
      },
    );
  }
  const tallies = withoutConditions(run.targets).map((target) => ({ target, ...createTallies(run) }));
  const add = (outcome: Outcome): void => {
    const tally = tallies.find(({ target }) => target.name === outcome.trial.target);
    const position = Math.floor(outcome.trial.ordinal / (run.targets.length * run.attempts));
    for (const numbers of tally?.all ?? []) numbers.add(position, outcome);
  };
  for await (const outcomes of weightAttempts(run, store.readOutcomes(run.id))) outcomes.forEach(add);
  const answers = run.attempts === 1 ? await readSingleAnswers(run, store) : undefined;
  const targets: Baseline['targets'] = tallies.map(({ target }) => ({
    name: target.name,
    fingerprint: target.fingerprint,
    isRecorded: target.isRecorded,
    repeats: target.isDeterministic === true ? answers?.get(target.name)?.repeats : undefined,
    cases: [],
  }));
  for await (const {
    position,
    hash,
    case: { id, category },
  } of store.readCases(run.id)) {
    for (const [place, { target, toCase }] of tallies.entries()) {
      targets[place]?.cases.push({
        id,
        hash,
        category,
        ...toCase(position),
        answer: answers?.get(target.name)?.hashes.get(position),
      });
    }
  }
  return { ...describeRules(name, run), targets };
}

function describeRules(name: string, run: Run): Omit<Baseline, 'targets'> {
  const { id, createdAt, touchstoneVersion, attempts, scorecard, user } = run;
  return {
    touchstoneBaseline: baselineVersion,
    name,
    run: { id, createdAt, touchstoneVersion, attempts },
    scorecard:
      scorecard === null ? null : { name: scorecard.name, fingerprint: fingerprintScorecard(scorecard) },
    metrics: run.metrics.map(({ name: metric, version, fingerprint, judge }) => ({
      name: metric,
      version,
      fingerprint,
      ...(judge !== undefined && { judge: judge.fingerprint }),
    })),
    ...(user !== undefined && { user: user.fingerprint }),
  };
}

/** Creates tallies for all numbers of a target. */
function createTallies(run: Run) {
  const create = (subject: Subject): Numbers | undefined => {
    const reading = createReading(run, subject);
    return 'reason' in reading ? undefined : createCaseNumbers(reading, run.dataset.cases, run.attempts);
  };
  const [score, passed] = [create({ measure: 'score' }), create({ measure: 'passed' })];
  const metrics = run.metrics.map(({ name }) => [name, create({ measure: 'metric', name })] as const);
  const truths = run.scorecard?.outcomes === undefined ? [] : run.scorecard.criteria;
  const criteria = truths.map(({ name }) => [name, create({ measure: 'criterion', name })] as const);
  const named = [...metrics, ...criteria].map(([, numbers]) => numbers);
  const isRepeated = run.attempts > 1 && curtailingRule(run) === undefined;
  const bySubject: (readonly [string, Numbers | undefined])[] = [
    [keyOfSubject({ measure: 'score' }), score],
    [keyOfSubject({ measure: 'passed' }), passed],
    ...metrics.map(([name, numbers]) => [keyOfSubject({ measure: 'metric', name }), numbers] as const),
    ...criteria.map(([name, numbers]) => [keyOfSubject({ measure: 'criterion', name }), numbers] as const),
  ];
  return {
    all: [score, passed, ...named].filter((numbers) => numbers !== undefined),
    toCase: (
      position: number,
    ): Pick<BaselineCase, 'score' | 'passed' | 'metrics' | 'criteria' | 'spread'> => ({
      score: valueOf(score?.at(position)) ?? null,
      passed: valueOf(passed?.at(position)) ?? null,
      metrics: valuesAt(metrics, position),
      ...(criteria.length > 0 && { criteria: valuesAt(criteria, position) }),
      spread: isRepeated ? spreadAt(bySubject, position) : undefined,
    }),
  };
}

/** Returns the number of measured attempts and their variance, of every subject that is a share. */
function spreadAt(
  all: readonly (readonly [string, Numbers | undefined])[],
  position: number,
): NonNullable<BaselineCase['spread']> {
  const found = all.flatMap(([key, numbers]) => {
    const number = numbers?.unit() === undefined ? numbers?.at(position) : undefined;
    if (number === undefined || number.measured === 0) return [];
    const variance = Number.isNaN(number.variance) ? 0 : Number(number.variance.toPrecision(12));
    return [[key, [number.measured, variance] as [number, number]] as const];
  });
  return Object.fromEntries(found);
}

function valuesAt(
  all: readonly (readonly [string, Numbers | undefined])[],
  position: number,
): Record<string, number> {
  const found = all.flatMap(([name, numbers]) => {
    const value = valueOf(numbers?.at(position));
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(found);
}

/** Returns the value of a case; undefined when no attempt was measured. */
function valueOf(number: CaseNumber | undefined): number | undefined {
  return number === undefined || Number.isNaN(number.value) ? undefined : number.value;
}

/** Refuses `Main` beside `main`: as files in a repository, Windows and macOS take one for the other. */
async function refuseAlike(name: string, store: Store): Promise<void> {
  const heads = await store.documents.heads(baselineKind, ['name']);
  const alike = heads.find((head) => head.name !== name && head.name.toLowerCase() === name.toLowerCase());
  if (alike === undefined) return;
  throw new TouchstoneError(
    'usage-invalid',
    `"${name}" differs from the baseline "${alike.name}" only in capitals.`,
    {
      remedy: `Use "${alike.name}", or a name that differs in more.`,
    },
  );
}
