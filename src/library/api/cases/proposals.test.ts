import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeApproval } from '../../../cases/proposals/decide.ts';
import type { Proposal } from '../../../core/schema/proposal/proposal.ts';
import { createMemoryStore } from '../../../../test/support/memory-store.ts';
import type { Store } from '../../../stores/store.ts';
import { buildProposal } from '../../../../test/support/store-contract/proposals-contract.ts';
import { decideProposal, exportProposals, lintProposal, readProposal } from './proposals.ts';
import { forgetTraces, importTraces, readTrace } from './traces.ts';
import { traceKind } from '../../../stores/kinds/trace.ts';
import { addProposals } from '../../../stores/proposals/proposal-records.ts';

const fixture = path.join(import.meta.dirname, '../../../../test/otlp/exporter-http.json');

function begin(): { readonly store: Store; readonly golden: string; readonly folder: string } {
  const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-export-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const golden = path.join(folder, 'golden.jsonl');
  writeFileSync(
    golden,
    '{"id": "one", "question": "Where do I park my bicycle?", "must_include": ["shed"]}\n',
  );
  return { store: createMemoryStore(), golden, folder };
}

const proposed = (id: string, golden: string, parts: Partial<Proposal> = {}) =>
  buildProposal(id, {
    dataset: golden,
    case: { input: `What is the price of ticket ${id}?`, tags: [], metadata: {} },
    expectations: [
      { field: 'keywords', value: `ticked-${id}`, proof: { type: 'text', text: 'x' } },
      { field: 'answer', value: `unticked-${id}`, proof: { type: 'text', text: 'x' } },
    ],
    ...parts,
  });

const approve = async (store: Store, proposal: Proposal) =>
  await decideProposal(
    { proposal: proposal.id, person: 'Bob', outcome: makeApproval(proposal, { ticks: [1] }) },
    { store },
  );

test('only approved proposals reach the file, and of them only what was ticked', async () => {
  const { store, golden } = begin();
  const all = ['a', 'b', 'c', 'd'].map((id) => proposed(id, golden));
  await addProposals(store.documents, all);
  for (const id of [0, 3]) await approve(store, all[id] as Proposal);
  await decideProposal({ proposal: 'b', person: 'Bob', outcome: { status: 'rejected' } }, { store });
  await decideProposal({ proposal: 'd', person: 'Bob', outcome: { status: 'withdrawn' } }, { store });
  const dry = await exportProposals({ store, file: golden, isDryRun: true });
  expect(dry.files[0]?.patch).toContain('+{"id": "a"');
  expect(readFileSync(golden, 'utf8').trimEnd().split('\n')).toHaveLength(1);
  expect((await readProposal('a', { store })).exports).toEqual([]);
  await exportProposals({ store, file: golden });
  const text = readFileSync(golden, 'utf8');
  // The names come from the line that is there.
  expect(text).toContain(
    '{"id": "a", "question": "What is the price of ticket a?", "must_include": ["ticked-a"]',
  );
  for (const kept of ['unticked', 'ticket b', 'ticket c', 'ticket d']) expect(text).not.toContain(kept);
  expect((await readProposal('a', { store })).exports).toMatchObject([{ caseId: 'a', part: 'golden' }]);
  await exportProposals({ store, file: golden });
  expect(readFileSync(golden, 'utf8')).toBe(text);
});

