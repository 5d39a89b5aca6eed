/** What the processes of one target have shown of themselves so far. */
export interface TrackRecord {
  /** Replies with an id that had been asked: a target that has given one speaks the protocol. */
  replies: number;
  /** Processes that have ended by themselves since the last reply. */
  deathsInARow: number;
  lastDeath: string;
  /** Calls that were given up because the only thing written was no reply. */
  strayFailures: number;
}

/** The record of a process of which nothing is known yet. */
export function createTrackRecord(): TrackRecord {
  return { replies: 0, deathsInARow: 0, lastDeath: '', strayFailures: 0 };
}

const maxDeaths = 5;

/** Whether starting yet another process is pointless: none has ever answered, and several have died. */
export function keepsDying({ replies, deathsInARow }: TrackRecord): boolean {
  return replies === 0 && deathsInARow >= maxDeaths;
}
