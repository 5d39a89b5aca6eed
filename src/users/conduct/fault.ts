/** What a simulated user can do that no user would. */
export type FaultKind =
  /** A reply was not of the form asked for. */
  | 'broke-format'
  /** Went on without saying anything. */
  | 'empty-message'
  /** Took the part of the other side. */
  | 'played-assistant'
  /** Said the same thing again and again. */
  | 'repeated-itself'
  /** Said what the user cannot know. */
  | 'leaked'
  /** Ended the conversation before its time. */
  | 'stopped-early';

/** One thing that a simulated user did wrong. */
export interface Fault {
  readonly kind: FaultKind;
  /** What exactly, in words that go behind "the user". */
  readonly reason: string;
}
