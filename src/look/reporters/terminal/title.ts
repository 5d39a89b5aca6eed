import { formatDuration, formatGit, formatPlural, formatTime } from '../../report/format.ts';
import { importOf, resumeCommand, showCommand, storeFlag } from '../../report/phrase.ts';
import type { Run } from '../../../core/schema/run.ts';
import type { ReportInput } from '../reporter.ts';
import { indented } from './flow.ts';
import { joined, type Line, lineWidth, span, whole } from './line.ts';

/** Returns a thin line over the whole width. */
export function rule(width: number): Line {
  return [span('─'.repeat(width), 'quiet')];
}

/** Formats the title of a report: the run's id, dataset, time and duration, and a note if it is not finished. */
export function titleLines(run: Run, width: number): Line[] {
  const facts = [
    formatPlural(run.dataset.cases, 'question'),
    ...(run.attempts > 1 ? [`${run.attempts} attempts each`] : []),
    run.dataset.sources.join(', '),
    ...(run.rescoredFrom === undefined ? [] : [`answers of ${run.rescoredFrom}, scored again`]),
    formatTime(run.createdAt),
    ...importOf(run),
    ...(run.git === undefined ? [] : [formatGit(run.git)]),
    ...durationOf(run),
  ];
  return [
    [span('Touchstone', 'strong'), span('  run ', 'quiet'), span(run.id)],
    ...indented(joined(facts.map((fact) => [whole(fact, 'quiet')])), width, 0),
    ...(run.description === undefined ? [] : indented([span(run.description)], width, 0)),
    ...(run.status === 'completed' ? [] : indented(unfinished(run), width, 0)),
    rule(width),
  ];
}

/** Formats how to continue an unfinished run. */
function unfinished(run: Run): Line {
  if (run.status === 'planning') {
    const state = 'This run is incomplete: it is still being planned or imported, or that was interrupted';
    return [span(`${state}; if interrupted, remove it with `, 'fair'), whole(`touchstone delete ${run.id}`)];
  }
  return [
    span(
      `This run is ${run.status === 'interrupted' ? 'interrupted' : 'not finished'}; continue with `,
      'fair',
    ),
    whole(resumeCommand({ run })),
  ];
}

function durationOf({ createdAt, importedAt, finishedAt }: Run): string[] {
  if (finishedAt === undefined || importedAt !== undefined) return [];
  const durationMs = Date.parse(finishedAt) - Date.parse(createdAt);
  return durationMs >= 0 ? [formatDuration(durationMs)] : [];
}

/** A hint at a command: what it shows, and its flags. */
interface CommandHint {
  readonly lead: string;
  readonly flags: string;
  /** The indentation in columns. */
  readonly indent?: number;
}

/**
 * Formats a command that shows a run again, after a description of it. A command that is too long for a line is continued
 * on the next with a backslash, so that it can be pasted into a shell.
 */
export function commandLines(
  input: Pick<ReportInput, 'run' | 'storeFolder'>,
  { lead: what, flags, indent = 0 }: CommandHint,
  width: number,
): Line[] {
  const lead = span(what, 'quiet');
  const line = [lead, whole(showCommand(input, flags))];
  if (input.storeFolder === undefined || lineWidth(line) + indent <= width) {
    return indented(line, width, indent);
  }
  const { run } = input;
  return [
    ...indented([lead, whole(`${showCommand({ run }, flags)} \\`)], width, indent),
    ...indented([whole(storeFlag(input.storeFolder))], width, indent + lineWidth([lead])),
  ];
}
