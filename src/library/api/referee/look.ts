import { TouchstoneError } from '../../../core/errors.ts';
import type { LookReport } from '../../../core/schema/referee/look-request.ts';
import type { RefereeEntry } from '../../../core/schema/referee/referee.ts';
import {
  answersTo,
  differencesOf,
  findAnswered,
  isOver,
  isSameQuestion,
  isStale,
  type LedgerLook,
  type LedgerState,
  nextTest,
  readLedgerState,
} from '../../../decide/referee/ledger-state.ts';
import {
  canBeShown,
  fewestWins,
  isShown,
  type RefereeClaim,
  smallestMargin,
} from '../../../decide/referee/tests.ts';
import type { ResolvedTarget } from '../../../evaluate/run/evaluation.ts';
import type { StopSignals } from '../../../evaluate/run/limits/run-control.ts';
import {
  type Asked,
  askHeldOut,
  askOnce,
  type HeldOutValues,
  readRecorded,
  rulesOf,
  underWay,
} from './ask-held-out.ts';
import { type HeldOutPlace, isServer, noteSeen, socketOf } from './held-out-folder.ts';
import { type LookOptions, reportLook } from './look-report.ts';
import { lookOnServer } from './look-on-server.ts';
import { lookOnSocket } from './look-on-socket.ts';
import {
  findOtherRules,
  openRefereeProject,
  pickCandidate,
  type RefereeProject,
  versionOf,
} from './open-project.ts';
import { whoAsks, withHeldOut } from './with-held-out.ts';

/**
 * Asks the referee whether a version is better than the incumbent, or not worse by a margin.
 * @throws TouchstoneError `look-refused` when the set is spent or the answer could never be yes, `target-unreachable`, `referee-ledger`.
 */
export async function look(options: LookOptions = {}): Promise<LookReport> {
  const project = await openRefereeProject(options);
  if (isServer(project.heldOut)) return await lookOnServer(project, options);
  if (socketOf(project.heldOut) !== undefined) return await lookOnSocket(project, options);
  return await withHeldOut(project, async (place, state) => await lookAt({ project, place, state }, options));
}

interface Looking {
  readonly project: RefereeProject;
  readonly place: HeldOutPlace;
  readonly state: LedgerState;
}

async function lookAt(looking: Looking, options: LookOptions): Promise<LookReport> {
  const { project, state } = looking;
  if (options.withdraws === true) return await withdraw(looking);
  const { target, question, before } = prepareLook(looking, options);
  if (before?.answer !== undefined)
    return await reportLook(looking, before, { answer: before.answer, isRepeated: true });
  await askOnce(project.evaluation, target);
  const opened = state.open ?? openLook(looking, question);
  const asked = await askBoth(looking, opened, { target, signals: options.signals });
  if ('open' in asked) return await reportLook(looking, opened, { answer: 'open', open: asked.open });
  return await settle(looking, opened, { ...asked, keepsIncumbent: options.keepsIncumbent === true });
}

/**
 * Finds the question of a look, and the earlier look that has answered it. Throws `look-refused` for a question that is not answered
 * yet and that the held-out set cannot or must not answer.
 */
export function prepareLook(
  { project, state }: Pick<Looking, 'project' | 'state'>,
  { margin, candidate: named }: LookOptions,
) {
  if (margin !== undefined && !(margin > 0 && margin < 1))
    throw new TouchstoneError('usage-invalid', 'The margin of a loss must be above 0 and below 100 points.');
  const lookClaim: RefereeClaim =
    margin === undefined ? { kind: 'improvement' } : { kind: 'no-regression', margin };
  const target = pickCandidate(project.evaluation, named, state.incumbent.version);
  const question = {
    claim: lookClaim,
    candidate: versionOf(target),
    incumbent: state.incumbent.version,
    units: state.set.units,
  };
  const before = findAnswered(state, question) ?? findConfirmation(state, question);
  if (before?.answer === undefined) refuseQuestion(project, state, question);
  return { target, question, before };
}

