import { copyJson } from '../../core/lib/json/copy-json.ts';
import type { ProposalDecision, ProposalExport } from '../../core/schema/proposal/decision.ts';
import { type KeptProposal, stateOf } from '../../core/schema/proposal/kept-proposal.ts';
import type { Proposal } from '../../core/schema/proposal/proposal.ts';
import { proposalNotFound, requireDecision } from './admit-decision.ts';
import type { ProposalChoice, ProposalStore } from './proposal-store.ts';
import { type MemoryTexts, valuesOf } from '../texts/memory-texts.ts';

/** Creates an empty collection of proposals in memory. `countWrites` returns a number that grows with every write. */
export function createMemoryProposals(): {
  readonly proposals: ProposalStore;
  readonly countWrites: () => number;
  /** The records whose texts may be erased. */
  readonly texts: Pick<MemoryTexts, 'proposal' | 'decision' | 'proposal-export'>;
} {
  const kept = new Map<string, Proposal>();
  const decisions = new Map<string, ProposalDecision>();
  const written = new Map<string, ProposalExport>();
  let writes = 0;

  const withEvents = (proposal: Proposal): KeptProposal => ({
    proposal,
    decisions: [...decisions.values()].filter((each) => each.proposal === proposal.id).sort(compareEvents),
    exports: [...written.values()].filter((each) => each.proposal === proposal.id).sort(compareEvents),
  });
  const find = (id: string) => {
    const proposal = kept.get(id);
    return proposal && withEvents(proposal);
  };

  const proposals: ProposalStore = {
    add: async (incoming) => {
      writes += 1;
      const fresh = new Map(incoming.filter(({ id }) => !kept.has(id)).map((each) => [each.id, each]));
      for (const [id, proposal] of fresh) kept.set(id, copyJson(proposal));
      return { added: fresh.size, known: incoming.length - fresh.size };
    },
    decide: async (decision, rules) => {
      if (decisions.has(decision.id)) return;
      const about = find(decision.proposal);
      if (about === undefined) throw proposalNotFound(decision.proposal);
      requireDecision(about, decision, rules);
      writes += 1;
      decisions.set(decision.id, copyJson(decision));
    },
    addExports: async (exports) => {
      const unknown = exports.find(({ proposal }) => !kept.has(proposal));
      if (unknown !== undefined) throw proposalNotFound(unknown.proposal);
      writes += 1;
      const before = written.size;
      for (const each of exports) if (!written.has(each.id)) written.set(each.id, copyJson(each));
      return written.size - before;
    },
    find: async (id) => copyJson(find(id)),
    read: async function* (choice = {}) {
      const all = [...kept.values()].sort(compareEvents).map(withEvents).filter(matches(choice));
      for (const each of all) yield copyJson(each);
    },
    erase: async (ids) => {
      writes += 1;
      const found = ids.filter((id) => kept.delete(id));
      for (const events of [decisions, written])
        for (const [id, { proposal }] of events) if (ids.includes(proposal)) events.delete(id);
      return found.length;
    },
  };
  const texts = {
    proposal: () => valuesOf(kept),
    decision: () => valuesOf(decisions),
    'proposal-export': () => valuesOf(written),
  };
  return { proposals, countWrites: () => writes, texts };
}

/** Returns the order of two events: by time, then by id. */
function compareEvents(one: Pick<Proposal, 'at' | 'id'>, other: Pick<Proposal, 'at' | 'id'>): number {
  const [a, b] = [`${one.at} ${one.id}`, `${other.at} ${other.id}`];
  return a < b ? -1 : Number(a > b);
}

/** Returns a function that checks whether a proposal meets the conditions. */
export function matches({ dataset, state, traceId }: ProposalChoice): (kept: KeptProposal) => boolean {
  return (kept) => {
    const { source } = kept.proposal;
    return (
      (dataset === undefined || kept.proposal.dataset === dataset) &&
      (traceId === undefined || (source.type === 'trace' && source.traceId === traceId)) &&
      (state === undefined || stateOf(kept) === state)
    );
  };
}
