import { toTerminalText } from '../../core/lib/text/terminal-text.ts';
import { displayPath } from '../../core/lib/text/display-path.ts';
import type { TargetVersion } from '../../core/schema/referee/referee.ts';
import type { RefereeClaim } from '../../decide/referee/tests.ts';
import { describeKnown } from '../../library/api/referee/freshness.ts';
import type { GainSeen } from '../../library/api/referee/gain-seen.ts';
import type { InitReport } from '../../library/api/referee/init.ts';
import type { LookReport, LookRequest, SentAnswer } from '../../core/schema/referee/look-request.ts';
import type { RefillReport } from '../../library/api/referee/refill.ts';
import type { RefereeStatus } from '../../library/api/referee/status.ts';
import type { WorkingSetChange } from '../../library/api/referee/working-set.ts';
import { formatDay, formatMoney, formatPercent, formatPlural } from '../../look/report/format.ts';

const width = 14;
const headWidth = 64;

/** Returns the exit code of a look. */
export function lookExitCode({ answer }: LookReport): number {
  if (answer === 'open') return 2;
  return answer === 'confirmed' || answer === 'shown' ? 0 : 3;
}

/** Formats the answer of a look. */
export function lookText(report: LookReport): string {
  const { answer, look, looks, surprises, isRepeated } = report;
  const count = `look ${look} of ${looks} · ${surprises.seen} of ${formatPlural(surprises.most, 'surprise')}`;
  const title = `${words[answer]}${isRepeated ? ' (asked before: not counted again)' : ''}`;
  return rows(
    `${title.padEnd(headWidth)} ${count}`,
    ['working set', describeWorkingSet(report.workingSet)],
    ['held out', describeHeldOut(report)],
    ['', describeSensitivity(report)],
    ['', describeIncumbent(report)],
    ['next', describeNext(report)],
    ['seal', seals[report.seal]],
  );
}

const words: Readonly<Record<LookReport['answer'], string>> = {
  confirmed: 'confirmed',
  'not-confirmed': 'not confirmed',
  shown: 'no loss shown',
  'not-shown': 'no loss not shown',
  withdrawn: 'withdrawn',
  open: 'no answer yet',
};

function describeWorkingSet(change: WorkingSetChange | undefined): string {
  if (change === undefined)
    return 'not compared: `touchstone run` makes a run of both versions, of all its questions';
  const { before, after, lower, upper, questions } = change;
  const limits = lower === null || upper === null ? '' : ` [${signedPoints(lower)}, ${signedPoints(upper)}]`;
  return `${formatPercent(before)} → ${formatPercent(after)}: ${signedPoints(after - before)} points${limits} on ${formatPlural(questions, 'question')}`;
}

function describeHeldOut({
  answer,
  claim,
  candidate,
  incumbent,
  questions,
  level,
  open,
}: LookReport): string {
  const [now, before] = [candidate, incumbent].map(({ label }) => toTerminalText(label));
  const basis = ` (${formatPlural(questions, 'question')}, level ${formatLevel(level)})`;
  if (answer === 'open' && open !== undefined) return reasons[open];
  if (answer === 'withdrawn') return `${now} was not compared with ${before}`;
  const says = {
    confirmed: `${now} is better than ${before}`,
    'not-confirmed': `no evidence that ${now} is better than ${before}`,
    shown: `${now} loses less than ${marginOf(claim)} points against ${before}`,
    'not-shown': `not shown that ${now} loses less than ${marginOf(claim)} points against ${before}`,
    open: '',
  }[answer];
  return says + basis;
}

const reasons = {
  stopped: 'the look was stopped; the answers so far are stored',
  judge: 'the judge could not be reached; the answers so far are stored',
  fault: 'the look could not go on; the person who owns the folder finds the reason in asked.log there',
};

function marginOf(claim: RefereeClaim): string {
  return claim.kind === 'improvement' ? '0' : String(Number((claim.margin * 100).toPrecision(6)));
}

