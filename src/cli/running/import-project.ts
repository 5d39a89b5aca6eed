import { closeSync, openSync, readSync, statSync } from 'node:fs';
import path from 'node:path';
import { readAgreement, translateProject, writeProject } from '../../library/api/import-project.ts';
import type { ImportedProject } from '../../exchange/importers/importer.ts';
import { loadEvaluation } from '../../library/config/load-evaluation.ts';
import { makeRun, readyRun, withRunStore } from '../../library/api/runs/make-run.ts';
import { jsonDocument } from '../../core/lib/objects.ts';
import { displayPath } from '../../core/lib/text/display-path.ts';
import { quoteForShell } from '../../core/lib/text/quote-for-shell.ts';
import { toTerminalText } from '../../core/lib/text/terminal-text.ts';
import { formatCount, formatPlural, formatQuantity } from '../../look/report/format.ts';
import { headlineParts } from '../../look/report/headline.ts';
import { agreementText, importText } from '../../look/reporters/import-report.ts';
import type { Run } from '../../core/schema/run.ts';
import type { Summary, TargetSummary } from '../../core/schema/summary.ts';
import { executeWork } from '../execute-run.ts';
import type { Output } from '../output.ts';

/** The files of another tool, and what becomes of them. */
interface ForeignImport {
  readonly file: string;
  readonly from?: string;
  readonly to?: string;
  readonly dryRun?: boolean;
  readonly force?: boolean;
  readonly trust?: boolean;
  readonly portCode?: string;
  readonly root?: string;
  /** True when what becomes of every part was shown already. */
  readonly isShown?: boolean;
  readonly store?: string;
  readonly json?: boolean;
}

/** Returns whether a file begins as `touchstone export` begins one. */
export function isExportedRun(file: string): boolean {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats?.isFile() !== true) return stats === undefined;
  const opened = openSync(file, 'r');
  try {
    const head = Buffer.alloc(4096);
    const length = readSync(opened, head, 0, head.length, 0);
    return /^\uFEFF?\s*\{"(?:type":"run"|touchstone")/.test(head.toString('utf8', 0, length));
  } finally {
    closeSync(opened);
  }
}

/** Makes a project of the files of another tool, and a run of its recorded answers. Returns the exit code. */
export async function importProject({ file, ...flags }: ForeignImport, output: Output): Promise<number> {
  const project = await translateProject(file, {
    isTrusted: flags.trust === true,
    from: flags.from,
    codeFolder: flags.portCode,
    root: flags.root,
  });
  const { record } = project;
  const isJson = flags.json === true;
  if (isJson || flags.isShown !== true) {
    const view = { width: 100, color: output.view().color };
    await output.write(isJson ? jsonDocument(record) : importText(record, view));
  }
  const to = flags.to ?? folderFor(file);
  if (flags.dryRun === true) {
    if (!isJson)
      await output.write(`\nNothing was written. Without --dry-run: ${displayPath(path.resolve(to))}\n`);
    return 0;
  }
  const written = writeProject(project, { to, force: flags.force === true });
  const folder = displayPath(path.resolve(to));
  if (!isJson) await output.write(`\n${summarize(folder, written)}\n`);
  if (written.length === 0) return 0;
  if (!project.callsNothing) {
    if (!isJson) await output.write(`\n${nextStep(project, to)}\n`);
    return 0;
  }
  return await runRecorded(project, to, { flags, output });
}

/** Returns what comes after an import: cases alone have no target that could answer them. */
function nextStep({ hasTargets, files }: ImportedProject, to: string): string {
  const run = `touchstone run --dry-run ${quoteForShell(to)}`;
  const fileOf = (name: string) => displayPath(path.resolve(to, name));
  if (!hasTargets) {
    const config = fileOf('touchstone.config.yaml');
    return `Next: name your bot under \`targets\` in ${config} (docs/connect-your-bot.md), then\n  ${run}`;
  }
  if (files['todo.md'] === undefined) return `Next: ${run}`;
  return `Next: do what is left to do by hand, ${fileOf('todo.md')} lists it, then\n  ${run}`;
}

function summarize(folder: string, written: readonly string[]): string {
  return written.length === 0
    ? `${folder} has all of this already: nothing was changed.`
    : `Wrote ${formatPlural(written.length, 'file')} to ${folder}: ${written.join(', ')}`;
}

/** Scores the recorded answers by the recorded verdicts, and says where to look at them: nothing is called. */
async function runRecorded(
  { record }: ImportedProject,
  to: string,
  { flags, output }: { readonly flags: Omit<ForeignImport, 'file'>; readonly output: Output },
): Promise<number> {
  const loaded = await loadEvaluation(to);
  const folder = flags.store ?? path.join(to, '.touchstone');
  return await withRunStore(loaded, flags, 'new', async (store) => {
    const ready = await readyRun(loaded, store, {});
    return await executeWork((needs) => makeRun(ready, needs), {
      store,
      output,
      choices: { store: folder },
      isRecorded: true,
      resumeHint: () => `To continue: touchstone run ${quoteForShell(to)}`,
      reportResult: async (run) => {
        if (flags.json === true) return 0;
        const agreement = agreementText(await readAgreement(run, store), record.tool.title);
        await output.write(`\n${[describeRun(run, folder), ...agreement].join('\n\n')}\n`);
        return 0;
      },
    });
  });
}

function describeRun(run: Run, folder: string): string {
  const targets = (run.summary as Summary).targets.map((target) => {
    const parts = run.scorecard === null ? meansOf(target) : headlineParts(target, run);
    return toTerminalText(`  ${target.target}  ${parts.join(' · ')}`);
  });
  const commands = ['show', 'view'].map(
    (name) => `  touchstone ${name} ${run.id} --store ${quoteForShell(displayPath(path.resolve(folder)))}`,
  );
  return [`The recorded answers are run ${run.id}:`, ...targets, '', 'Look at them:', ...commands].join('\n');
}

/** The most metrics of a target whose means are printed. */
const mostMeans = 8;

/** Returns the means of a target that has no score, with the numbers of answers where some were not measured. */
function meansOf({ metrics, counts }: TargetSummary): string[] {
  const measured = metrics.filter(({ estimate }) => estimate.value !== null);
  const means = measured.slice(0, mostMeans).map(({ metric, unit, estimate, scored, planned }) => {
    const of = scored === planned ? '' : ` of ${formatCount(scored)}/${formatCount(planned)}`;
    return `${metric} ${formatQuantity(estimate.value, unit)}${of}`;
  });
  return [
    ...(means.length === 0 ? [formatPlural(counts.planned, 'answer')] : means),
    ...(measured.length > mostMeans ? [formatPlural(measured.length - mostMeans, 'more metric')] : []),
    ...(counts.errors > 0 ? [formatPlural(counts.errors, 'error')] : []),
  ];
}

/** Returns the folder of the project of a file: its name without the ending, next to the current folder. */
function folderFor(file: string): string {
  const name = path.basename(path.resolve(file));
  const plain = name.replace(
    /(?:\.(?:jsonl?|ndjson|ya?ml|[ct]sv|eval|parquet|xlsx|[cm]?[jt]s|gz|zip))+$/i,
    '',
  );
  return plain === name ? `${plain}-touchstone` : plain;
}
