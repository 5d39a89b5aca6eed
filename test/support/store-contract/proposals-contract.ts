import type { ProposalDecision, ProposalExport } from '../../../src/core/schema/proposal/decision.ts';
import type { Proposal } from '../../../src/core/schema/proposal/proposal.ts';
import type { Store } from '../../../src/stores/store.ts';
import type { TestRunner } from '../../../src/library/testing/test-runner.ts';
import { collect, fill, run, type StoreTest } from './store-records.ts';
import { proposalKind } from '../../../src/stores/kinds/proposal.ts';
import {
  addExports,
  addProposals,
  eraseProposals,
  storeDecision,
  type ProposalChoice,
  queryOf,
} from '../../../src/stores/proposals/proposal-records.ts';

/** Builds a proposal for tests: a question from a trace, with an expected tool and an expected answer. */
export function buildProposal(id: string, parts: Partial<Proposal> = {}): Proposal {
  return {
    id,
    dataset: 'golden.jsonl',
    change: 'new',
    case: { input: 'When do you open?', tags: [], metadata: {} },
    expectations: [
      { field: 'tools', value: 'hours', proof: { type: 'span', spanId: 's2', text: 'called once' } },
      { field: 'answer', value: 'At nine.', proof: { type: 'text', text: 'the answer' } },
    ],
    source: { type: 'trace', traceId: `trace-${id}`, day: '2026-01-02' },
    picked: [{ reason: 'random', why: 'drawn with 1 %' }],
    checks: [{ name: 'duplicate', passed: true, reason: 'no case asks the same' }],
    isSynthetic: false,
    by: { type: 'person', name: 'Ann' },
    at: '2026-01-03T10:00:00.000Z',
    ...parts,
  };
}

/** Builds a decision for tests: the approval of a proposal by another person, with the first expectation ticked. */
export function buildDecision(proposal: string, parts: Partial<ProposalDecision> = {}): ProposalDecision {
  return {
    id: `decision-${proposal}`,
    proposal,
    outcome: {
      status: 'approved',
      case: { input: 'When do you open?', tags: [], metadata: {} },
      expectations: [{ expectation: 0, field: 'tools', value: 'hours' }],
    },
    by: { person: 'Bob' },
    at: '2026-01-04T10:00:00.000Z',
    ...parts,
  };
}

/** Builds the record of an export for tests. */
function buildExport(proposal: string, parts: Partial<ProposalExport> = {}): ProposalExport {
  return {
    id: `export-${proposal}`,
    proposal,
    decision: `decision-${proposal}`,
    file: 'golden.jsonl',
    caseId: proposal,
    part: 'golden',
    at: '2026-01-05T10:00:00.000Z',
    ...parts,
  };
}

const strict = { isOwnAllowed: false };