function describeSensitivity({ answer, gain }: LookReport): string {
  return answer === 'not-confirmed' ? `${describeSeen(gain)}; it may still be better` : '';
}

/** Describes the gain that a look sees. */
function describeSeen({ gain, broken, isKnown }: GainSeen): string {
  if (gain === undefined) return 'no gain at all would be confirmed with 80 % chance';
  const share = `if ${Number((100 * broken).toFixed(1))} % of questions break${isKnown ? ', as on the working set' : ''}`;
  return `a true gain of ${formatGain(gain)} points would be confirmed with 80 % chance (${share})`;
}

function describeMore({ questionsForTen }: GainSeen): string {
  return questionsForTen === undefined ? '' : `${questionsForTen} questions would see a gain of 10 points`;
}

function formatGain(gain: number): string {
  return (100 * gain).toFixed(gain < 0.2 ? 1 : 0);
}

function describeIncumbent({ asks, incumbent }: LookReport): string {
  if (asks === 'again')
    return `${toTerminalText(incumbent.label)} was asked again: its answers were over 14 days old`;
  if (asks === 'gone')
    return `the answers of ${toTerminalText(incumbent.label)} are over 14 days old, and no target of the config is it any more`;
  return '';
}

function describeNext({ answer, candidate, isAdopted }: LookReport): string {
  if (answer === 'open')
    return 'the same command goes on with this look; `--withdraw` gives it up, which costs it';
  if (isAdopted && answer === 'confirmed')
    return `${toTerminalText(candidate.label)} is the incumbent now: later versions are compared with it`;
  if (answer === 'confirmed') return '`touchstone referee adopt` makes it the incumbent';
  return 'look again only with another change; the same version gets the same answer';
}

const seals: Readonly<Record<LookReport['seal'], string>> = {
  folder: 'folder: keeps out an eager reader, not a curious one; the bot sees the questions when it is asked',
  user: 'user: another account has the questions; keeps out an agent without the rights of root',
  server: 'server: a job elsewhere has the questions; only what runs there sees them, the bot among it',
};

/** Formats the answer that a job has sent. */
export function answerText({
  request,
  answer,
}:
  | { readonly request: LookRequest; readonly answer: SentAnswer }
  | { readonly request?: undefined; readonly answer?: undefined }): string {
  if (request === undefined) return 'No look waits.\n';
  const commit = request.asked.commit.slice(0, 7);
  if ('refusal' in answer)
    return `Refused the look at commit ${commit}: ${toTerminalText(answer.refusal.message)}\n`;
  return `Sent the answer to the look at commit ${commit}: ${words[answer.report.answer]}.\n`;
}

/** Formats a level: `.00125`, `6.6e-5`. */
function formatLevel(level: number): string {
  return level >= 0.001 ? String(Number(level.toPrecision(3))).replace(/^0/, '') : level.toExponential(1);
}

function signedPoints(share: number): string {
  const points = (Math.abs(share) * 100).toFixed(1);
  return `${share < 0 ? '−' : '+'}${points}`;
}

/** Formats a new held-out set. */
export function initText(report: InitReport): string {
  const { folder, set, incumbent, level, gain, price, known, takenFrom, isOpen } = report;
  const found = describeKnown(known);
  const warning =
    found === undefined
      ? ''
      : `of ${formatPlural(set.questions, 'question')}, ${found}: an agent that reads them there can learn them by heart. Ask for new ones`;
  return rows(
    isOpen
      ? 'The incumbent was not asked to the end: run the same command again'
      : `Held out: ${formatPlural(set.questions, 'question')} in ${toTerminalText(displayPath(folder))}`,
    ['incumbent', toTerminalText(incumbent.label)],
    ['budget', describeBudget(set)],
    ['first look', `at level ${formatLevel(level)}: ${describeSeen(gain)}`],
    ['', describeMore(gain)],
    ['a look costs', describePrice(price)],
    ['seal', seals.folder],
    ['taken from', takenFrom === undefined ? '' : toTerminalText(takenFrom)],
    ['not fresh', warning],
    ['next', 'change the bot, then `touchstone referee look`; commit touchstone.looks.jsonl'],
  );
}

