import type { ComparisonNotice, PairComparison } from '../../schema/run-comparison.ts';
import { quoteForShell } from '../../lib/quote-for-shell.ts';
import { type Phrase, quote } from '../phrase.ts';
import { storeFlag } from '../show-command.ts';
import type { ComparisonInput } from './comparison-input.ts';

const subjects: Partial<Record<ComparisonNotice['kind'], string>> = {
  metric: 'metric ',
  judge: 'metric ',
  unfinished: 'run ',
  unread: 'run ',
  'same-target': 'target ',
  version: '',
};

/** A sentence about something in which two runs differ beside their answers. */
export function noticePhrase({ kind, name, message }: ComparisonNotice): Phrase {
  if (name === undefined) return [message];
  const subject = subjects[kind] ?? '';
  if (kind === 'same-target') return [`${message} (`, quote(name), ')'];
  return [subject, quote(name), ` ${message}`];
}

const ofRules: readonly ComparisonNotice['kind'][] = ['metric', 'judge', 'scorecard'];

/**
 * The commands that score the older run by the rules of now and compare again; none where both were scored by the same rules.
 */
export function rescoreCommands(
  { a, b, notices }: PairComparison,
  { storeFolder, files }: ComparisonInput,
): string[] {
  if (!notices.some(({ kind }) => ofRules.includes(kind))) return [];
  const isForward = a.createdAt <= b.createdAt;
  const older = isForward ? a : b;
  const flag = storeFolder === undefined ? '' : ` ${storeFlag(storeFolder)}`;
  const imports = [...new Set([a.run, b.run])].flatMap((run) => {
    const file = files?.get(run);
    return file === undefined ? [] : [`touchstone import ${quoteForShell(file)}${flag}`];
  });
  const sides = isForward ? `latest ${b.run}` : `${a.run} latest`;
  return [...imports, `touchstone rescore ${older.run}${flag}`, `touchstone compare ${sides}${flag}`];
}
