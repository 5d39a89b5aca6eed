import { collectFindings } from '../report/findings.ts';
import { ofPlainTargets } from '../report/report-input.ts';
import { type Block, rule, section } from './blocks/block.ts';
import { renderBlock, usableWidth } from './blocks/terminal.ts';
import type { Reporter, ReportInput, ReportView } from './reporter.ts';
import { answerBlocks } from './run/answer.ts';
import { decisionBlocks, sequentialBlocks } from './run/decision.ts';
import { firstScreen } from './run/first-screen.ts';
import { layoutPart } from './run/narrowed.ts';
import { questionBlocks } from './run/questions.ts';
import { closingSections, conclusionSections, overallSections, targetSections } from './run/run-report.ts';
import { sideBlocks } from './run/comparison.ts';
import { shortTitleBlocks, titleBlocks } from './run/title.ts';

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

/** The most questions, of one target and of several, and the most reasons of a gate that fit on a screen. */
const [mostOfOne, mostOfSeveral, mostReasons] = [4, 6, 3] as const;

/** Lays out the report for a terminal, where the user sees its end first. */
async function* layout(input: ReportInput, view: ReportView): AsyncGenerator<Block> {
  const plain = ofPlainTargets(input);
  const targets = await collectFindings(plain);
  if (view.isShort === true) {
    const decision = decisionBlocks(input.run, input.summary.decision, mostReasons);
    const most = targets.length > 1 ? mostOfSeveral : mostOfOne;
    yield* shortTitleBlocks(input.run);
    yield* firstScreen({ input, reported: targets, decision, most });
    return;
  }
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
