import type { ReportInput } from '../reporter.ts';
import { showCommand, storeFlag } from '../../report/show-command.ts';
import { indented } from './flow.ts';
import { type Line, lineWidth, span, whole } from './line.ts';

/** What a command does, and the flags that make it do so. */
export interface CommandHint {
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
