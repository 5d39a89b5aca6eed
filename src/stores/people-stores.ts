import type { CertificateStore } from './certificates/certificate-store.ts';
import type { FeedbackStore } from './feedback/feedback-store.ts';
import type { ProposalStore } from './proposals/proposal-store.ts';
import type { ReviewStore } from './reviews/review-store.ts';
import type { TraceStore } from './traces/trace-store.ts';

/**
 * The parts of a store for what people said and did, and for what was recorded in production. Their records belong to no run,
 * and stay when a run is deleted.
 */
export interface PeopleStores {
  /** The rubrics, review tasks and labels of people. */
  readonly reviews: ReviewStore;
  /** The certificates of judges. */
  readonly certificates: CertificateStore;
  /** The feedback of users. */
  readonly feedback: FeedbackStore;
  /** The proposed cases, and people's decisions on them. */
  readonly proposals: ProposalStore;
  /** The traces of production. */
  readonly traces: TraceStore;
}
