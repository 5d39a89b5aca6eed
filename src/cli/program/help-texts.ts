/** How to begin, below the list of commands. */
export const firstSteps = `
First steps:
  $ touchstone init my-eval        lays out a config, ten questions and a bot
  $ cd my-eval && touchstone run   asks them, scores the answers, prints the report
  $ touchstone show --verbose      every question, answer and verdict of the last run
  $ touchstone run --help          what else a run can do; every command has its own
`;

/** What a build script learns from the end of a command. */
export const exitCodes = `
Exit codes:
  0  the gate passed, or there is none
  1  the gate failed: the score is under --fail-under, or a rule of the gate is broken
  2  not measured: too many errors, or the run was ended before it was done
  3  inconclusive: shown neither to pass nor to fail; gate.inconclusive can make it 0 or 1
  4  wrong usage, configuration or data; nothing was called
  70  a fault of Touchstone itself; what was answered is kept
  130  interrupted with Ctrl-C; what was answered is kept, --resume goes on`;

/** What `--filter` takes, below the options of the commands that have it. */
const filterGrammar = `
Filters:
  FIELD=VALUE      cases whose field is the value; FIELD!=VALUE for all others
  fields           id, category, tag, cluster, question, metadata.NAME
  *                any text: id=tax-*, question=*lease*
  |                either of several: category=tax|legal
  several terms    all must hold: --filter 'category=tax tag!=slow', or --filter twice
  Capital and small letters are the same. Cases without a category are in category=uncategorized.
`;

/** What `--faults` and `--perturb` take, below the options of `run`. */
const conditionGrammar = `
Faults and perturbations:
  Each is one more target beside the bot as it is, such as "bot + fault timeout".
  --faults         what goes wrong in the tools of the bot
    timeout, error, rate-limit           the tool is not run, and an error comes back
    empty, truncated, malformed, stale   the tool is run, and its result is spoilt
    all                                  all of these
    timeout@0.5    hits half of the calls. Without a rate, in one half of the trials only the first
                   use of each tool is hit, so that trying again helps; in the others every use is.
  --perturb        how else the question is put
    typos, case, white-space, diacritics, paraphrase, distractor
    language:German                      by perturbModel, or from metadata.translations of the cases
    prompt-injection                     an order to the bot in what its tools retrieve
    all                                  all of these but language
    case:upper, typos@0.1                a sort of it, and how much
  Faults reach the tools of chat targets, and of module targets that use them by request.useTool.
  The report says how often the verdict held, and whether the bot recovered, told the user, gave up,
  was misled or made something up.
`;

