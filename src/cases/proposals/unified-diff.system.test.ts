import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Proposal } from '../../core/schema/proposal/proposal.ts';
import { buildDecision, buildProposal } from '../../../test/support/store-contract/proposals-contract.ts';
import { type ApprovedProposal, approvalOf } from './decide.ts';
import { planExport } from './plan-export.ts';

const approved = (id: string, parts: Partial<Proposal> = {}) =>
  approvalOf({
    proposal: buildProposal(id, parts),
    decisions: [buildDecision(id)],
    exports: [],
  }) as ApprovedProposal;

const golden = '{"id": "one", "question": "One?"}\n{"id": "two", "question": "Two?"}\n';
const many = Array.from({ length: 12 }, (_, line) => `{"id": "c${line}", "question": "Number ${line}?"}`);
const change = (id: string, replaces: string) => approved(id, { change: 'changed', replaces });

test.each([
  ['a new file', null, [approved('p'), approved('q')]],
  ['an empty file', '', [approved('p')]],
  ['lines at the end', golden, [approved('p'), approved('q')]],
  ['a file without a line break at its end', golden.trimEnd(), [approved('p')]],
  ['the last line of a file without a line break, replaced', golden.trimEnd(), [change('p', 'two')]],
  ['that line replaced and one added', golden.trimEnd(), [change('p', 'two'), approved('q')]],
  ['another line of such a file', many.join('\n'), [change('p', 'c1')]],
  [
    'far changes and an addition',
    `${many.join('\n')}\n`,
    [change('p', 'c1'), change('q', 'c10'), approved('r')],
  ],
  ['lines that end as on Windows', golden.replaceAll('\n', '\r\n'), [approved('p')]],
  ['one line', '{"id": "one", "question": "One?"}\n', [approved('p')]],
])('the patch for %s is one that git applies, with the planned text as its outcome', (_what, text, all) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-patch-'));
  try {
    execFileSync('git', ['init', '--quiet', folder]);
    const file = path.join(folder, 'golden.jsonl');
    if (text !== null) writeFileSync(file, text);
    const planned = planExport({ file: 'golden.jsonl', text, names: {} }, all);
    const git = ['-C', folder, '-c', 'core.autocrlf=false', 'apply', '--whitespace=nowarn'];
    execFileSync('git', git, { input: planned.patch });
    expect(readFileSync(file, 'utf8')).toBe(planned.text);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
