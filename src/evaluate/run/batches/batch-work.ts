import type { BatchView } from '../../../core/schema/api/waiting-view.ts';
import type { DocumentStore } from '../../../stores/documents/document-store.ts';
import type { BatchApi } from '../../models/model.ts';
import type { StopSignals } from '../limits/run-control.ts';

/** The pauses of batches in milliseconds. */
export interface BatchPace {
  /** Between two looks at a batch: at first, and at most. */
  readonly pollMs: number;
  readonly longestPollMs: number;
  /** Before each look for a batch whose submission no process saw the end of. */
  readonly lookMs: readonly number[];
  /** Before a failed request to the provider is repeated, where it names no other time. */
  readonly retryMs: number;
}

/** The usual pauses. */
export const usualPace: BatchPace = {
  pollMs: 15_000,
  longestPollMs: 300_000,
  lookMs: [0, 20_000, 40_000],
  retryMs: 15_000,
};

/** The money of the batches of one round. */
export interface BatchMoney {
  /** The likely cost of batches that have ended, whose real cost is known once their results are scored. */
  ended: number;
  /** True when a batch may be too much together with the others: the next round, which knows what they cost, decides. */
  isHeld: boolean;
}

/** The surroundings of the batches of a run. */
export interface BatchWork {
  readonly runId: string;
  readonly documents: DocumentStore;
  /** The runs that this process has claimed, its own first: only their batches are touched. */
  readonly runs: () => readonly string[];
  /** The runs whose questions are submitted: what the runs before this one have put aside may be asked no more. */
  readonly asking: () => readonly string[];
  /** The batches of the models, by the fingerprint of the model. */
  readonly apis: ReadonlyMap<string, BatchApi>;
  readonly signals: StopSignals;
  readonly pace: BatchPace;
  /** The most requests of a batch, by model, once a provider has found a larger one too large. */
  readonly mostRequests: Map<string, number>;
  /** Returns whether a batch of this cost may be submitted, on top of others of a cost. If not, and there are none, the run has been stopped. */
  readonly mayCost: (reserved: number, cost: number) => boolean;
  readonly money: BatchMoney;
  readonly onNotice: (message: string) => void;
  readonly onBatches: (batches: readonly BatchView[]) => void;
}
