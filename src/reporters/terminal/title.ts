import { formatDuration, formatGit, formatPlural, formatTime } from '../../report/format.ts';
import { showCommand, storeFlag } from '../../report/phrase.ts';
import type { Run } from '../../schema/run.ts';
import type { ReportInput } from '../reporter.ts';
import { indented } from './flow.ts';
import { joined, type Line, lineWidth, span, whole } from './line.ts';

/** A thin line over the whole width. */
export function rule(width: number): Line {
  return [span('─'.repeat(width), 'quiet')];
}

/** What was run: the id, the dataset, when, for how long; and that it is not finished, if so. */
export function titleLines(run: Run, width: number): Line[] {
  const facts = [
    formatPlural(run.dataset.cases, 'question'),
    ...(run.attempts > 1 ? [`${run.attempts} attempts each`] : []),
    run.dataset.sources.join(', '),
    ...(run.rescoredFrom === undefined ? [] : [`answers of ${run.rescoredFrom}, scored anew`]),
    formatTime(run.createdAt),
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

/** Stored answers are scored from the beginning: what judges have said of them is not asked again. */
function unfinished(run: Run): Line {
  const { id, rescoredFrom } = run;
  if (run.status === 'planning') {
    const state = 'This run is not whole: it is being planned or imported, or that was ended half way';
    return [span(`${state}; then remove it with `, 'fair'), whole(`touchstone delete ${id}`)];
  }
  const resume =
    rescoredFrom === undefined ? `touchstone run --resume ${id}` : `touchstone rescore ${rescoredFrom}`;
  return [
    span(`This run is ${run.status === 'interrupted' ? 'interrupted' : 'not finished'}; go on with `, 'fair'),
    whole(resume),
  ];
}

function durationOf({ createdAt, finishedAt }: Run): string[] {
  if (finishedAt === undefined) return [];
  const durationMs = Date.parse(finishedAt) - Date.parse(createdAt);
  return durationMs >= 0 ? [formatDuration(durationMs)] : [];
}

/** What a command does, and the flags that make it do so. */
interface CommandHint {
  readonly lead: string;
  readonly flags: string;
  /** Columns before it. */
  readonly indent?: number;
}

/**
 * A command that tells a run again, behind what it does. Where it is too long for a line, it is broken as a shell takes
 * it, so that it can be pasted either way.
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