type LookQuestion = Pick<LedgerLook, 'claim' | 'candidate' | 'incumbent' | 'units'>;

function refuseQuestion(project: RefereeProject, state: LedgerState, question: LookQuestion): void {
  refuseSpent(state);
  refuseOtherRules(project, state);
  const { candidate, claim: lookClaim } = question;
  if (candidate.fingerprint === state.incumbent.version.fingerprint && lookClaim.kind === 'improvement')
    throw new TouchstoneError(
      'look-refused',
      `${candidate.label} is the incumbent: there is nothing to compare.`,
    );
  if (state.open !== undefined && !isSameQuestion(state.open, question)) throw openElsewhere(state.open);
  refuseHopeless(state, lookClaim);
}

/** A version that is the incumbent because it was confirmed gets the same answer again. */
function findConfirmation(
  { looks, incumbent }: LedgerState,
  { claim: { kind }, candidate }: Pick<LedgerLook, 'claim' | 'candidate'>,
): LedgerLook | undefined {
  if (kind !== 'improvement' || candidate.fingerprint !== incumbent.version.fingerprint) return undefined;
  return looks.findLast(
    (each) => each.answer === 'confirmed' && each.candidate.fingerprint === candidate.fingerprint,
  );
}

function refuseSpent(state: LedgerState): void {
  if (!isOver(state)) return;
  const { set, answered, isOpened } = state;
  const why = isOpened
    ? 'a person has opened it'
    : answered.looks >= set.looks
      ? `all ${set.looks} looks are taken`
      : `it gave ${answered.surprises} unexpected answers, of ${set.surprises}`;
  throw new TouchstoneError('look-refused', `The held-out set answers nothing any more: ${why}.`, {
    remedy: 'Begin a new set of fresh questions: `touchstone referee refill FILE --renew`.',
  });
}

function refuseOtherRules({ evaluation }: RefereeProject, { set }: LedgerState): void {
  const others = findOtherRules(set.rules, rulesOf(evaluation));
  if (others === undefined) return;
  throw new TouchstoneError(
    'look-refused',
    `Answers are scored by other rules than when the held-out set was made: ${others}.`,
    { remedy: 'Set them back, or begin a new set: `touchstone referee refill FILE --renew`.' },
  );
}

/** Throws `look-refused` when no answers at all could show the claim: such a look would be wasted. */
function refuseHopeless(state: LedgerState, lookClaim: RefereeClaim): void {
  const { units } = state.set;
  const test = nextTest(state, lookClaim);
  if (canBeShown(test, units)) return;
  const { level } = test;
  const least = (smallestMargin(units, { losses: 0, level }) * 100).toFixed(1);
  const needs =
    lookClaim.kind === 'improvement'
      ? `${fewestWins(level)} wins in ${fewestWins(level)} are needed`
      : `a margin under ${least} points cannot be shown`;
  throw new TouchstoneError(
    'look-refused',
    `At ${units} held-out questions ${needs}. The look was not counted.`,
    {
      remedy: 'Add fresh questions: `touchstone referee refill FILE`.',
    },
  );
}

function openElsewhere({ look: number, candidate }: LedgerLook): TouchstoneError {
  return new TouchstoneError('look-refused', `Look ${number}, at ${candidate.label}, has no answer yet.`, {
    remedy: `Go on with it (\`touchstone referee look --candidate ${candidate.target}\`, as that version), or give it up, which costs it: \`--withdraw\`.`,
  });
}

/** Writes into the ledger that a look begins: from here on it counts, unless it goes on later. */
function openLook({ place, project, state }: Looking, question: LookQuestion): LedgerLook {
  const isOld = isStale(state, Date.now());
  const isThere = project.evaluation.targets.some(
    ({ fingerprint }) => fingerprint === question.incumbent.fingerprint,
  );
  const { level } = nextTest(state, question.claim);
  const number = state.answered.looks + 1;
  const entries = place.ledger.add((earlier) => {
    const now = readLedgerState(earlier);
    if (now?.open !== undefined || now?.answered.looks !== state.answered.looks) throw underWay();
    return [
      {
        event: 'look',
        by: whoAsks(),
        look: number,
        ...question,
        asks: !isOld ? 'recorded' : isThere ? 'again' : 'gone',
        level,
        expected: answersTo(question.claim).expected,
      },
    ];
  });
  return entries.findLast((each) => each.event === 'look') as LedgerLook;
}

