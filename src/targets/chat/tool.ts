import type { ToolSpec } from '../../models/model.ts';
import type { Json } from '../../schema/json.ts';
import type { TargetRequest, ToolOutcome } from '../target.ts';

/** What a tool is told beside its arguments. */
export interface ToolContext extends Pick<TargetRequest, 'key' | 'caseId' | 'metadata' | 'attempt' | 'seed'> {
  /** Aborted when the time limit is over. */
  readonly signal: AbortSignal;
}

/** A tool that can be used. */
export interface LiveTool {
  readonly spec: ToolSpec;
  /** Where it comes from, for messages. */
  readonly source: string;
  /** Throws `TargetFailure` only where the conversation cannot go on, such as when a server is gone. */
  run(given: { readonly [name: string]: Json }, context: ToolContext): Promise<ToolOutcome>;
}
