import { existsSync } from 'node:fs';
import path from 'node:path';
import { displayPath } from '../../core/lib/text/display-path.ts';
import { shorten, toTerminalText } from '../../core/lib/text/terminal-text.ts';
import { configFileNames } from '../../library/config/load-config.ts';
import { endProcess, interrupted } from '../interrupts.ts';
import { isBuild } from '../open-browser.ts';
import type { Output } from '../output.ts';
import { type BotChoice, type InitFlags, isForAgents, readBot } from './beginning.ts';
import { readModel } from './config-text.ts';
import { type PlannedFile, canSave, planFiles, refuseToReplace, writeFiles } from './create-files.ts';
import { bringOver, chooseTool } from './other-tools.ts';
import { goTo, nextStep, ownCommand } from './next-step.ts';
import {
  checkAnswers,
  datasetOf,
  describeQuestions,
  type QuestionFile,
  surveyQuestions,
} from './survey-questions.ts';
import { refuseLongPath } from '../program/long-path.ts';
import type { Surroundings } from './surroundings.ts';
import type { FoundText } from '../../evaluate/targets/reply/texts-in.ts';
import type { Probe } from './probe-bot.ts';

/**
 * Creates a project from what the user has: a bot, questions, recorded answers, a project of another tool. Where there is a
 * terminal, what the flags do not say is asked; elsewhere it is the sample. Returns the exit code.
 */
export async function initProject(flags: InitFlags, output: Output): Promise<number> {
  if (isForAgents(flags)) return await (await import('./agents/add-agents.ts')).addAgents(flags, output);
  const bot = readBot(flags);
  const folder = path.resolve(flags.folder);
  refuseLongPath(folder);
  if (flags.answers === undefined && typeof flags.import !== 'string') refuseSecondConfig(folder);
  const release = endAtInterrupt();
  try {
    const asking = canAsk(flags)
      ? { ...(await import('./ask-beginning.ts')), ...(await import('./ask.ts')) }
      : undefined;
    const say =
      asking?.ask.say ?? ((words: string) => console.error(words.split('\n').map(toTerminalText).join('\n')));
    asking?.ask.begin('touchstone init');
    const surroundings: Surroundings = { flags, output, folder, asking, say };
    const isOpen = bot === undefined && flags.questions === undefined && flags.answers === undefined;
    const tool = await chooseTool(surroundings, isOpen);
    if (tool !== undefined && tool.use === 'import') {
      release();
      return await bringOver(tool, surroundings);
    }
    const plan = await choosePlan(surroundings, { bot, file: tool?.file });
    const files = await filesOf(plan, surroundings);
    refuseToReplace(folder, files);
    if (plan.answers !== undefined) await checkAnswers(plan.answers, plan.questions);
    release();
    writeFiles(folder, files);
    if (plan.answers !== undefined) return await scoreAnswers(plan.answers, surroundings, plan.questions);
    await report(files, plan, surroundings);
    return 0;
  } finally {
    release();
  }
}

/** Returns the files of a project, including the files for coding agents where a bot is asked. */
async function filesOf(
  { bot, questions, answers, isSaved }: ProjectPlan,
  { flags: { agents }, folder }: Surroundings,
): Promise<readonly PlannedFile[]> {
  if (answers !== undefined) return planFiles({ folder, isSaved, bot: undefined, questions });
  const files = planFiles({ folder, isSaved, bot, questions });
  if (agents === false) return files;
  const { planForProject } = await import('./agents/add-agents.ts');
  return [...files, ...planForProject(folder, typeof agents === 'object' ? agents : undefined)];
}

/** Throws `usage-invalid` where a folder has a config already, before anything is asked. */
function refuseSecondConfig(folder: string): void {
  refuseToReplace(
    folder,
    configFileNames.map((name) => ({ name, text: '', meaning: '' })),
  );
}

/** Ends the process at Ctrl-C, with nothing written, until it is released. */
function endAtInterrupt(): () => void {
  const end = () => {
    console.error('✗ Stopped; nothing was written.');
    endProcess(interrupted);
  };
  process.on('SIGINT', end).on('SIGTERM', end);
  return () => process.off('SIGINT', end).off('SIGTERM', end);
}

function canAsk({ yes, json }: InitFlags): boolean {
  return yes !== true && json !== true && !isBuild() && process.stdin.isTTY && process.stderr.isTTY;
}

/** Everything that is known before a file is written. */
interface ProjectPlan {
  readonly bot: BotChoice;
  readonly questions: QuestionFile | undefined;
  readonly answers: string | undefined;
  readonly probe: Probe | undefined;
  readonly isSaved: boolean;
}

/** Finds out what the user has: by the flags, and by questions for what they do not say. */
async function choosePlan(
  surroundings: Surroundings,
  known: { readonly bot: BotChoice | undefined; readonly file: string | undefined },
): Promise<ProjectPlan> {
  const { flags, folder, asking } = surroundings;
  const bot = known.bot ?? (await askForBot(surroundings)) ?? { kind: 'sample' };
  const probed = await tryBot(bot, surroundings);
  const questions = await chooseQuestions(surroundings, flags.questions ?? known.file);
  const mayHaveAnswers = known.bot === undefined && bot.kind === 'sample' && flags.questions === undefined;
  const answers = flags.answers ?? (mayHaveAnswers ? await asking?.askForAnswers() : undefined);
  const maySave = answers === undefined && canSave(folder);
  const isSaved = flags.save ?? (maySave && (await asking?.askToSave()) === true);
  return { ...probed, questions, answers, isSaved };
}

