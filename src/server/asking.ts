/** The means by which a server asks questions again: as the command line does, in a process of its own. */
export interface Asking {
  /** Returns what a command line would ask and what it would cost, in the words of `--dry-run`, and asks nothing. Throws `asking-refused`. */
  plan(args: readonly string[]): Promise<string>;
  /** Begins a run. Returns its id as soon as its questions are planned. Throws `asking-refused` when that fails. */
  start(args: readonly string[]): Promise<string>;
}
