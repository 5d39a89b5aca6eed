import { collectFindings } from '../report/findings.ts';
import { ofPlainTargets } from '../report/report-input.ts';
import { type Block, rule, section } from './blocks/block.ts';
import { renderBlock, usableWidth } from './blocks/terminal.ts';
import type { Reporter, ReportInput, ReportView } from './reporter.ts';
import { answerBlocks } from './run/answer.ts';
import { sequentialBlocks } from './run/decision.ts';
import { layoutPart } from './run/narrowed.ts';
import { questionBlocks } from './run/questions.ts';
import { closingSections, conclusionSections, overallSections, targetSections } from './run/run-report.ts';
import { sideBlocks } from './run/comparison.ts';
import { titleBlocks } from './run/title.ts';

/** The terminal reporter. Its lines are never wider than the terminal, and no text in them can control the terminal. */
export const terminal: Reporter = {
  name: 'terminal',
  extensions: [],
  async *report(input, givenView) {
    const view = { ...givenView, width: usableWidth(givenView.width) };
    const { narrowing } = input;
    const blocks = narrowing === undefined ? layout(input, view) : layoutPart({ ...input, narrowing }, view);
    for await (const block of blocks) yield renderBlock(block, view);
  },
};

/** Lays out the report for a terminal, where the user sees its end first. */
async function* layout(input: ReportInput, view: ReportView): AsyncGenerator<Block> {
  const plain = ofPlainTargets(input);
  const targets = await collectFindings(plain);
  yield* titleBlocks(input.run);
  yield section(...sequentialBlocks(input.summary.decision));
  yield section(...sideBlocks(plain, view.width));
  for (const [index, reported] of targets.entries()) {
    if (index > 0) yield section(rule);
    yield* targetSections(reported, view);
    if (view.verbose) {
      for await (const result of input.results()) {
        if (result.trial.target !== reported.target.target) continue;
        yield section(...(await answerBlocks(input, result, view)));
      }
    } else yield section(...questionBlocks(reported));
    yield* conclusionSections(reported, view);
  }
  yield* overallSections(input, plain, view);
  yield* closingSections(plain, targets, view);
}