/** Command lines to learn from, below the options of each command. */
export const examples = {
  init: `
Examples:
  $ touchstone init my-eval                    a bot that is a TypeScript function
  $ touchstone init my-eval --target command   a bot in any language, run as a process
  $ touchstone init my-eval --target http      a bot behind an endpoint`,
  run: `
Examples:
  $ touchstone run                                   the config in this folder
  $ touchstone run examples/python-bot --verbose     the config in another
  $ touchstone run --dataset new.csv --limit 20      other questions, the first 20
  $ touchstone run --attempts 5 --filter category=hybrid
  $ touchstone run --passes "4 of 5"                 a case passes when 4 of its 5 attempts do
  $ touchstone run --fail-under 85 --output report.md --output report.json
  $ touchstone run --fail-under 85 --sequential      only as many questions as the gate takes
  $ touchstone run --dry-run                         how many calls it would be
  $ touchstone run --faults all --perturb typos      what if tools fail, and users mistype?
  $ touchstone run --resume                          after Ctrl-C or a crash: only what is missing
${filterGrammar}${conditionGrammar}
Sequential:
  --sequential asks in a seeded random order and ends the run as soon as the gate is decided. A
  target that breaks a rule passes in at most 5 % of runs, one that keeps every rule fails in at
  most 5 %; gate.sequential: { error: 0.01 } makes that 1 %.
  Where the gate stays open everything is asked; a run that a limit ends goes on with --resume.

Ctrl-C finishes what is in flight and keeps it; a second one cancels that, a third ends at once.
`,
  score: `
Examples:
  $ touchstone score answers.jsonl                      all in one file
  $ touchstone score answers.csv --dataset golden.csv   answers by id or by question
  $ touchstone score traces.json --dataset golden.jsonl   OpenTelemetry or OpenInference traces
  $ touchstone score answers.jsonl --config . --fail-under 85
${filterGrammar}`,
  rescore: `
Examples:
  $ touchstone rescore                              the last run, by the config as it is now
  $ touchstone rescore dwwq --config strict.yaml    by the rules of another config
  $ touchstone rescore --weights 'correct time=0.35,clear explanation=0.1'
  $ touchstone rescore --weights 'correct time=0.35' --keep

A new metric or judge is asked about every stored answer; what a judge said before is not paid
again.`,
  plan: `
Examples:
  $ touchstone plan                           from the last run: what it takes to see 5 points
  $ touchstone plan dwwq --difference 2       a smaller difference
  $ touchstone plan --target v1 v2 --power 90`,
  compare: `
Examples:
  $ touchstone compare latest~1 latest              the last run against the one before
  $ touchstone compare main latest --output report.md    against the baseline main
  $ touchstone compare run.jsonl latest             against an exported run
  $ touchstone compare dwwq x3ab --target bot=bot-v2
  $ touchstone compare dwwq latest --fail-on-regression --margin 3
  $ touchstone compare dwwq x3ab k7fe               all against the first, and a ranking

Questions are paired by what is asked and expected, whatever their ids; attempts are averaged first.
Exit code 0 whatever was found; with --fail-on-regression 1 for a regression, 2 when it was not
measured, 3 when it cannot be told.`,
  ab: `
Examples:
  $ touchstone ab old.config.yaml new.config.yaml     two configs with a target each
  $ touchstone ab --a v1 --b v2                       two targets of the config here
  $ touchstone ab --set targets.0.model.model=gpt-5-mini   the bot as it is, and with another model
  $ touchstone ab --set targets.bot.with.topK=8 --attempts 3 --max-cost 5
  $ touchstone ab --dry-run                           how many calls it would be

PATH is a path into the config, with a target by its number or its name; VALUE is JSON or a text.
Only the target may differ: dataset, metrics, scorecard and settings are those of both.

Exit codes:
  0  A and B were compared, whatever was found
  1, 3  with --fail-on-regression: B is shown to be worse by more than the margin; that is open
  2  not measured: not enough data, or the run was ended before it was done
  4  wrong usage, configuration or data; nothing was called
  130  interrupted with Ctrl-C; what was answered is kept, --resume goes on`,
  gate: `
Examples:
  $ touchstone gate                                 the last run, by the gate it was made with
  $ touchstone gate dwwq --config . --json          by the gate of the config as it is now
  $ touchstone gate latest --baseline main          held against a baseline
`,
  baseline: `
Examples:
  $ touchstone baseline set main                    the last run
  $ touchstone baseline set release-2 dwwq
  $ touchstone baseline export main baselines/main.json
  $ touchstone run --baseline main                  is it shown not to be worse?

A baseline holds the score and verdicts of every case, without questions and answers. It is a file
in the folder of the store, or in your repository.`,
  runs: `
Examples:
  $ touchstone runs --limit 10
  $ touchstone runs --watch                         how the runs under way go on
  $ touchstone runs --json | jq -r '.[].id'`,
  trends: `
Examples:
  $ touchstone trends                               the newest 30 runs
  $ touchstone trends --branch main --since 30d --output trends.md
  $ touchstone trends --category hybrid
  $ touchstone trends --metric keywords --target assistant --json

Runs are only held against those that ask the same questions and score by the same rules; where
that changed there is a line. A mark says which level changed, how much, and between which commits.
Exit code 0 whatever was found.`,
  show: `
Examples:
  $ touchstone show                                 the last run
  $ touchstone show dwwq --verbose                  the run whose id ends in dwwq, in full
  $ touchstone show --case refund-policy            one case, with nothing cut
  $ touchstone show --filter category=hybrid --output hybrid.md
  $ touchstone show --disagreements                 where metrics contradict each other
  $ touchstone show --disagreements paraphrase      only where other words were judged right
${filterGrammar}`,
  export: `
Examples:
  $ touchstone export > run.jsonl                   the last run
  $ touchstone export dwwq --output run.jsonl       the run whose id ends in dwwq

  $ touchstone export dwwq --salvage > run.jsonl    what is whole of a damaged run

The file holds the run, its cases and every answer, call and verdict; \`touchstone import\` reads it.
Every line carries a hash of itself and of what stands before it. A damaged run is refused, with
exit code 4; with --salvage what is whole is written, what is not is listed, and the exit code is 2.`,
  import: `
Examples:
  $ touchstone import run.jsonl
  $ touchstone import run.jsonl --store elsewhere/.touchstone
  $ ssh ci cat run.jsonl | touchstone import -

A run that is in the store already is refused, with exit code 4; the store stays as it was.`,
  delete: `
Examples:
  $ touchstone delete dwwq                          asks first
  $ touchstone delete 20260102-030405-dwwq --yes    for scripts; \`touchstone export\` keeps a copy`,
  check: `
Examples:
  $ touchstone check                                the store here
  $ touchstone check --store other/.touchstone --json

Every record is read and held against its checksum, and the numbers of every run against its
records.
Exit code 0 where all is whole, 2 where it is not.`,
  completion: `
Examples:
  $ source <(touchstone completion bash)      in ~/.bashrc
  $ source <(touchstone completion zsh)       in ~/.zshrc, after compinit
  $ touchstone completion fish > ~/.config/fish/completions/touchstone.fish

Where touchstone is installed in a project, its folder node_modules/.bin has to be in PATH.`,
} as const;
