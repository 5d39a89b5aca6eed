// Without schemas, which `touchstone --help` does not have to load.

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
export type PickReason = (typeof pickReasons)[number];
