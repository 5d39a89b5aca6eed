import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { RunLabelChange } from '../../../src/core/schema/api/run-head.ts';
import { type DataSource, useData } from './data-source.ts';

/** Returns the mutation that stores a run as a baseline, and replaces one of that name. */
export function useSetBaseline() {
  return useChange((send, baseline: { readonly name: string; readonly run: string }) =>
    send('POST', '/baselines', baseline),
  );
}

/** Returns the mutation that removes runs with all of their records, one after another. */
export function useDeleteRuns() {
  return useChange(async (send, runs: readonly string[]) => {
    for (const run of runs) await send('DELETE', `/runs/${encodeURIComponent(run)}`);
  });
}

/** Returns the mutation that changes the name, the note and the tags of a run. */
export function useEditRun() {
  return useChange((send, { id, ...change }: RunLabelChange & { readonly id: string }) =>
    send('PATCH', `/runs/${encodeURIComponent(id)}`, change),
  );
}

/** Returns the mutation that asks the process of a run to stop it. */
export function useStopRun() {
  return useChange((send, run: string) => send('POST', `/runs/${encodeURIComponent(run)}/stop`, {}));
}

/** Returns a mutation after which everything is asked for again. */
export function useChange<Input, Answer>(
  change: (send: NonNullable<DataSource['send']>, input: Input) => Promise<Answer>,
) {
  const { send } = useData();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (input: Input) => {
      if (send === undefined) throw new Error('Nothing can be changed here.');
      return await change(send, input);
    },
    onSuccess: async () => await client.invalidateQueries(),
  });
}
