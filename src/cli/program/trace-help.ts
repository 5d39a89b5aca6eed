/** The examples of the commands about traces and proposals. */
export const traceExamples = {
  traces: `
Examples:
  $ touchstone view --ingest                      a server on this machine that takes traces (OTLP)
  $ touchstone traces import spans.json           spans that are there already are left out
  $ touchstone traces show 5b8eff                 its answer, feedback and cases, and later runs
  $ touchstone traces forget --user u-17          erases, and names the lines that hold cases

What is stored, and for how long: docs/traces.md.`,
  propose: `
Examples:
  $ touchstone propose --dry-run                  what would be proposed, and why
  $ touchstone propose --seed 7 --random 2%       the same draw again
  $ touchstone propose --reason escalated negative-feedback
  $ touchstone propose --trace 5b8efff798038103d269b633813fc60c --dataset golden.jsonl

More: docs/traces.md.`,
  proposals: `
Examples:
  $ touchstone proposals list --state open
  $ touchstone proposals show 1f2e                the expectations have numbers
  $ touchstone proposals decide 1f2e --approve --tick 1,3
  $ touchstone proposals export golden.jsonl      the approved cases, each once
  $ touchstone proposals export --patch | git apply

Exit codes: 0 done; 2 a case could not be written. More: docs/traces.md.`,
};
