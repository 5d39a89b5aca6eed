/** The first steps, shown below the list of commands. */
export const firstSteps = `
First steps:
  $ touchstone init my-eval        asks where your bot is, and writes a project
  $ cd my-eval && touchstone run   asks the questions, scores the answers, prints the report
  $ touchstone show --verbose      every question, answer and verdict of the last run
  $ touchstone view                the same in the browser
  $ touchstone run --help          all options of a run; every command has its own --help
`;

/** The exit codes, for build scripts. */
export const exitCodes = `
Exit codes:
  0  the gate passed, or there is none; or nothing had failed that --failed could ask again
  1  the gate failed: the score is under --fail-under, or another rule of the gate is broken
  2  not measured: too many errors, the run ended early, or --failed asked a part only
  3  inconclusive: the data show neither pass nor fail; gate.inconclusive can make it 0 or 1
  4  wrong usage, configuration or data; nothing was called
  70  a bug in Touchstone; answers received so far are stored
  130  interrupted with Ctrl-C; answers received so far are stored, --resume continues`;

/** The syntax of `--filter`, shown below the options of the commands that have it. */
export const filterGrammar = `
Filters:
  FIELD=VALUE      questions whose field has the value; FIELD!=VALUE for all others
  fields           id, category, tag, cluster, question, metadata.NAME
  *                any text: id=tax-*, question=*lease*
  |                either of several: category=tax|legal
  ~                contains: question~lease; <, <=, >, >= compare numbers: metadata.year>2020
  "…"              a value with spaces: question="who is it?"
  several terms    all must match: --filter 'category=tax tag!=slow', or --filter twice
  Upper and lower case are the same. Questions without a category are in category=uncategorized.
`;

/** The fields of results, shown below the options of commands that filter what has been answered. */
export const resultGrammar = `  Results too: passed, total, grade, outcome, target, attempt, status, result, error, answer, cost,
  latencyMs, steps, toolCalls, retries, inputTokens, outputTokens, the name of a metric,
  missing=METRIC for what it could not measure, and gap.METRIC for the code why.
  Of tools: missingTool, failedTool, wrongTool, tool, expectedTool, arguments (right, wrong), calls;
  of conversations: turns, ending, invalid; of faults in tools: handling.
  --filter 'passed=false total<0.7 answer~refund', --filter 'missingTool=search_orders'
`;

/** The syntax of `--faults` and `--perturb`, shown below the options of `run`. */
export const conditionGrammar = `
Faults and perturbations:
  Each adds a target next to the unchanged bot, such as "bot + fault timeout".
  --faults         what goes wrong in the tools of the bot
    timeout, error, rate-limit           the tool is not called, and the bot gets an error
    empty, truncated, malformed, stale   the tool is called, and its result is corrupted
    slow, slow:30s                       the tool is called, and its result comes late
    all                                  all of these
    timeout@0.5    affects half of the calls. Without a rate, half of the attempts have the fault
                   only at the first use of each tool, so that a retry helps; the others always.
  --perturb        how the question is changed
    typos, case, white-space, diacritics, paraphrase, distractor
    language:German                      by perturbModel, or from metadata.translations
    prompt-injection                     an instruction to the bot hidden in its tools' results
    all                                  all of these but language
    case:upper, typos@0.1                with a variant, or with a rate
  Faults reach the tools of chat targets, and those a module target calls by request.useTool.
  The report shows how often the verdict stayed the same, and whether the bot recovered, informed
  the user, gave up, was misled or made something up.
`;

/** The meaning of `--sequential`, shown below the options of `run`. */
export const sequentialMeaning = `
Sequential:
  --sequential asks in a seeded random order and ends the run as soon as the gate is decided. A
  target that breaks a rule passes in at most 5 % of runs, one that meets every rule fails in at
  most 5 %; gate.sequential: { error: 0.01 } makes that 1 %.
  If the gate stays undecided, every question is asked. A run that was ended by a limit
  continues with --resume.
`;
