/** A tool could not do its work; `activity` says what it was doing, as in "querying the database". */
export class ToolExecutionError extends Error {
  override name = 'ToolExecutionError';
  readonly activity: string;

  constructor(activity: string, message: string) {
    super(message);
    this.activity = activity;
  }
}
