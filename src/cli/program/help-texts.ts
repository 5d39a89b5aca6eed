import { conditionGrammar, filterGrammar, resultGrammar, sequentialMeaning } from './help-sections.ts';

/** The example command lines, shown below the options of each command. */
export const examples = {
  metrics: `
Examples:
  $ touchstone metrics                      all of them, by what a high value says
  $ touchstone metrics hallucination        by what you want to check
  $ touchstone metrics groundedness         everything about one: what it reads and needs, its options
  $ touchstone metrics --reads documents --no-judge

Exit codes: 0 found; 4 nothing found, with the nearest word.`,
  docs: `
Examples:
  $ touchstone docs how many questions      the sections that fit best
  $ touchstone docs --page gate             a whole page`,
  predict: `
Examples:
  $ touchstone predict          from the feedback and the scores in the store
  $ touchstone predict --json

Exit codes: 0 measured; 2 not measured, with the reason. More: docs/feedback.md.`,
  feedback: `
Examples:
  $ touchstone feedback import reactions.jsonl    thumbs, stars, edits; skips what is stored already
  $ touchstone feedback show --by month           how many responded, and how
  $ touchstone feedback export reactions.jsonl    everything, for another store
  $ touchstone feedback list --limit 10
  $ touchstone view --ingest                      a server on this machine that takes feedback

The fields of a record, and what the numbers mean: docs/feedback.md.`,
  review: `
Examples:
  $ touchstone review create --rubric tone --doubled 20% --dry-run   the plan, and nothing stored
  $ touchstone review create --rubric tone --labels 200 --yes        200 answers of the last run
  $ touchstone review create --rubric rubrics/tone.yaml --run dwwq --draw random --yes
  $ touchstone review create --pairs latest~1 latest --doubled 20%   which of two answers is better
  $ touchstone review open                                           give labels for the newest task
  $ touchstone review show                                           the progress of the newest task

A rubric is declared under \`rubrics\` in the config, or in a file of its own: docs/labels.md.`,
  calibrate: `
Examples:
  $ touchstone calibrate --rubric tone                 the newest review task with this rubric
  $ touchstone calibrate --rubric tone --json
  $ touchstone calibrate latest --rubric tone --task tone-2026   the rate of another run
  $ touchstone calibrate --rubric tone --least-agreement 0.6 --tuned
  $ touchstone calibrate --rubric tone --history       what was tried, and what was refused

The conditions are explained in docs/calibrate.md.

Exit codes:
  0  all required conditions are met, and the certificate is written
  2  no certificate: a required condition is not met, or not measured
  4  wrong usage, or labels that cannot be compared with verdicts`,
  labels: `
Examples:
  $ touchstone labels export labels.jsonl                all labels, to commit
  $ touchstone labels import labels.jsonl                other people's; skips stored ones
  $ touchstone labels export tasks.json --task latest --format label-studio
  $ touchstone labels import project.json --task latest --format label-studio`,
  init: `
Examples:
  $ touchstone init my-eval                    a bot that is a TypeScript function
  $ touchstone init my-eval --target command   a bot in any language, run as a process
  $ touchstone init my-eval --target http      a bot behind an endpoint`,
  lint: `
Examples:
  $ touchstone lint golden.jsonl                     with the metrics of the config here, if any
  $ touchstone lint golden.jsonl --against train.jsonl   questions that are in both
  $ touchstone lint golden.csv extra.csv --strict    several files as one set; warnings fail, too
  $ touchstone lint --skip small-sample --json       the dataset of the config

To turn a rule off for one case, give it a tag: lint-skip:near-duplicate. The rules are explained in
docs/lint.md.

Exit codes:
  0  nothing was found, or only warnings and notes
  1  errors; with --strict, warnings, too
  4  wrong usage, or a file that cannot be opened`,
  run: `
Examples:
  $ touchstone run                                   the config in this folder
  $ touchstone run examples/python-bot --verbose     the config in another folder
  $ touchstone run --dataset new.csv --limit 20      the first 20 questions of another file
  $ touchstone run --attempts 5 --filter category=hybrid
  $ touchstone run --passes "4 of 5"                 a case passes when 4 of its 5 attempts do
  $ touchstone run --fail-under 85 --output report.md --output report.json
  $ touchstone run --fail-under 85 --sequential      only as many questions as the gate needs
  $ touchstone run --dry-run                         how many calls the run would make
  $ touchstone run --faults all --perturb typos      what if tools fail, and users mistype?
  $ touchstone run --resume                          after Ctrl-C or a crash: only missing answers
  $ touchstone run --watch --view                    follow your edits, with the dashboard
${filterGrammar}${conditionGrammar}${sequentialMeaning}
Ctrl-C finishes the calls in flight and stores their answers; a second one cancels them, a third
ends at once.
`,
  worker: `
Examples:
  $ touchstone worker                        help with the newest run in the store here
  $ touchstone worker dwwq --config evals    the run whose id ends in dwwq, of another config
  $ touchstone run --workers 8               start eight of them with a run
`,
  score: `
Examples:
  $ touchstone score answers.jsonl                      questions and answers in one file
  $ touchstone score answers.csv --dataset golden.csv   matched by id or by question
  $ touchstone score traces.json --dataset golden.jsonl   OpenTelemetry or OpenInference traces
  $ touchstone score answers.jsonl --config . --fail-under 85
${filterGrammar}`,
  rescore: `
Examples:
  $ touchstone rescore                              the last run, with the current config
  $ touchstone rescore dwwq --config strict.yaml    with the rules of another config
  $ touchstone rescore --weights 'correct time=0.35,clear explanation=0.1'
  $ touchstone rescore --weights 'correct time=0.35' --keep

A new metric or judge sees every stored answer. Judgements that are already stored are reused, not
paid for again.`,
  plan: `
Examples:
  $ touchstone plan                           from the last run: the size needed to see 5 points
  $ touchstone plan dwwq --difference 2       a smaller difference
  $ touchstone plan --target v1 v2 --power 90`,
  compare: `
Examples:
  $ touchstone compare latest~1 latest              the last run against the one before
  $ touchstone compare main latest --output report.md    against the baseline main
  $ touchstone compare main latest --output report.html  a page to send, with both answers
  $ touchstone compare run.jsonl latest             against an exported run
  $ touchstone compare dwwq x3ab --target bot=bot-v2
  $ touchstone compare dwwq latest --fail-on-regression --margin 3
  $ touchstone compare dwwq x3ab k7fe               all against the first, and a ranking

Questions are paired by what is asked and expected, whatever their ids; attempts are averaged first.
The exit code is 0 whatever the result; with --fail-on-regression it is 1 for a regression, 2 when
it was not measured, 3 when the data do not decide it.`,
  draft: `
Examples:
  $ touchstone draft --from docs --model gpt-5-mini --dry-run     how many calls, at what price
  $ touchstone draft --from docs --model gpt-5-mini --count 40 --max-cost 2
  $ touchstone draft --from faq.md --from pages.jsonl --model anthropic:claude-haiku-4-5
  $ touchstone draft --from docs --model model.yaml --mix fact=0.8,unanswerable=0.2
  $ touchstone draft --from traces --model gpt-5-mini             from what stored traces show

Kinds of question: fact, comparison, multi-document, unanswerable (from traces: the first two).
--model is a name, a kind and a name (openai-chat, anthropic, gemini, …), or a file with a model as
in a config: { use: openai-chat, model: qwen3:4b, baseUrl: http://localhost:11434/v1 }.

A question is proposed only if each expected fact is quoted word for word from a document, the model
answers it from the documents and not without them, and no other question asks the same. Repeat the
command to continue: replies are stored, and paid for once.

The exit code is 2 when questions could not be drafted or checked.`,
  prefer: `
Examples:
  $ touchstone prefer latest~1 latest               which of two runs has the better answers
  $ touchstone prefer latest --max-cost 2           every two targets of a run, and their ranking
  $ touchstone prefer latest --target v1 --target v2
  $ touchstone prefer main latest --criterion 'The better answer is politer.'
  $ touchstone prefer latest --dry-run              what would be asked, and its price
  $ touchstone prefer latest --by people            what people prefer, from their labels

The exit code is 0 whatever the result, and 2 when pairs were not measured because of the judge or
the cost limit. Repeat the command to ask only these.`,
  ab: `
Examples:
  $ touchstone ab old.config.yaml new.config.yaml     two configs with a target each
  $ touchstone ab --a v1 --b v2                       two targets of the config here
  $ touchstone ab --set targets.0.model.model=gpt-5-mini   the bot unchanged, and with another model
  $ touchstone ab --set targets.bot.with.topK=8 --attempts 3 --max-cost 5
  $ touchstone ab --dry-run                           how many calls the run would make

PATH is a path into the config, with a target by its number or its name; VALUE is JSON or a text.
Only the target may differ: both sides share dataset, metrics, scorecard and settings.

Exit codes:
  0  A and B were compared, whatever the result
  1  with --fail-on-regression: B is shown to be worse by more than the margin
  2  not measured: not enough data, or the run ended early
  3  with --fail-on-regression: the data do not decide whether B is worse
  4  wrong usage, configuration or data; nothing was called
  130  interrupted with Ctrl-C; answers received so far are stored, --resume continues`,
  gate: `
Examples:
  $ touchstone gate                                 the last run, with the gate it was made with
  $ touchstone gate dwwq --config . --json          with the gate of the current config
  $ touchstone gate latest --baseline main          compared with a baseline
`,
  baseline: `
Examples:
  $ touchstone baseline set main                    the last run
  $ touchstone baseline set release-2 dwwq
  $ touchstone baseline export main baselines/main.json
  $ touchstone run --baseline main                  pass only if shown not to be worse

A baseline contains the score and verdicts of every case, without questions and answers. It is a
file in the folder of the store, or in your repository.`,
  server: `
Examples:
  $ touchstone server                                      the first start prints an invitation
  $ touchstone server --store postgres://touchstone@127.0.0.1/evals
  $ touchstone server --url https://evals.example.org --behind-proxy
  $ touchstone server --url https://evals.example.org --behind-proxy --oidc oidc.yaml
  $ touchstone server invite ann --role reviewer
  $ touchstone server token ci --scope run --days 90
  $ touchstone server audit --verify
`,
  view: `
Examples:
  $ touchstone view                                 the list of runs
  $ touchstone view latest                          the last run
  $ touchstone view --store ci/.touchstone --no-open

The page needs no network. The printed address contains a secret, which the browser keeps in a
cookie; another user of this machine who does not have it is refused.`,
  runs: `
Examples:
  $ touchstone runs --limit 10
  $ touchstone runs --watch                         the progress of active runs
  $ touchstone runs --json | jq -r '.[].id'`,
  trends: `
Examples:
  $ touchstone trends                               the newest 30 runs
  $ touchstone trends --branch main --since 30d --output trends.md
  $ touchstone trends --category hybrid
  $ touchstone trends --metric keywords --target assistant --json

Runs are compared only with runs that ask the same questions and score by the same rules; a line
separates them where that changed. A mark says which level changed, how much, and between which
commits. The exit code is 0 whatever the result.`,
  show: `
Examples:
  $ touchstone show                                 the last run
  $ touchstone show dwwq --verbose                  the run whose id ends in dwwq, in full
  $ touchstone show --case refund-policy            one case, nothing shortened
  $ touchstone show --filter category=hybrid --output hybrid.md
  $ touchstone show --disagreements                 where metrics contradict each other
  $ touchstone show --disagreements paraphrase      only answers judged right in other words
${filterGrammar}${resultGrammar}`,
  export: `
Examples:
  $ touchstone export > run.jsonl                   the last run
  $ touchstone export dwwq --output run.jsonl       the run whose id ends in dwwq

  $ touchstone export dwwq --salvage > run.jsonl    the intact records of a damaged run
  $ touchstone export --to promptfoo -o eval.json   for the viewer of promptfoo
  $ touchstone export --to inspect --dry-run        what an Inspect log would contain, and what not
  $ touchstone export --dataset golden.jsonl --to langfuse    the cases, as items of a dataset

The file contains the run, its cases and every answer, call and verdict; \`touchstone import\` reads
it. Every line carries a hash of itself and of all lines before it. A damaged run is refused with
exit code 4; --salvage writes the intact records, lists the others, and ends with exit code 2.`,
  import: `
Examples:
  $ touchstone import run.jsonl
  $ touchstone import run.jsonl --store elsewhere/.touchstone
  $ ssh ci cat run.jsonl | touchstone import -
  $ touchstone import logs/2026-11-23_shop.eval --dry-run    what would become of an Inspect log
  $ touchstone import logs/2026-11-23_shop.eval --to shop    a project, and its answers as a run

A run that is already in the store is refused with exit code 4; the store is not changed.`,
  delete: `
Examples:
  $ touchstone delete dwwq                          asks first
  $ touchstone delete 20260102-030405-dwwq --yes    for scripts; \`touchstone export\` keeps a copy`,
  erase: `
Examples:
  $ touchstone erase --user user-4711 --dry-run              what the store has about a person
  $ touchstone erase --text ann@example.org --text 'Ann Lee'  asks first
  $ touchstone erase --text - --yes < names.txt              keeps them out of the shell history
  $ touchstone erase --user user-4711 --project shop         in a project of a server

What it reaches and what it does not: docs/erasure.md.`,
  check: `
Examples:
  $ touchstone check                                the store here
  $ touchstone check --store other/.touchstone --json

Compares every record with its checksum, and the summary of every run with its records. The exit
code is 0 when the store is intact and 2 when it is damaged.`,
  completion: `
Examples:
  $ source <(touchstone completion bash)      in ~/.bashrc
  $ source <(touchstone completion zsh)       in ~/.zshrc, after compinit
  $ touchstone completion fish > ~/.config/fish/completions/touchstone.fish

When touchstone is installed in a project, add the folder node_modules/.bin to PATH.`,
} as const;
