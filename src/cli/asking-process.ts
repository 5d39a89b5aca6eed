import { once } from 'node:events';
import type { Asking } from '../server/asking.ts';
import { collect, plannedRun, refusal, startOwnProcess } from './own-process.ts';
import { watchVariable } from './watch/watched-run.ts';

/**
 * Creates the means by which pages ask questions again: processes of the same program, in the folder of this one. They end in order
 * when this one is gone: what is answered until then is stored.
 */
export function createAsking(): Asking {
  return {
    plan: async (args) => {
      const child = startCommand([...args, '--dry-run']);
      const [printed, complaint] = [collect(child.stdout), collect(child.stderr)];
      const [code] = (await once(child, 'close')) as [number | null];
      if (code !== 0) throw refusal(complaint());
      return printed();
    },
    start: async (args) => {
      const child = startCommand(args, { [watchVariable]: '' });
      child.stdout?.resume();
      const complaint = collect(child.stderr);
      const run = await plannedRun(child);
      if (run === undefined) throw refusal(complaint());
      return run;
    },
  };
}

function startCommand(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  return startOwnProcess(args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    isDetached: true,
    environment: { ...environment, NO_COLOR: '1' },
  });
}
