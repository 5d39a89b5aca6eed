import type { Erasure } from '../../core/schema/erasure/erasure.ts';
import type { Run, RunStop } from '../../core/schema/run.ts';
import type { TargetSummary } from '../../core/schema/summary.ts';
import type { AccountRecord } from '../../core/schema/usage.ts';
import { formatCount, formatDuration, formatMoney, formatPlural } from './format.ts';
import { toolsLine } from './tools/tools-line.ts';
import { listPhrase, type Phrase, quote } from './phrase.ts';

/** An operational problem during a run that was not caused by the answers. */
export interface Trouble {
  readonly title: 'Tools' | 'Stopped' | 'Refused' | 'Late' | 'Unread' | 'Adapted' | 'Erased';
  readonly about: Phrase;
  /** The first kinds of errors, each once. */
  readonly details: readonly Phrase[];
}

/**
 * Lists the operational problems of a run: early stops, refused calls with the time they waited, what servers do not take, late answers, members of
 * replies that nothing reads, and texts that were erased since.
 */
export function troublesOf({
  stops = [],
  accounts = [],
  lateAnswers = 0,
  lateCost,
  erasures = [],
  summary,
  tools,
}: Run): Trouble[] {
  const line = toolsLine({ tools, summary });
  return [
    ...(line === undefined ? [] : [toolsTrouble(line)]),
    // A decided gate is the regular end of a run.
    ...stops.filter(({ reason }) => reason !== 'decided').map(stopTrouble),
    ...accounts.filter(({ refused }) => refused > 0).map(refusalTrouble),
    ...noticesOf(accounts).map(noticeTrouble),
    ...(lateAnswers === 0 ? [] : [lateTrouble(lateAnswers, lateCost)]),
    ...unreadTrouble(summary?.targets ?? []),
    ...erasures.map(erasureTrouble),
  ];
}

/** Says where the answers of tools came from: no fault, and every report has it. */
function toolsTrouble(about: Phrase): Trouble {
  return { title: 'Tools', about, details: [] };
}

function stopTrouble({ message, failures = [] }: RunStop): Trouble {
  const details = failures.map(
    ({ code, message: text, trials }): Phrase => [
      `${formatPlural(trials, 'attempt')}: `,
      { quoted: code },
      ', ',
      { quoted: text },
    ],
  );
  return { title: 'Stopped', about: [{ quoted: message }], details };
}

function refusalTrouble({ account, requests, refused, waitedMs, limits }: AccountRecord): Trouble {
  const allowed = limits.map(({ limit }) => limit);
  const range = allowed.length === 0 ? '' : `, ${describeRange(Math.min(...allowed), Math.max(...allowed))}`;
  const refusals = ` refused ${formatCount(refused)} of ${formatPlural(requests, 'request')}; all of them waited `;
  const about: Phrase = [{ quoted: account }, `${refusals}${formatDuration(waitedMs)} together${range}`];
  return { title: 'Refused', about, details: [] };
}

/** Says what requests lack: the name of the server and its model are not ours, and what follows is. */
function noticeTrouble(notice: string): Trouble {
  const end = notice.lastIndexOf(': ');
  return { title: 'Adapted', about: [{ quoted: notice.slice(0, end) }, notice.slice(end)], details: [] };
}

/** Returns what requests lack because a server refuses it, once each. */
function noticesOf(accounts: readonly AccountRecord[]): string[] {
  return [...new Set(accounts.flatMap(({ notices = [] }) => notices))];
}

function describeRange(least: number, most: number): string {
  const range = least === most ? formatCount(most) : `${formatCount(least)} to ${formatCount(most)}`;
  return `with at most ${range} in flight`;
}

function lateTrouble(answers: number, cost: number | undefined): Trouble {
  const count = formatPlural(answers, 'answer');
  const about =
    cost === undefined
      ? `${count} came after the time limit and did not count`
      : `${count} came too late and did not count; they cost ${formatMoney(cost)}`;
  return { title: 'Late', about: [about], details: [] };
}

const mostUnread = 12;

/** Lists the members of replies that nothing reads, of all targets together. */
function unreadTrouble(targets: readonly Pick<TargetSummary, 'unreadKeys'>[]): Trouble[] {
  const keys = [...new Set(targets.flatMap(({ unreadKeys = [] }) => unreadKeys.map(({ key }) => key)))];
  if (keys.length === 0) return [];
  const more = keys.length > mostUnread ? [`${formatCount(keys.length - mostUnread)} more`] : [];
  const names = listPhrase([
    ...keys.slice(0, mostUnread).map((key) => [quote(key)]),
    ...more.map((text) => [text]),
  ]);
  return [{ title: 'Unread', about: ['in replies of the bot, nothing reads ', ...names], details: [] }];
}

function erasureTrouble({ day, records }: Erasure): Trouble {
  const about = `the texts of ${formatPlural(records, 'record')} on ${day}; the numbers are from before`;
  return { title: 'Erased', about: [about], details: [] };
}
