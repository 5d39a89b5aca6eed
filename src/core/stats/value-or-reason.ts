/** A number without limits, or the reason why it is unknown. */
export type ValueOrReason = {
  /** The number of observations behind it. */
  readonly n: number;
} & (
  | { readonly status: 'defined'; readonly value: number }
  | { readonly status: 'undefined'; readonly value: null; readonly reason: string }
);

/** Returns a known number. */
export function knownValue(value: number, n: number): ValueOrReason {
  return { status: 'defined', value, n };
}

/** Returns an unknown number, with the reason as a phrase for a report. */
export function unknownValue(reason: string, n: number): ValueOrReason {
  return { status: 'undefined', value: null, reason, n };
}
