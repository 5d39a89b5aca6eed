import {
  exportBaseline,
  listBaselines,
  removeBaseline,
  setBaseline as setNamed,
} from '../../library/api/baselines.ts';
import { checkBaselineName } from '../../decide/gate/baselines.ts';
import { jsonDocument } from '../../core/lib/objects.ts';
import { toTerminalText } from '../../core/lib/text/terminal-text.ts';
import { formatPercent, formatPlural } from '../../look/report/format.ts';
import type { Baseline } from '../../core/schema/decision.ts';
import { withStore } from '../open-store.ts';
import { claimStdout } from '../output.ts';

/** The options shared by all `touchstone baseline` commands. */
export interface BaselineFlags {
  readonly store?: string;
  readonly json?: boolean;
}

/**
 * Runs `touchstone baseline set NAME [RUN]`: stores a run as the named baseline that later runs are compared with, and
 * replaces an earlier one of that name. Returns the exit code.
 */
export async function setBaseline(
  name: string,
  runId: string | undefined,
  flags: BaselineFlags,
): Promise<number> {
  const output = claimStdout();
  checkBaselineName(name);
  await withStore(flags.store, async (store) => {
    const baseline = await setNamed(name, runId, { store });
    const said = `Baseline ${name} is run ${baseline.run.id}: ${describe(baseline)}.`;
    await output.write(flags.json === true ? jsonDocument(outline(baseline)) : `${said}\n`);
  });
  return 0;
}

/** Runs `touchstone baseline list`: lists the baselines of the store. Returns the exit code. */
export async function listCommand(flags: BaselineFlags): Promise<number> {
  const output = claimStdout();
  const all = await withStore(flags.store, async (store) => await listBaselines({ store }));
  const lines = all.map(
    (each) => `${each.name}  run ${each.run.id}, ${each.run.createdAt.slice(0, 10)}: ${describe(each)}`,
  );
  const none = 'No baselines yet: `touchstone baseline set main` makes one from the last run.';
  const text = `${(lines.length === 0 ? [none] : lines).map(toTerminalText).join('\n')}\n`;
  await output.write(flags.json === true ? jsonDocument(all.map(outline)) : text);
  return 0;
}

/** Runs `touchstone baseline remove NAME`: removes a baseline and keeps its run. Returns the exit code. */
export async function removeCommand(name: string, flags: BaselineFlags): Promise<number> {
  const output = claimStdout();
  await withStore(flags.store, async (store) => await removeBaseline(name, { store }));
  await output.write(flags.json === true ? jsonDocument({ removed: name }) : `Removed baseline ${name}.\n`);
  return 0;
}

/** Runs `touchstone baseline export NAME FILE`: writes a file to commit, so that CI needs no store. Returns the exit code. */
export async function exportCommand(name: string, file: string, flags: BaselineFlags): Promise<number> {
  const output = claimStdout();
  const baseline = await withStore(flags.store, async (store) => await exportBaseline(name, file, { store }));
  const said = `Wrote ${file}; \`touchstone run --baseline ${file}\` compares a run with it.`;
  const text =
    flags.json === true ? jsonDocument({ ...outline(baseline), file }) : `${toTerminalText(said)}\n`;
  await output.write(text);
  return 0;
}

/** Returns a baseline with the number of its cases in place of the cases. */
function outline({ targets, ...rest }: Baseline): object {
  return {
    ...rest,
    targets: targets.map(({ cases, ...target }) => ({ ...target, cases: cases.length })),
  };
}

function describe({ targets }: Baseline): string {
  return targets
    .map(({ name, cases }) => {
      const scores = cases.flatMap(({ score }) => (score === null ? [] : [score]));
      const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
      const open = scores.length === cases.length ? '' : `, ${cases.length - scores.length} without a score`;
      return `${name} ${formatPercent(mean)} of ${formatPlural(cases.length, 'question')}${open}`;
    })
    .join('; ');
}
