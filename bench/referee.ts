// `node bench/referee.ts`: prints the tables of docs/referee.md: the gains that a held-out set sees, and how often an agent
// has a change without effect confirmed, by what it is shown.
import { parseArgs } from 'node:util';
import { levelAfter } from '../src/decide/referee/levels.ts';
import { smallestGain, smallestScoreGain } from '../src/decide/referee/power.ts';
import { smallestMargin } from '../src/decide/referee/tests.ts';
import { formatTable } from './format-table.ts';
import { type Agent, livesWithRealGain, shareOfFalseAnswers } from './referee-lives.ts';

const { values: options } = parseArgs({ options: { lives: { type: 'string', default: '3000' } } });
const lives = Number(options.lives);
const level = (looks: number, surprises = 0) =>
  levelAfter(surprises, { looks, surprises: 3, confidence: 0.95 });
const points = (share: number | undefined) => (share === undefined ? '-' : (100 * share).toFixed(1));
const sizes = [30, 60, 120, 300];

const gains = sizes.map((questions) => {
  const row = [0, 0.02, 0.05].map((broken) =>
    [5, 20, 50].map((looks) => points(smallestGain({ questions, level: level(looks), broken }))).join(' · '),
  );
  const margins = [0, 1].map((losses) => points(smallestMargin(questions, { losses, level: level(20) })));
  const later = [1, 2].map((j) => points(smallestGain({ questions, level: level(20, j), broken: 0.02 })));
  const scores = [0.3, 0.15].map((deviation) =>
    points(smallestScoreGain({ questions, level: level(20) }, deviation)),
  );
  return [String(questions), ...row, margins.join(' · '), later.join(' · '), scores.join(' · ')];
});
console.log('Gain in points that is confirmed with 80 % chance; looks 5 · 20 · 50');
const breaks = [0, 2, 5].map((percent) => `${percent} % break`);
const rest = ['no loss over: 0 · 1 losses', '2nd · 3rd confirmation', 'scores, deviation .30 · .15'];
console.log(formatTable(['n', ...breaks, ...rest], gains));

const cells = [
  ...[60, 120, 300].map((questions) => ({ questions, looks: 20 })),
  { questions: 120, looks: 50 },
];
const agents: readonly Agent[] = [
  'one bit',
  'keeps what scored higher',
  'votes by score',
  'takes rows that passed',
];
const simulated = agents.map((agent) => [
  agent,
  ...(['naive', 'ours'] as const).flatMap((levels) =>
    cells.map((cell) => {
      const number = agent === 'one bit' ? lives : Math.ceil(lives / 7);
      return shareOfFalseAnswers({ ...cell, levels, agent, lives: number }).toFixed(3);
    }),
  ),
]);
const head = ['naive', 'ours'].flatMap((levels) =>
  cells.map(({ questions, looks }) => `${levels} ${questions}/${looks}`),
);
console.log(`\nShare of lives with a false "confirmed", n/looks; ${lives} lives for one bit`);
console.log(formatTable(['shown', ...head], simulated));
const { real, unreal } = livesWithRealGain({ questions: 120, looks: 20, lives: 4000 });
console.log(
  `\nA first version that is better (.60 to .80, n 120): confirmed in ${(100 * real).toFixed(1)} % of lives;`,
);
console.log(`afterwards a change without effect in ${(100 * unreal).toFixed(2)} % (1.25 % allowed).`);
