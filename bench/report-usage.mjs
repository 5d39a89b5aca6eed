// Loaded before the program where there is no /usr/bin/time: writes down what the process used when it ends.
import { writeFileSync } from 'node:fs';

process.on('exit', () => {
  writeFileSync(process.env.TOUCHSTONE_BENCH_USAGE, JSON.stringify(process.resourceUsage()));
});
