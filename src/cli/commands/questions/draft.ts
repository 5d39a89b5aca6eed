import type { DraftReport } from '../../../core/schema/api/draft-report.ts';
import { interrupted, listenForInterrupts } from '../../interrupts.ts';
import { defineCommand } from '../../program/define-command.ts';
import { flag, parsed, repeated, text } from '../../program/input.ts';
import { weights, wholeNumber } from '../../program/parse-option.ts';
import { json, maxCost, store } from '../../program/shared-inputs.ts';
import { storeOf } from '../../program/store-of.ts';

/** `touchstone draft`: questions drafted from documents or traces, and proposed when they pass their checks. */
export const draft = defineCommand({
  name: 'draft',
  summary: 'draft golden questions from documents or traces, for people to approve',
  description:
    'Has a model draft golden questions from documents or stored traces, checks each question, and proposes the ones that pass. No question is added to a golden set until a person has approved it.',
  inputs: {
    from: repeated(
      '<path>',
      'a folder, or a .md, .txt or .jsonl file; may be repeated; or: traces',
    ).required(),
    model: text('<model>', 'the model that drafts and answers: a name, or a file').required(),
    dataset: text('<file>', "the golden set that the questions are for (default: the config's)"),
    count: parsed('<n>', 'how many questions to draft', wholeNumber(1, 10_000)).default(20),
    mix: parsed<ReadonlyMap<string, number>>(
      '<kind=share>',
      'the kinds of question: fact=0.7,unanswerable=0.3; may be repeated',
      weights,
    ),
    category: repeated(
      '<name>',
      'a category to choose from; may be repeated (default: the categories of the golden set)',
    ),
    seed: text('<seed>', 'the seed; a different one drafts different questions (default: 0)'),
    passage: parsed('<characters>', 'the greatest length of a passage', wholeNumber(200, 20_000)).default(
      1600,
    ),
    concurrency: parsed('<n>', 'calls at the same time', wholeNumber(1, 100)).default(4),
    maxCost,
    dryRun: flag('print how many calls it takes and what they cost, and ask nothing'),
    config: text('<config>', 'config of the golden set (default: the one in this folder)'),
    verbose: flag('list every question, with the reason why it was proposed or rejected').short('v'),
    output: text('<file>', 'also write every question with its checks to a .json file').short('o'),
    json,
    store,
  },
  help: `
Examples:
  $ touchstone draft --from docs --model gpt-5-mini --dry-run     how many calls, at what price
  $ touchstone draft --from docs --model gpt-5-mini --count 40 --max-cost 2
  $ touchstone draft --from faq.md --from pages.jsonl --model anthropic:claude-haiku-4-5
  $ touchstone draft --from docs --model model.yaml --mix fact=0.8,unanswerable=0.2
  $ touchstone draft --from traces --model gpt-5-mini             from what stored traces show

Kinds of question: fact, comparison, multi-document, unanswerable (from traces: the first two).
--model is a name, a provider and a name (groq:…, anthropic:…; \`touchstone models\` lists them), a
model of Ollama with its tag (qwen3:4b, mistral:7b), or a file with a model as in a config.

A question is proposed only if each expected fact is quoted word for word from a document, the model
answers it from the documents and not without them, and no other question asks the same. Repeat the
command to continue: replies are stored, and paid for once.

The exit code is 2 when questions could not be drafted or checked.`,
  run: async (input, output) => {
    const api = await import('../../../library/api/cases/draft.ts');
    const { withStore, withWritableStore } = await import('../../../library/api/open-store.ts');
    const { draftText, estimateText } = await import('../../../look/reporters/draft.ts');
    const { checkMix, createDraftLines } = await import('../../texts/drafting.ts');
    const { writeJsonFiles } = await import('../../result-files.ts');
    const { checkOutputFiles } = await import('../../../library/api/output-files.ts');
    const { from, model, category: categories, passage: passageLength } = input;
    const { dataset, config, count, concurrency, seed } = input;
    const mix = checkMix(input.mix);
    const options = {
      dataset,
      config,
      count,
      concurrency,
      seed,
      categories,
      passageLength,
      mix,
      maxCost: input.maxCost,
    };
    if (input.dryRun === true) {
      const estimate = await withStore(storeOf(input), (opened) =>
        api.planDraft({ from, model }, { ...options, store: opened }),
      );
      return await output.print(input.json, estimate, () => estimateText(estimate));
    }
    const files = input.output === undefined ? [] : [input.output];
    const lines = createDraftLines(from.includes('traces') ? 'trace' : 'document');
    const signals = listenForInterrupts(lines.note);
    try {
      return await withWritableStore(storeOf(input), async (opened) => {
        await checkOutputFiles(files, { store: opened, reads: from });
        const needs = { store: opened, observer: lines.observer, signals };
        const report = await api.draft({ from, model }, { ...options, ...needs });
        await output.print(input.json, report, () => draftText(report, output.view(input.verbose)));
        return await writeJsonFiles(files, report, exitCodeOf(report, signals.stop.aborted));
      });
    } finally {
      signals.release();
    }
  },
});

/** Returns 130 when interrupted, 2 when a repetition could draft or check more, else 0. */
function exitCodeOf({ planned, drafted, notChecked }: DraftReport, wasInterrupted: boolean): number {
  if (wasInterrupted) return interrupted;
  return drafted < planned || notChecked > 0 ? 2 : 0;
}