/** Registers the tests of storing proposals and the decisions on them. */
export function testProposals(storeTest: StoreTest, expect: TestRunner['expect']): void {
  const ids = async ({ documents }: Store, choice?: ProposalChoice) =>
    (await collect(documents.list(proposalKind, queryOf(choice ?? {})))).map(({ proposal }) => proposal.id);

  storeTest('proposals are read as they were written, by time, each once', async (store) => {
    const { documents } = store;
    const first = buildProposal('b', {
      case: { input: 'nul \u0000, high \u{1f642}', tags: ['t'], metadata: {} },
    });
    const later = buildProposal('a', { at: '2026-01-04T00:00:00.000Z' });
    expect(await addProposals(documents, [later, first])).toEqual({ added: 2, known: 0 });
    expect(await addProposals(documents, [first, buildProposal('c')])).toEqual({ added: 1, known: 1 });
    expect(await collect(documents.list(proposalKind))).toEqual(
      [first, buildProposal('c'), later].map((proposal) => ({ proposal, decisions: [], exports: [] })),
    );
    expect(await documents.get(proposalKind, ['c'])).toEqual({
      proposal: buildProposal('c'),
      decisions: [],
      exports: [],
    });
    expect(await documents.get(proposalKind, ['nothing'])).toBeUndefined();
  });

  storeTest('a proposal is open, approved, rejected or exported, as its decisions say', async (store) => {
    const { documents } = store;
    await addProposals(
      documents,
      ['a', 'b', 'c', 'd'].map((id) => buildProposal(id)),
    );
    await storeDecision(documents, buildDecision('a'), strict);
    await storeDecision(documents, buildDecision('b', { outcome: { status: 'rejected' } }), strict);
    await storeDecision(documents, buildDecision('c'), strict);
    expect(await addExports(documents, [buildExport('c')])).toBe(1);
    expect(await addExports(documents, [buildExport('c')])).toBe(0);
    expect(await ids(store, { state: 'approved' })).toEqual(['a']);
    expect(await ids(store, { state: 'rejected' })).toEqual(['b']);
    expect(await ids(store, { state: 'exported' })).toEqual(['c']);
    expect(await ids(store, { state: 'open' })).toEqual(['d']);
    expect(await documents.get(proposalKind, ['c'])).toEqual({
      proposal: buildProposal('c'),
      decisions: [buildDecision('c')],
      exports: [buildExport('c')],
    });
  });

  storeTest('a decision is made once, and taken back before its case is in a file', async (store) => {
    const { documents } = store;
    await addProposals(documents, [buildProposal('a')]);
    const withdrawal = buildDecision('a', {
      id: 'w',
      outcome: { status: 'withdrawn' },
      at: '2026-01-04T11:00:00.000Z',
    });
    const refused = { code: 'proposal-refused' };
    await expect(storeDecision(documents, withdrawal, strict)).rejects.toMatchObject(refused);
    await storeDecision(documents, buildDecision('a'), strict);
    await storeDecision(documents, buildDecision('a'), strict);
    await expect(storeDecision(documents, buildDecision('a', { id: 'x' }), strict)).rejects.toMatchObject(
      refused,
    );
    await storeDecision(documents, withdrawal, strict);
    expect(await ids(store, { state: 'open' })).toEqual(['a']);
    const again = buildDecision('a', { id: 'y', at: '2026-01-04T12:00:00.000Z' });
    await storeDecision(documents, again, strict);
    await addExports(documents, [buildExport('a', { decision: 'y' })]);
    await expect(
      storeDecision(documents, { ...withdrawal, id: 'z', at: '2026-01-04T13:00:00.000Z' }, strict),
    ).rejects.toMatchObject(refused);
    expect((await documents.get(proposalKind, ['a']))?.decisions.map(({ id }) => id)).toEqual([
      'decision-a',
      'w',
      'y',
    ]);
    await expect(storeDecision(documents, buildDecision('nothing'), strict)).rejects.toMatchObject({
      code: 'proposal-not-found',
    });
    await expect(addExports(documents, [buildExport('nothing')])).rejects.toMatchObject({
      code: 'proposal-not-found',
    });
  });

  storeTest('the person who proposed does not approve, unless that is allowed', async ({ documents }) => {
    await addProposals(documents, [
      buildProposal('a'),
      buildProposal('b', { by: { type: 'program', name: 'Bob', model: 'm' } }),
    ]);
    const own = buildDecision('a', { by: { person: ' ann ' } });
    await expect(storeDecision(documents, own, strict)).rejects.toMatchObject({ code: 'proposal-refused' });
    // What a program has drafted has no person as its author.
    await storeDecision(documents, buildDecision('b', { by: { person: 'Bob' } }), strict);
    await storeDecision(documents, own, { isOwnAllowed: true });
    const unknown = [{ expectation: 2, field: 'answer' as const, value: 'x' }];
    await addProposals(documents, [buildProposal('c')]);
    const ticked = buildDecision('c');
    await expect(
      storeDecision(
        documents,
        { ...ticked, outcome: { ...ticked.outcome, expectations: unknown } as ProposalDecision['outcome'] },
        strict,
      ),
    ).rejects.toMatchObject({ code: 'proposal-refused' });
  });

  storeTest('of two people who decide at the same time, one is refused', async ({ documents }) => {
    await addProposals(documents, [buildProposal('a')]);
    const outcomes = await Promise.allSettled(
      ['Bob', 'Eve', 'Joe'].map(
        async (person) =>
          await storeDecision(documents, buildDecision('a', { id: person, by: { person } }), strict),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await documents.get(proposalKind, ['a']))?.decisions).toHaveLength(1);
  });

  storeTest(
    'proposals are chosen by dataset and by trace, and erased with all that is about them',
    async (store) => {
      const { documents } = store;
      await fill(store);
      await addProposals(documents, [
        buildProposal('a'),
        buildProposal('b', { dataset: 'other.jsonl' }),
        buildProposal('c'),
      ]);
      await storeDecision(documents, buildDecision('c'), strict);
      await addExports(documents, [buildExport('c')]);
      expect(await ids(store, { dataset: 'other.jsonl' })).toEqual(['b']);
      expect(await ids(store, { traceId: 'trace-c' })).toEqual(['c']);
      const before = await store.readVersion();
      expect(await eraseProposals(documents, ['c', 'nothing'])).toBe(1);
      expect(await store.readVersion()).not.toBe(before);
      expect(await ids(store)).toEqual(['a', 'b']);
      expect(await collect(store.check())).toEqual([]);
      // It can be proposed again, without the decisions of before.
      await addProposals(documents, [buildProposal('c')]);
      expect(await documents.get(proposalKind, ['c'])).toEqual({
        proposal: buildProposal('c'),
        decisions: [],
        exports: [],
      });
      await store.deleteRun(run.id);
      expect(await ids(store)).toHaveLength(3);
    },
  );
}
