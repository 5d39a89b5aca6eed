// `npm run bench`: measures the cost of the harness itself. See README.md in this folder.
import { cpus, tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import { formatTable } from './format-table.ts';
import { measure, median, meter } from './measure.ts';
import { measureRun, type RunFigures } from './measure-run.ts';

interface Figures {
  readonly machine: {
    readonly cpu: string;
    readonly cores: number;
    readonly node: string;
    readonly meter: string;
  };
  readonly help: { readonly cpuMs: number; readonly wallMs: number };
  readonly runs: readonly RunFigures[];
}

interface Goal {
  readonly name: string;
  readonly value: number;
  readonly limit: number;
  readonly unit: string;
}

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '3' },
    cases: { type: 'string', default: '1,1000,10000,100000' },
    json: { type: 'boolean', default: false },
  },
});
const repeats = Math.max(1, Number.parseInt(values.runs, 10) || 3);
const sizes = values.cases.split(',').map(Number);

const help = measureHelp();
const runs: RunFigures[] = [];
for (const cases of sizes) {
  console.error(`${format(cases)} cases, ${repeats} + 1 runs …`);
  runs.push(await measureRun(cases, repeats));
}
const machine = { cpu: cpus()[0]?.model ?? '', cores: cpus().length, node: process.version, meter };
const figures: Figures = { machine, help, runs };
console.log(values.json ? JSON.stringify(figures, null, 2) : toText(figures));

/** Measures `--help`, which is short enough to be repeated often, as the coarse clock of the meter requires. */
function measureHelp(): Figures['help'] {
  const all = Array.from({ length: repeats * 5 + 1 }, () => measure(['--help'], tmpdir())).slice(1);
  return { cpuMs: median(all.map(({ cpuMs }) => cpuMs)), wallMs: median(all.map(({ wallMs }) => wallMs)) };
}

function toText(all: Figures): string {
  const { cpu, cores, node } = all.machine;
  const head = [
    'cases',
    'wall s',
    'cases/s',
    'CPU µs/case',
    'peak MB',
    'disk B/case',
    'JSON B/case',
    'disk ÷ JSON',
  ];
  const rows = all.runs.map((run) => [
    format(run.cases),
    format(run.wallMs / 1000, 2),
    format(run.casesPerSecond),
    format(run.cpuMicrosecondsPerCase),
    format(run.peakMegabytes),
    format(run.diskBytesPerCase),
    format(run.contentBytesPerCase),
    format(run.diskToContent, 2),
  ]);
  const goals = goalsOf(all).map(({ name, value, limit, unit }) => [
    name,
    `${format(value, 2)} ${unit}`,
    `${format(limit, 2)} ${unit}`,
    value < limit ? 'yes' : 'no',
  ]);
  return [
    `${cores} × ${cpu}, Node.js ${node}, measured with ${all.machine.meter}, median of ${repeats}`,
    formatTable(head, rows),
    formatTable(['goal', 'measured', 'below', 'reached'], goals),
  ].join('\n\n');
}

function goalsOf({ help: { cpuMs }, runs: measured }: Figures): Goal[] {
  const goals: Goal[] = [{ name: 'CPU of touchstone --help', value: cpuMs, limit: 100, unit: 'ms' }];
  for (const run of measured.filter(({ cases }) => cases >= 10_000)) {
    const at = `at ${format(run.cases)}`;
    goals.push(
      { name: `CPU per case ${at}`, value: run.cpuMicrosecondsPerCase, limit: 300, unit: 'µs' },
      { name: `peak memory ${at}`, value: run.peakMegabytes, limit: 400, unit: 'MB' },
      { name: `disk ${at}`, value: run.diskBytesPerCase, limit: 3000, unit: 'B/case' },
    );
  }
  return goals;
}

function format(value: number, digits = 0): string {
  return value.toLocaleString('en-US', { minimumFractionDigits: 0, maximumFractionDigits: digits });
}
