import { messageOf, TouchstoneError } from '../../core/errors.ts';
import { quoteForShell } from '../../core/lib/text/quote-for-shell.ts';
import { toTerminalText } from '../../core/lib/text/terminal-text.ts';
import { neverStopped } from '../../evaluate/run/run-needs.ts';
import type { Receiver } from '../../library/api/push/find-receiver.ts';
import type { Run } from '../../core/schema/run.ts';
import type { Store } from '../../stores/store.ts';

/**
 * Sends a run that has ended to the server that the config names by `report`, whatever its gate says. A run that is not complete is not sent:
 * continued later, it would be another one under the same id. What prevents the sending is a warning, and leaves the exit code as it is.
 */
export async function sendEnded(run: Run, store: Store, receiver: Receiver): Promise<void> {
  const { server, project } = receiver;
  const words = ['touchstone', 'push', run.id, '--server', server, '--project', project];
  const command = words.map((word) => quoteForShell(word)).join(' ');
  const onNotice = (message: string) => console.error(toTerminalText(message));
  if (run.status !== 'completed') {
    onNotice(`Run ${run.id} is not complete and was not sent. To send it as it is: ${command}`);
    return;
  }
  try {
    const { sendRun } = await import('../../library/api/push/push-run.ts');
    const { stop } = neverStopped;
    const { url } = await sendRun(run, store, { ...receiver, environment: process.env, onNotice, stop });
    onNotice(`Sent to ${url}`);
  } catch (error) {
    const remedy = error instanceof TouchstoneError ? ` ${error.remedy}` : '';
    onNotice(`⚠ Run ${run.id} was not sent: ${messageOf(error)}.${remedy}\n  To send it: ${command}`);
  }
}
