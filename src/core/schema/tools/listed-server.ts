/** A tool of a server, as the server lists it. */
export interface ListedTool {
  readonly name: string;
  readonly isReadOnly?: boolean;
}

/** One server of tools, with what it offers; without `tools` where that cannot be known. */
export interface ListedServer {
  readonly name: string;
  readonly tools?: readonly ListedTool[];
  /** Why its tools could not be listed. */
  readonly failure?: unknown;
}

/** The numbers of questions that a line about tools has. */
export interface QuestionCounts {
  readonly questions: number;
  /** The questions that bring results of tools along. */
  readonly mocked: number;
}