type BothAsked = { readonly candidate: HeldOutValues; readonly incumbent: HeldOutValues };

async function askBoth(
  { project, place, state }: Looking,
  opened: LedgerLook,
  { target, signals }: { readonly target: ResolvedTarget; readonly signals?: StopSignals },
): Promise<BothAsked | Extract<Asked, { open: unknown }>> {
  const { measure } = state.set;
  const { evaluation } = project;
  const ask = async (asking: { target: ResolvedTarget; name: string }) =>
    await askHeldOut(place, evaluation, { ...asking, measure, signals });
  const old = evaluation.targets.find(({ fingerprint }) => fingerprint === opened.incumbent.fingerprint);
  const again = opened.asks === 'again' && old !== undefined;
  const incumbent = again
    ? await ask({ target: old, name: nameOfIncumbent(opened) })
    : { values: await readRecorded(place, state.incumbent.run, measure) };
  if ('open' in incumbent) return incumbent;
  const candidate = await ask({ target, name: nameOf(opened) });
  return 'open' in candidate
    ? candidate
    : {
        candidate: candidate.values,
        incumbent: incumbent.values,
      };
}

function nameOf({ look: number }: Pick<LedgerLook, 'look'>): string {
  return `look-${number}`;
}

function nameOfIncumbent({ look: number }: Pick<LedgerLook, 'look'>): string {
  return `look-${number}-incumbent`;
}

async function settle(
  looking: Looking,
  opened: LedgerLook,
  { candidate, incumbent, keepsIncumbent }: BothAsked & { readonly keepsIncumbent: boolean },
): Promise<LookReport> {
  const { place, project, state } = looking;
  const pairs = [...candidate].flatMap(([hash, { value, cluster }]) => {
    const before = incumbent.get(hash);
    return before === undefined ? [] : [{ hash, cluster, candidate: value, incumbent: before.value }];
  });
  const { claim: asked, level } = opened;
  const measure = state.set.isBinary ? 'passed' : 'score';
  const { yes, no } = answersTo(asked);
  const answer = isShown({ claim: asked, measure, level }, differencesOf(pairs)) ? yes : no;
  const isAdopted = answer === 'confirmed' && !keepsIncumbent;
  const by = whoAsks();
  const entries = place.ledger.add(() => [
    ...(opened.asks === 'again'
      ? [{ event: 'incumbent' as const, by, version: opened.incumbent, run: nameOfIncumbent(opened) }]
      : []),
    { event: 'answer', by, look: opened.look, answer },
    ...(isAdopted
      ? [{ event: 'incumbent' as const, by, version: opened.candidate, run: nameOf(opened) }]
      : []),
  ]);
  const { set } = state.set;
  await noteSeen(project.workspace, entries, {
    set,
    look: opened.look,
    candidate: opened.candidate.label,
    answer,
  });
  return await reportLook({ ...looking, state: stateOf(entries) }, opened, { answer });
}

function stateOf(entries: readonly RefereeEntry[]): LedgerState {
  return readLedgerState(entries) as LedgerState;
}

async function withdraw(looking: Looking): Promise<LookReport> {
  const { place, project, state } = looking;
  const { open } = state;
  if (open === undefined) throw new TouchstoneError('look-refused', 'No look waits for an answer.');
  const entries = place.ledger.add(() => [
    { event: 'answer', by: whoAsks(), look: open.look, answer: 'withdrawn' },
  ]);
  const seen = { set: state.set.set, look: open.look, candidate: open.candidate.label, answer: 'withdrawn' };
  await noteSeen(project.workspace, entries, seen);
  return await reportLook({ ...looking, state: stateOf(entries) }, open, { answer: 'withdrawn' });
}
