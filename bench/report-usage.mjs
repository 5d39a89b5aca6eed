// Loaded before the program when there is no /usr/bin/time: writes the resources that the process used when it ends.
import { writeFileSync } from 'node:fs';

process.on('exit', () => {
  writeFileSync(process.env.TOUCHSTONE_BENCH_USAGE, JSON.stringify(process.resourceUsage()));
});
