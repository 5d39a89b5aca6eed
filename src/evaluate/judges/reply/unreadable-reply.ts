/** An error for a reply that is not in the requested form. Its message names the fault, so that the judge can correct it. */
export class UnreadableReply extends Error {
  readonly code: string = 'judge-unreadable';
}

/** An error for a judge that was cut off. */
export class CutOff extends UnreadableReply {
  override readonly code = 'judge-cut-off';
}

/** An error for a judge that did not judge. */
export class JudgeRefused extends UnreadableReply {
  override readonly code = 'judge-refused';
}

/** An error for a verdict whose quote is missing or not in the material. */
export class MissingQuote extends UnreadableReply {
  override readonly code = 'judge-quote-missing';
}
