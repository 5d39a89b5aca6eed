import { formatDuration, formatGit, formatPlural, formatTime } from '../../report/format.ts';
import { importOf, resumeCommand, showCommand, storeFlag } from '../../report/phrase.ts';
import type { Run } from '../../../core/schema/run.ts';
import { type Block, type Command, heading, paragraph, rule } from '../blocks/block.ts';
import { joined, name, quoted, span, type Text, whole } from '../blocks/text.ts';
import type { ReportInput } from '../reporter.ts';

const longestFact = 160;

/** Lays out the title of a report: the run's id, dataset, time and duration, and a note if it is not finished. */
export function titleBlocks(run: Run): Block[] {
  const facts = [
    whole(formatPlural(run.dataset.cases, 'question'), 'quiet'),
    ...(run.attempts > 1 ? [whole(`${run.attempts} attempts each`, 'quiet')] : []),
    name(run.dataset.sources.join(', '), 'quiet', longestFact),
    ...(run.rescoredFrom === undefined
      ? []
      : [name(`answers of ${run.rescoredFrom}, scored again`, 'quiet', longestFact)]),
    whole(formatTime(run.createdAt), 'quiet'),
    ...importOf(run).map((text) => whole(text, 'quiet')),
    ...(run.git === undefined ? [] : [name(formatGit(run.git), 'quiet', longestFact)]),
    ...durationOf(run),
    ...Object.entries(run.tags ?? {}).map(([key, value]) => name(`${key}=${value}`, 'quiet', longestFact)),
  ];
  return [
    heading(1, [span('Touchstone', 'strong'), span('  run ', 'quiet'), quoted(run.id), ...nameOf(run)]),
    paragraph(joined(facts.map((fact) => [fact])), { indent: 0 }),
    paragraph(failedOnly(run), { indent: 0 }),
    paragraph([quoted(run.description ?? '')], { indent: 0 }),
    paragraph([quoted(run.note ?? '')], { indent: 0 }),
    ...unfinishedBlocks(run),
    rule,
  ];
}

/** Says that a run asks again what failed in another, and what else is another since. */
function failedOnly({ failedOf, summary }: Run): Text {
  if (failedOf === undefined) return [];
  const changes = summary?.failedAgain?.changes ?? [];
  return [
    span('Asks again only what failed or was not measured in run '),
    name(failedOf),
    span(': this is no score of the whole set.'),
    ...(changes.length === 0 ? [] : [span(' Since then: '), quoted(changes.join('; ')), span('.')]),
  ];
}

/** Returns the name of a run, after its id. */
function nameOf({ name: given }: Run): Text {
  return given === undefined ? [] : [span('  '), name(given, 'strong', longestFact)];
}

/** Lays out the title of a first screen: the name of the run, and what must be known of it; empty for most runs. */
export function shortTitleBlocks(run: Run): Block[] {
  return [
    paragraph([quoted(run.name ?? '', 'strong')], { indent: 0 }),
    paragraph(failedOnly(run), { indent: 0 }),
    ...unfinishedBlocks(run),
  ];
}

/** Lays out a note that a run is not finished, with the command that continues it; empty for a finished one. */
function unfinishedBlocks(run: Run): Block[] {
  return run.status === 'completed' ? [] : [paragraph(unfinished(run), { indent: 0 })];
}

/** Says how to continue an unfinished run. */
function unfinished(run: Run): Text {
  if (run.isSent === true) {
    const state =
      'This run is incomplete: only a part of it was sent so far; continue from where it was made with';
    return [span(`${state} `, 'fair'), name(`touchstone push ${run.id}`)];
  }
  if (run.status === 'planning') {
    const state = 'This run is incomplete: it is still being planned or imported, or that was interrupted';
    return [span(`${state}; if interrupted, remove it with `, 'fair'), name(`touchstone delete ${run.id}`)];
  }
  const state = run.status === 'interrupted' ? 'interrupted' : 'not finished';
  return [span(`This run is ${state}; continue with `, 'fair'), name(resumeCommand({ run }))];
}

function durationOf({ createdAt, importedAt, finishedAt }: Run): Text {
  if (finishedAt === undefined || importedAt !== undefined) return [];
  const durationMs = Date.parse(finishedAt) - Date.parse(createdAt);
  return durationMs >= 0 ? [whole(formatDuration(durationMs), 'quiet')] : [];
}

/** Lays out a command that shows a run again, after a description of it. */
export function showHint(
  { run, storeFolder }: Pick<ReportInput, 'run' | 'storeFolder'>,
  { lead, flags, indent }: Pick<Command, 'lead' | 'indent'> & { readonly flags: string },
): Command {
  const end = storeFolder === undefined ? undefined : storeFlag(storeFolder);
  return { kind: 'command', lead, command: showCommand({ run }, flags), end, indent };
}
