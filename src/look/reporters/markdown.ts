import { collectFindings, type ReportedTarget } from '../report/findings.ts';
import { ofPlainTargets } from '../report/report-input.ts';
import type { Block } from './blocks/block.ts';
import { createMarkdownWriter, renderMarkdown } from './blocks/markdown.ts';
import type { Reporter, ReportInput, ReportView } from './reporter.ts';
import { decisionBlocks, ruleBlocks } from './run/decision.ts';
import { firstScreen } from './run/first-screen.ts';
import { layoutPart } from './run/narrowed.ts';
import { unresolvedBlock } from './run/questions.ts';
import { conclusionSections, overallSections, targetSections } from './run/run-report.ts';
import { sideBlocks } from './run/comparison.ts';
import { showHint, titleBlocks } from './run/title.ts';

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
  if (view.isShort === true) {
    yield* layoutShort(input, { targets, view });
    return;
  }
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

/** The most questions and rules of a gate in a short report. */
const [mostShown, mostRules] = [10, 10] as const;

/** The most lines of a short report, opened in full, so that it is read as a comment. */
const mostLines = 150;

/** Lays out what is read first, then what is opened: the numbers of as many targets as there is room for. */
function* layoutShort(
  input: ReportInput,
  { targets, view }: { readonly targets: readonly ReportedTarget[]; readonly view: ReportView },
): Generator<Block> {
  const { run, summary } = input;
  const { decision } = summary;
  const first = [
    ...titleBlocks(run),
    ...firstScreen({
      input,
      reported: targets,
      decision: [...decisionBlocks(run, decision, mostRules), ...ruleBlocks(decision, mostRules)],
      most: mostShown,
    }),
  ];
  yield* first;
  const opened: Block[] = [...sideBlocks(ofPlainTargets(input), Number.MAX_SAFE_INTEGER)];
  const tables = targets.map((one) => [...targetSections(one, view), ...conclusionSections(one, view)]);
  const left = [...tables, overallSections(input, ofPlainTargets(input), view)].filter((part) => {
    const hasRoom = linesOf([...first, ...opened, ...part]) <= mostLines;
    if (hasRoom) opened.push(...part);
    return !hasRoom;
  });
  if (left.length > 0)
    opened.push(showHint(input, { lead: 'There was no room for the rest: ', flags: '--output report.md' }));
  yield { kind: 'folded', title: 'All numbers', blocks: opened };
}

function linesOf(blocks: readonly Block[]): number {
  return renderMarkdown(blocks).split('\n').length;
}