test('a share is held out by the question, in one file, and stays there whatever share is asked for later', async () => {
  const { store, golden, folder } = begin();
  const heldOutFile = path.join(folder, 'held-out.jsonl');
  const all = Array.from({ length: 200 }, (_, index) => proposed(`p${index}`, golden));
  await addProposals(store.documents, all);
  for (const each of all) await approve(store, each);
  await expect(exportProposals({ store, file: golden, heldOut: 0.3 })).rejects.toMatchObject({
    code: 'usage-invalid',
  });
  await exportProposals({ store, file: golden, heldOut: 0.3, heldOutFile });
  const idsIn = (file: string) => new Set(readFileSync(file, 'utf8').match(/"id": "p\d+"/g));
  const [kept, apart] = [idsIn(golden), idsIn(heldOutFile)];
  expect(kept.size + apart.size).toBe(200);
  expect([...kept].filter((id) => apart.has(id))).toEqual([]);
  // Binomial with n = 200 and p = 0.3: 60 ± 4 standard deviations.
  expect(apart.size).toBeGreaterThan(34);
  expect(apart.size).toBeLessThan(86);
  const before = [golden, heldOutFile].map((file) => readFileSync(file, 'utf8'));
  await exportProposals({ store, file: golden });
  await exportProposals({ store, file: golden, heldOut: 1, heldOutFile });
  expect([golden, heldOutFile].map((file) => readFileSync(file, 'utf8'))).toEqual(before);
});

test('lint shows what it finds about a case before it is approved', async () => {
  const { store, golden } = begin();
  const same = proposed('a', golden, {
    case: { input: 'Where do I park my bicycle?', tags: [], metadata: {} },
  });
  await addProposals(store.documents, [same]);
  const findings = await lintProposal(await readProposal('a', { store }));
  expect(findings.map(({ rule, file }) => [rule, file])).toContainEqual(['leak', 'a']);
  // In the file, it is not its own duplicate.
  const fresh = proposed('b', golden);
  await addProposals(store.documents, [fresh]);
  await approve(store, fresh);
  await exportProposals({ store, file: golden });
  expect(await lintProposal(await readProposal('b', { store }))).toEqual([]);
});

test('a case that is none cannot be approved, and a file that is no JSON Lines is refused', async () => {
  const { store, golden, folder } = begin();
  const proposal = proposed('a', golden);
  await addProposals(store.documents, [proposal]);
  const outcome = makeApproval(proposal, { ticks: [], edited: { ...proposal.case, input: '  ' } });
  await expect(decideProposal({ proposal: 'a', person: 'Bob', outcome }, { store })).rejects.toMatchObject({
    code: 'proposal-invalid',
  });
  expect(() => makeApproval(proposal, { ticks: [3] })).toThrow(
    expect.objectContaining({ code: 'usage-invalid' }),
  );
  const csv = path.join(folder, 'golden.csv');
  const other = proposed('b', csv);
  await addProposals(store.documents, [other]);
  await approve(store, other);
  await expect(exportProposals({ store, file: csv })).rejects.toMatchObject({ code: 'output-invalid' });
  expect(existsSync(csv)).toBe(false);
});

test('a forgotten user is erased with the proposals, and the lines that hold the cases are named', async () => {
  const { store, golden } = begin();
  expect(await importTraces(fixture, { store })).toEqual({ added: 3, known: 0, traces: 1, rejected: {} });
  expect(await importTraces(fixture, { store })).toMatchObject({ added: 0, known: 3 });
  const [head] = await Array.fromAsync(store.documents.list(traceKind));
  const traceId = head?.traceId ?? '';
  const proposal = proposed('a', golden, { source: { type: 'trace', traceId, day: '2026-01-02' } });
  await addProposals(store.documents, [proposal, proposed('b', golden)]);
  await approve(store, proposal);
  await exportProposals({ store, file: golden });
  expect((await readTrace(traceId.slice(0, 6), { store })).proposals).toMatchObject([
    { id: 'a', state: 'exported', caseId: 'a', results: [] },
  ]);
  expect(await forgetTraces({ store, users: ['somebody@example.org'] })).toMatchObject({
    traces: [],
    proposals: 0,
  });
  expect(await forgetTraces({ store, users: ['jo@example.org'] })).toEqual({
    traces: [traceId],
    proposals: 1,
    lines: [{ file: expect.stringContaining('golden.jsonl'), line: 2, caseId: 'a', traceId }],
    runs: [],
  });
  await expect(readTrace(traceId, { store })).rejects.toMatchObject({ code: 'trace-not-found' });
  expect((await importTraces(fixture, { store })).rejected).toEqual({ 'the trace was erased': 3 });
});