function describeBudget({ looks, surprises, confidence, questions, units }: RefereeStatus['set']): string {
  const clusters = units === questions ? '' : `; ${formatPlural(units, 'cluster')} count, not questions`;
  return `${formatPlural(looks, 'look')}, ${formatPlural(surprises, 'surprise')}; no false answer with ${Number((100 * confidence).toFixed(2))} % chance${clusters}`;
}

function describePrice(price: number | null): string {
  return price === null
    ? 'not known: no run of the working set knows all prices'
    : `about ${formatMoney(price)}, as the working set`;
}

/** Formats the state of a held-out set. */
export function statusText(status: RefereeStatus): string {
  const { set, incumbent, looksLeft, surprises, over, next, open, looks, price } = status;
  const count = `${surprises.seen} of ${formatPlural(surprises.most, 'surprise')}`;
  const title = over === undefined ? `${formatPlural(looksLeft, 'look')} left` : ends[over];
  return rows(
    `${title} · ${count} · set ${set.set}`,
    ['held out', `${formatPlural(set.questions, 'question')}; ${describeBudget(set)}`],
    ['incumbent', `${toTerminalText(incumbent.label)}, since ${formatDay(incumbent.since)}`],
    ['next look', next === undefined ? '' : describeNextLook(next)],
    ['open', open === undefined ? '' : `look ${open.look}, at ${toTerminalText(open.candidate.label)}`],
    ['a look costs', describePrice(price)],
    ['seal', seals.folder],
    ...looks.map((look): [string, string] => [
      `look ${look.look}`,
      `${formatDay(look.at)}  ${words[look.answer].padEnd(17)}  ${toTerminalText(look.candidate)} against ${toTerminalText(look.incumbent)}${
        look.claim.kind === 'improvement' ? '' : `, margin ${marginOf(look.claim)}`
      }`,
    ]),
  );
}

const ends = {
  opened: 'Ended: the set was opened',
  looks: 'Spent: all looks are taken',
  surprises: 'Spent: all surprises are used',
};

function describeNextLook({
  level,
  gain,
  fewestWins,
  smallestMargin,
}: NonNullable<RefereeStatus['next']>): string {
  const margin = (100 * smallestMargin).toFixed(1);
  return `at level ${formatLevel(level)}, at least ${fewestWins} wins without a loss; ${describeSeen(gain)}; a loss of ${margin} points can be ruled out at best`;
}

/** Formats the adoption of a version. */
export function adoptText({ label }: TargetVersion): string {
  return `${toTerminalText(label)} is the incumbent now.\n`;
}

/** Formats a refilled set. */
export function refillText({ added, questions, set, opened, isOpen }: RefillReport): string {
  if (isOpen) return 'The incumbent was not asked to the end: run the same command again.\n';
  if (opened === undefined)
    return `Added ${formatPlural(added, 'question')}: the held-out set has ${questions} now. Looks and surprises go on.\n`;
  return `Began set ${set} with ${formatPlural(questions, 'question')}. Those of the set before are in ${toTerminalText(opened)}: add them to \`dataset\`.\n`;
}

/** Formats that a set was opened. */
export function openText({ folder }: { readonly folder: string }): string {
  const shown = toTerminalText(displayPath(folder));
  return `Opened: \`touchstone runs --store ${shown}\` lists its runs. It answers nothing any more.\n`;
}

/** Formats a title and rows of a label and a text; rows without a text are skipped. */
function rows(title: string, ...all: readonly (readonly [string, string])[]): string {
  const lines = all.flatMap(([label, said]) => (said === '' ? [] : [`${label.padEnd(width)}${said}`]));
  return `${[title, ...lines].join('\n')}\n`;
}
