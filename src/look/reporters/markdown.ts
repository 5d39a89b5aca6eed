import { collectFindings } from '../report/findings.ts';
import { ofPlainTargets } from '../report/report-input.ts';
import type { Block } from './blocks/block.ts';
import { createMarkdownWriter } from './blocks/markdown.ts';
import type { Reporter, ReportInput, ReportView } from './reporter.ts';
import { decisionBlocks, ruleBlocks } from './run/decision.ts';
import { layoutPart } from './run/narrowed.ts';
import { unresolvedBlock } from './run/questions.ts';
import { conclusionSections, overallSections, targetSections } from './run/run-report.ts';
import { sideBlocks } from './run/comparison.ts';
import { titleBlocks } from './run/title.ts';

const mostQuestions = 36;

/** The Markdown reporter for pull requests and notes: short, with all text from targets and datasets set as code. */
export const markdown: Reporter = {
  name: 'markdown',
  extensions: ['.md'],
  async *report(input, { verbose, methods, ...given }) {
    // What is said of single answers is in the terminal and on the page.
    const view = { ...given, verbose: false, methods: verbose || methods === true };
    const write = createMarkdownWriter();
    const { narrowing } = input;
    const blocks = narrowing === undefined ? layout(input, view) : layoutPart({ ...input, narrowing }, view);
    for await (const block of blocks) yield write(block);
  },
};

/** Lays out the report for a page, which is read from its beginning. */
async function* layout(input: ReportInput, view: ReportView): AsyncGenerator<Block> {
  const { run, summary } = input;
  const plain = ofPlainTargets(input);
  const targets = await collectFindings(plain);
  yield* titleBlocks(run);
  yield* [...decisionBlocks(run, summary.decision), ...ruleBlocks(summary.decision)];
  yield* sideBlocks(plain, Number.MAX_SAFE_INTEGER);
  // A comment on GitHub is limited to 65,536 characters, so the targets share the number of questions.
  const most = Math.ceil(mostQuestions / targets.length);
  for (const reported of targets) {
    yield* targetSections(reported, view);
    yield unresolvedBlock(reported, most);
    yield* conclusionSections(reported, view);
  }
  yield* overallSections(input, plain, view);
}
