// `node bench/fixed-questions.ts`: measures how often the rule "on these questions" passes wrongly at a true loss equal to its
// margin, compared with the 5 % that it states, and how often it passes when nothing changed. See docs/gate.md.
import { parseArgs } from 'node:util';
import { fixedQuestionBounds, type QuestionAttempts } from '../src/core/stats/fixed-questions.ts';
import { createRandom, type Random } from '../src/core/stats/random.ts';
import { formatTable } from './format-table.ts';

const { values: options } = parseArgs({ options: { runs: { type: 'string', default: '2000' } } });
const runs = Number(options.runs);
const margin = 0.05;

/** A kind of bot: the chance of passing each of n questions. */
interface Bot {
  readonly name: string;
  readonly rates: (n: number, random: Random) => number[];
}

const bots: readonly Bot[] = [
  { name: 'every question at .98', rates: (n) => Array.from({ length: n }, () => 0.98) },
  { name: 'every question at .9', rates: (n) => Array.from({ length: n }, () => 0.9) },
  {
    name: '5 % flaky, else certain',
    rates: (n) => Array.from({ length: n }, (_, place) => (place < Math.round(n / 20) ? 0.5 : 1)),
  },
  { name: 'uniform difficulty', rates: (n, random) => Array.from({ length: n }, () => random.next()) },
];

const cells = bots.flatMap((bot) => [
  { bot, n: 30, attempts: 2 },
  { bot, n: 30, attempts: 5 },
]);

/** Lowers the rates until their mean has fallen by the margin, the first questions first. */
function lowered(rates: readonly number[]): number[] {
  let left = margin * rates.length;
  return rates.map((rate) => {
    const loss = Math.min(rate, left);
    left -= loss;
    return rate - loss;
  });
}

function ask(rate: number, n: number, random: Random): QuestionAttempts {
  let passed = 0;
  for (let attempt = 0; attempt < n; attempt += 1) if (random.next() < rate) passed += 1;
  const mean = passed / n;
  return { n, mean, variance: (n / (n - 1)) * mean * (1 - mean) };
}

const rows = cells.map(({ bot, n, attempts }) => {
  const random = createRandom(`${bot.name} ${n} ${attempts}`);
  const shareOf = (
    change: (rates: readonly number[]) => readonly number[],
    isWanted: (ends: Ends) => boolean,
  ) => {
    let count = 0;
    for (let run = 0; run < runs; run += 1) {
      const before = bot.rates(n, random);
      const now = change(before);
      const pairs = before.map(
        (rate, place) => [ask(rate, attempts, random), ask(now[place] ?? 0, attempts, random)] as const,
      );
      const found = fixedQuestionBounds({ pairs });
      if (found.status === 'defined' && isWanted(found)) count += 1;
    }
    return `${((100 * count) / runs).toFixed(1)} %`;
  };
  return [
    bot.name,
    String(n),
    String(attempts),
    shareOf(lowered, ({ lower }) => lower > -margin),
    shareOf(lowered, ({ upper }) => upper < -margin),
    shareOf(
      (rates) => rates,
      ({ lower }) => lower > -margin,
    ),
  ];
});

interface Ends {
  readonly lower: number;
  readonly upper: number;
}

const titles = ['bot', 'questions', 'attempts', 'passes wrongly', 'fails wrongly', 'passes unchanged'];
console.log(formatTable(titles, rows));
