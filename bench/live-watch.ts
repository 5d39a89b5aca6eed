// `node bench/live-watch.ts`: measures how often and how soon the evidence of a watch over live traces alarms: false alarms in a
// month at and above the threshold, and the days until it alarms after a month at 93 %. `--rounds 2000`. See bench/NOTES.md.
import { parseArgs } from 'node:util';
import { createRandom, type Random } from '../src/core/stats/random.ts';
import { restartEvidence } from '../src/core/stats/stopping/restart-evidence.ts';
import { formatTable } from './format-table.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '2000' } } });
const rounds = Number(values.rounds);
const [sample, threshold, limit, month, horizon] = [200, 0.9, 20, 30, 60];

/** Returns the number of the day of the first alarm, from 1 on; undefined without one. */
function firstAlarm(random: Random, rateOn: (day: number) => number, days: number): number | undefined {
  const seen: { passes: number; n: number }[] = [];
  for (let day = 1; day <= days; day += 1) {
    let passes = 0;
    for (let each = 0; each < sample; each += 1) passes += Number(random.next() < rateOn(day));
    seen.push({ passes, n: sample });
    if (restartEvidence({ days: seen, threshold }).evidence >= limit) return day;
  }
  return undefined;
}

const percent = (count: number) => ((100 * count) / rounds).toFixed(1);
const random = createRandom(1);
const alarmsOf = (label: string, rateOn: (day: number) => number, days: number) =>
  Array.from({ length: rounds }, (_, round) => firstAlarm(random.fork(`${label} ${round}`), rateOn, days));

console.log(
  formatTable(
    ['always at', 'days', 'false alarms %'],
    [
      [0.9, month],
      [0.9, 90],
      [0.92, 90],
    ].map(([rate = 0, days = 0]) => {
      const alarms = alarmsOf(`${rate}/${days}`, () => rate, days).filter((day) => day !== undefined);
      return [`${100 * rate} %`, String(days), percent(alarms.length)];
    }),
  ),
);
console.log(
  formatTable(
    ['93 % for 30 days, then', 'median days to the alarm', `not within ${horizon} %`, 'alarm before %'],
    [0.88, 0.85, 0.8].map((rate) => {
      const alarms = alarmsOf(`to ${rate}`, (day) => (day <= month ? 0.93 : rate), month + horizon);
      const early = alarms.filter((day) => day !== undefined && day <= month).length;
      const after = alarms
        .filter((day) => day === undefined || day > month)
        .map((day) => (day ?? Infinity) - month)
        .toSorted((a, b) => a - b);
      const never = after.filter((days) => days === Infinity).length;
      return [`${100 * rate} %`, String(after[Math.floor(after.length / 2)]), percent(never), percent(early)];
    }),
  ),
);
