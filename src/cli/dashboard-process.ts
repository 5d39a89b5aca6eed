import { once } from 'node:events';
import { askToEnd } from '../core/lib/programs/stop.ts';
import { listenForInterrupts } from './interrupts.ts';
import { isBuild, mayOpenBrowser, openBrowser } from './open-browser.ts';
import { startOwnProcess } from './own-process.ts';

/** The dashboard in a process of its own, so that it takes no time from the run that is looked at. */
export interface DashboardProcess {
  /** Prints the address of a run once, as soon as the dashboard is served, and opens it in the browser. */
  show(runId: string, print: (text: string) => void): void;
  /**
   * Keeps the dashboard open until the user interrupts it, if there is a terminal and this is no build; then ends it.
   * @param isStopped - True when the user has interrupted already.
   */
  finish(isStopped: boolean): Promise<void>;
}

/** Starts `touchstone view` for a store, given as `--store` takes it. The process ends with this one, however it ends. */
export function startDashboard(storeFolder: string | undefined): DashboardProcess {
  const args = ['view', '--no-open', ...(storeFolder === undefined ? [] : ['--store', storeFolder])];
  // Ctrl-C does not reach it: the run may have to finish calls.
  const child = startOwnProcess(args, { stdio: ['ignore', 'pipe', 'inherit'], isDetached: true });
  child.on('error', () => {});
  const ended = once(child, 'exit').catch(() => {});
  let shown: Promise<string | undefined> | undefined;
  return {
    show: (runId, print) => {
      shown ??= readAddress(child.stdout, ended).then((address) => {
        // The dashboard itself has printed why it could not be served.
        if (address === undefined) return undefined;
        const page = Object.assign(new URL(address), { pathname: `/runs/${encodeURIComponent(runId)}` }).href;
        print(`The dashboard: ${page}`);
        if (mayOpenBrowser()) openBrowser(page);
        return page;
      });
    },
    finish: async (isStopped) => {
      const page = await shown;
      if (page !== undefined && !isStopped && process.stderr.isTTY && !isBuild()) {
        console.error(`\nThe dashboard stays open until Ctrl-C: ${page}`);
        await Promise.race([interruption(), ended]);
      }
      askToEnd(child, 'SIGTERM');
      await ended;
    },
  };
}

/** Reads the address that the dashboard prints first; undefined when it ends before. */
async function readAddress(
  output: NodeJS.ReadableStream | null,
  ended: Promise<unknown>,
): Promise<string | undefined> {
  let text = '';
  const printed = new Promise<string>((resolve) => {
    output?.on('data', (piece: Buffer) => {
      text += piece.toString();
      const address = /http:\S+(?=\s)/.exec(text)?.[0];
      if (address !== undefined) resolve(address);
    });
  });
  return await Promise.race([printed, ended.then(() => undefined)]);
}

/** Resolves when the user interrupts. */
async function interruption(): Promise<void> {
  const signals = listenForInterrupts(() => {});
  // A process that waits for nothing else would end.
  const alive = setInterval(() => {}, 60_000);
  await once(signals.stop, 'abort');
  clearInterval(alive);
  signals.release();
}
