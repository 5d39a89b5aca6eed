/** How a run is told to end early. */
export interface StopSignals {
  /** Nothing new is started; what is in flight is finished and kept. */
  readonly stop: AbortSignal;
  /** What is in flight is cancelled too. */
  readonly abort: AbortSignal;
}