async function askForBot({ flags, asking }: Surroundings): Promise<BotChoice | undefined> {
  return flags.answers === undefined ? await asking?.askForBot() : undefined;
}

/** Asks the bot once where that is allowed, and says where its answer was found. */
async function tryBot(
  bot: BotChoice,
  { flags, asking, say }: Surroundings,
): Promise<Pick<ProjectPlan, 'bot' | 'probe'>> {
  if (bot.kind === 'model') readModel(bot.model ?? '');
  const isAllowed = bot.url !== undefined && (flags.probe ?? (await asking?.askToProbe()) ?? false);
  if (!isAllowed) return { bot, probe: undefined };
  const { probeBot } = await import('./probe-bot.ts');
  const probe = await probeBot(bot);
  if (probe.outcome === 'failed') {
    say(`It gave no answer: ${probe.reason.replace(/\.$/, '')}. ${probe.hint}`.trimEnd());
    return { bot, probe };
  }
  if (probe.outcome === 'answered') {
    const where = probe.at === undefined ? '' : `, found at \`${probe.at}\``;
    say(`It said "${shorten(probe.answer.trim(), 100)}"${where}.`);
    return { bot, probe };
  }
  const chosen = await chooseText(probe, asking);
  say(describeTexts(probe.texts, chosen));
  return { bot: { ...bot, answer: chosen }, probe };
}

/** Returns the path of the text that is the answer: the only one, the one that the user names, else the only sentence. */
async function chooseText(
  probe: Extract<Probe, { outcome: 'unclear' }>,
  asking: Surroundings['asking'],
): Promise<string | undefined> {
  const { onlySentence } = await import('./probe-bot.ts');
  if (probe.texts.length === 1) return probe.texts[0]?.at;
  return asking === undefined ? onlySentence(probe.texts)?.at : await asking.askForAnswer(probe);
}

/** Says which text of a reply is taken for the answer, or which there are. */
function describeTexts(texts: readonly FoundText[], chosen: string | undefined): string {
  if (chosen === undefined) {
    const places = texts.map(({ at }) => at).join(', ');
    return `Its reply has texts at ${places}: set \`answer:\` to the path of the answer in the config.`;
  }
  const answer = texts.find(({ at }) => at === chosen)?.text.trim() ?? '';
  return `Its answer is read at \`${chosen}\`: "${shorten(answer, 100)}"`;
}

async function chooseQuestions(
  { flags, folder, asking, say }: Surroundings,
  file: string | undefined,
): Promise<QuestionFile | undefined> {
  if (asking !== undefined) {
    if (flags.answers !== undefined && file === undefined) return undefined;
    if (file !== undefined) return await asking.completeQuestions(file);
    const here = path.join(folder, 'golden.jsonl');
    return await asking.askForQuestions(existsSync(here) ? displayPath(here) : undefined);
  }
  if (file === undefined) return undefined;
  const found = await surveyQuestions(file);
  say(`${displayPath(path.resolve(file))}: ${describeQuestions(found)}`);
  return found;
}

/** Scores recorded answers at once: the first number without a bot. */
async function scoreAnswers(
  file: string,
  { flags, output, folder }: Surroundings,
  questions: QuestionFile | undefined,
): Promise<number> {
  const { scoreFile } = await import('../running/score.ts');
  const store = path.join(folder, '.touchstone');
  const dataset = datasetOf(questions);
  const code = await scoreFile(file, { dataset, store, json: flags.json }, output);
  const go = goTo(folder);
  if (flags.json !== true)
    await output.write(
      `\nEvery answer, with what was wrong with it:\n${go}${ownCommand(folder)} show --verbose\n`,
    );
  return code;
}

/** Says what was written, and the next step: the last line is a command that can be pasted as it is. */
async function report(
  files: readonly PlannedFile[],
  plan: ProjectPlan,
  { flags, output, folder }: Surroundings,
): Promise<void> {
  const shown = files.filter(({ isListed = true }) => isListed);
  const width = Math.max(...shown.map(({ name }) => name.length));
  const lines = shown.map(({ name, meaning, isChanged = false }) =>
    `  ${name.padEnd(width)}  ${meaning}${isChanged ? ' (added)' : ''}`.trimEnd(),
  );
  const { first, command } = nextStep(plan, folder);
  const names = files.map(({ name }) => name);
  const { questions, probe } = plan;
  const result = { folder, files: names, first, next: command, questions, probe };
  const steps = first === undefined ? ['Next:', command] : [first, 'Then:', command];
  await output.print(
    flags.json,
    result,
    () => `Wrote to ${displayPath(folder)}:\n${lines.join('\n')}\n\n${steps.join('\n')}\n`,
  );
}
