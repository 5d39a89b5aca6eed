import type { Exporter } from '../../src/exchange/exporters/exporter.ts';
import { countFates, Ledger } from '../../src/exchange/importers/ledger.ts';
import type { ReportInput } from '../../src/look/reporters/reporter.ts';
import type { LedgerEntry } from '../../src/core/schema/api/imported-project.ts';
import type { Result } from '../../src/core/schema/result.ts';
import type { Verdict } from '../../src/core/schema/verdict.ts';
import { sampleResult, sampleRun } from './build-sample-run.ts';

const [targets, attempts] = [['bot', 'other bot'], 2] as const;

/** The verdicts of the trials that say more than a number: a judge that failed, and a metric that does not apply. */
const special: Readonly<Record<number, Readonly<Record<string, Verdict>>>> = {
  2: { keywords: { status: 'failed', code: 'judge-unparsable', reason: 'The reply was no JSON.' } },
  4: { keywords: { status: 'not-applicable', reason: 'The question has no keywords.' } },
};

/**
 * Builds a run of three cases by two targets with two attempts each: answers that passed and failed, one with a judge that
 * failed, one that used a tool, one error of the target, and one attempt that was not made.
 */
export function exportedRun(): ReportInput {
  const results = Array.from({ length: 12 }, (_, ordinal): Result => {
    const target = targets[Math.floor(ordinal / attempts) % 2];
    const sample = {
      id: `case ${Math.floor(ordinal / 4) + 1}`,
      question: `Question ${Math.floor(ordinal / 4) + 1}?`,
      target,
      attempt: (ordinal % attempts) + 1,
      answer: ordinal === 7 ? '=1+1 <b>‮\u001b[31m' : `Answer ${ordinal}.`,
      expectedTools: ['look-up'],
      usedTools: ordinal % 3 === 0 ? ['look-up'] : [],
      found: ['one'],
      missing: ordinal % 4 === 1 ? ['two'] : [],
      ...(ordinal === 9 && { error: { code: 'timeout', message: 'No answer within 60 s.' } }),
    };
    const result = sampleResult(sample, ordinal);
    const verdicts = { ...result.verdicts, ...special[ordinal] };
    const scorecard =
      ordinal === 2 && result.scorecard !== null
        ? { ...result.scorecard, total: null, passed: null }
        : result.scorecard;
    const isUnasked = ordinal === 11;
    return {
      ...result,
      trial: isUnasked ? { ...result.trial, status: 'cancelled', answer: null } : result.trial,
      verdicts,
      scorecard,
    };
  });
  const run = sampleRun(results, { attempts });
  const summary = { targets: [], decision: {} } as unknown as ReportInput['summary'];
  return {
    run: { ...run, targets: targets.map((name) => ({ name, use: { use: 'replay' }, fingerprint: name })) },
    summary,
    // oxlint-disable-next-line typescript/require-await -- the interface is asynchronous
    async *results() {
      yield* results;
    },
  };
}

/** The files of an export by their names, with what became of every part. */
export interface Exported {
  readonly files: Readonly<Record<string, Uint8Array>>;
  readonly ledger: readonly LedgerEntry[];
  readonly parts: ReturnType<typeof countFates>;
}

/** Exports a run. */
export async function exportWith(exporter: Exporter, input: ReportInput): Promise<Exported> {
  const ledger = new Ledger();
  const files: Record<string, Uint8Array> = {};
  for (const { name, pieces } of exporter.write(input, ledger)) {
    const read = await Array.fromAsync(pieces);
    files[name] = Buffer.concat(
      read.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)),
    );
  }
  const entries = ledger.entries();
  return { files, ledger: entries, parts: countFates(entries) };
}
