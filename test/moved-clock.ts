import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const source = `
  const hour = 3_600_000;
  const RealDate = Date;
  const jumps = process.env.CLOCK_JUMPS.split(',').map(Number);
  const everyMs = Number(process.env.CLOCK_EVERY_MS);
  const offset = () => jumps[Math.floor(performance.now() / everyMs) % jumps.length] * hour;
  // A process takes the time from the clock when it begins, and then counts on by itself.
  Object.defineProperty(performance, 'timeOrigin', { value: performance.timeOrigin + jumps[0] * hour });
  globalThis.Date = class Date extends RealDate {
    constructor(...given) {
      super(...(given.length === 0 ? [RealDate.now() + offset()] : given));
    }
    static now() {
      return RealDate.now() + offset();
    }
  };
`;

/** How the clock of a process is moved. */
export interface Jumps {
  /** Hours off the truth, one after the other and from the beginning again. */
  readonly hours: readonly number[];
  /** How long each of them lasts. */
  readonly everyMs: number;
}

/** Environment variables under which a process of Node sees a system clock that somebody moves while it works. */
export async function writeMovedClock(folder: string, { hours, everyMs }: Jumps) {
  const file = path.join(folder, 'moved-clock.mjs');
  await writeFile(file, source);
  return {
    NODE_OPTIONS: `--import ${pathToFileURL(file).href}`,
    CLOCK_JUMPS: hours.join(','),
    CLOCK_EVERY_MS: String(everyMs),
  };
}
