// Without schemas, which `--help` must not have to load.

/** The states of a proposal, which follow from its decisions and exports. */
export const proposalStates = ['open', 'approved', 'rejected', 'exported'] as const;
export type ProposalState = (typeof proposalStates)[number];

/** The reasons for which something is proposed. */
export const pickReasons = [
  'negative-feedback',
  'escalated',
  'judge-failed',
  'error',
  'expensive',
  'unlike',
  'random',
  'drafted',
  'by-hand',
] as const;
