import { TouchstoneError } from '../../core/errors.ts';
import { toTerminalText } from '../../core/lib/text/terminal-text.ts';
import type { Run } from '../../core/schema/run.ts';
import { exitCodes } from '../../decide/gate/exit-codes.ts';
import { makeRun, type ReadyRun } from '../../library/api/runs/make-run.ts';
import type { Store } from '../../stores/store.ts';
import { scoreTraces } from '../../library/api/watch/score-traces.ts';
import type { WatchReport } from '../../library/api/watch/watch-report.ts';
import { executeWork } from '../execute-run.ts';
import { interrupted } from '../interrupts.ts';
import type { Output } from '../output.ts';
import { repeatPlace, storeToRepeat } from '../program/store-of.ts';
import type { ReportChoices } from '../write-report.ts';

/** The options of `touchstone score --traces`. */
export interface TraceFlags extends ReportChoices {
  readonly file?: string;
  readonly traces?: boolean;
  readonly config?: string;
  readonly since?: number;
  readonly sample?: number;
  readonly until?: number;
  readonly dataset?: readonly string[];
  readonly filter?: readonly string[];
  readonly limit?: number;
  readonly failUnder?: number;
  readonly baseline?: string;
  readonly cache?: boolean;
}

/** Scores what arrived from production by the watch of a config, and prints what it says. Returns the exit code. */
export async function scoreStoredTraces(input: TraceFlags, output: Output): Promise<number> {
  checkFlags(input);
  const { config, since, sample, until, store: elsewhere } = input;
  const choices = { ...input, store: await storeToRepeat(input) };
  let wasInterrupted = false;
  const score = async (ready: ReadyRun, store: Store): Promise<Run> => {
    let ended: Run | undefined;
    const code = await executeWork((needs) => makeRun(ready, needs), {
      store,
      output,
      choices,
      resumeHint: () => 'Run the same command again: stored judgements are reused.',
      reportResult: async (finished) => {
        ended = finished;
        return 0;
      },
    });
    if (ended?.status === 'completed') return ended;
    wasInterrupted = code === interrupted || ended?.status === 'interrupted';
    throw new Unfinished();
  };
  try {
    const report = await scoreTraces(
      { config, sinceMs: since, sample, untilMs: until },
      { elsewhere, score },
    );
    const said = await repeatPlace(formatWatch(report), input);
    await output.print(input.json, report, () => said);
    for (const warning of report.warnings) console.error(toTerminalText(`! ${warning}`));
    return exitCodes[report.outcome];
  } catch (error) {
    if (!(error instanceof Unfinished)) throw error;
    return wasInterrupted ? interrupted : exitCodes['not-measured'];
  }
}

/** The end of a run before its day is scored. */
class Unfinished extends Error {}

/** The options of a file of answers, which say nothing of stored traces. */
const ofFiles = [
  ['filter', '--filter'],
  ['limit', '--limit'],
  ['failUnder', '--fail-under'],
  ['baseline', '--baseline'],
] as const;

function checkFlags(input: TraceFlags): void {
  const { file, traces, dataset, cache, output = [] } = input;
  if (traces !== true)
    throw new TouchstoneError('usage-invalid', 'There is nothing to score: no file is named.', {
      remedy: 'Name a file of answers, or `--traces` for the stored traces of production.',
    });
  const extra = file ?? dataset?.[0];
  if (extra !== undefined)
    throw new TouchstoneError('usage-invalid', `\`--traces\` scores stored traces, and not ${extra}.`, {
      remedy: 'Name either a file or `--traces`.',
    });
  const [, named] = ofFiles.find(([name]) => input[name] !== undefined) ?? [];
  const flag = cache === false ? '--no-cache' : named;
  if (flag !== undefined)
    throw new TouchstoneError(
      'usage-invalid',
      `\`${flag}\` is about a file of answers, and not about \`--traces\`.`,
      {
        remedy:
          'Leave it out: `--sample` says how many are scored, and `watch` in the config says what is to hold.',
      },
    );
  if (output.length > 0)
    throw new TouchstoneError('usage-invalid', '`--traces` writes no report to a file.', {
      remedy: 'Write the report of its run: `touchstone show latest --output report.html`.',
    });
}

const marks = { pass: '✓', fail: '✗', 'not-measured': '?', inconclusive: '?' };

function formatWatch({ watch, day, run, frame, drawn, rules, notApplicable }: WatchReport): string {
  const lines = rules.flatMap(({ outcome, sentence, advice }) => [
    `${marks[outcome]} ${sentence}`,
    ...(advice === null ? [] : [`  → ${advice}`]),
  ]);
  const size = run === null ? [] : [`${drawn} of ${frame} scored, drawn at random`];
  const unread =
    notApplicable.length === 0
      ? []
      : [`Not applicable, since live traces have no expectations: ${notApplicable.join(', ')}`];
  const more = run === null ? [] : [`Answers and verdicts: \`touchstone show ${run}\``];
  const whole = [`${watch} ${day}`, ...size, ...lines, ...unread, ...more];
  return `${whole.map((line) => toTerminalText(line)).join('\n')}\n`;
}
