import * as readers from '../../src/evaluate/datasets/registry.ts';
import { openDataset } from '../../src/evaluate/datasets/open-dataset.ts';
import type { Dataset } from '../../src/evaluate/datasets/dataset.ts';
import { lintDataset } from '../../src/cases/lint/lint.ts';
import type { LintRule, LintSetting } from '../../src/cases/lint/rule.ts';
import type { LintFinding } from '../../src/core/schema/api/lint-finding.ts';

type Rows = readonly Readonly<Record<string, unknown>>[];

interface LintRowsOptions extends LintSetting {
  readonly against?: Rows;
}

/** Checks rows by one rule, as if they were a file of JSON Lines. */
export async function findIn(
  rule: LintRule,
  rows: Rows,
  { against, ...setting }: LintRowsOptions = {},
): Promise<LintFinding[]> {
  const { findings } = await lintDataset({
    dataset: await toDataset(rows),
    against: against && (await toDataset(against)),
    rules: [rule],
    skip: [],
    setting,
  });
  return findings;
}

/** Checks rows by one rule, and returns the line and the message of each finding. */
export async function lintRows(rule: LintRule, rows: Rows, options: LintRowsOptions = {}): Promise<string[]> {
  return (await findIn(rule, rows, options)).map(({ line, message }) =>
    line === undefined ? message : `${line}: ${message}`,
  );
}

async function toDataset(rows: Rows): Promise<Dataset> {
  const text = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  const stdin = (async function* read() {
    yield Buffer.from(text);
  })();
  return await openDataset({
    paths: ['-'],
    folder: '.',
    format: 'jsonl',
    readers: Object.values(readers),
    stdin,
  });
}
