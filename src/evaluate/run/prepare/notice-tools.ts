import { TouchstoneError } from '../../../core/errors.ts';
import { readRuns } from '../../../stores/store.ts';
import type { Evaluation } from '../evaluation.ts';
import type { RunNeeds } from '../run-needs.ts';
import type { Plan } from './prepare-run.ts';

/** Says which tools a run uses, before the first run of a store in which they really act and may change something. */
export async function noticeTools(
  { run, isResumed }: Plan,
  { tools }: Pick<Evaluation, 'tools'>,
  { store, observer }: Pick<RunNeeds, 'store' | 'observer'>,
): Promise<void> {
  if (tools === undefined || isResumed || tools.acting().length === 0) return;
  const { servers } = tools.record;
  for await (const { id, tools: used } of readRuns(store)) {
    const isUsed = used !== undefined && used.mode !== 'replay' && id !== run.id;
    if (isUsed && servers.every((name) => used.servers.includes(name))) return;
  }
  let mocked = 0;
  for await (const { case: planned } of store.readCases(run.id))
    mocked += Number((planned.toolResults ?? []).length > 0);
  const line = tools.describe({ questions: run.dataset.cases, mocked });
  observer.onNotice?.({ message: `The first run with these tools: ${line}` });
}

/** Throws `config-invalid` for a fixed port of this machine where several processes are to have it. */
export function refusePorts({ targets, tools }: Pick<Evaluation, 'targets' | 'tools'>): void {
  const [port] = [
    ...(tools?.fixedPorts ?? []),
    ...targets.flatMap(({ name, target }) =>
      target.hasFixedPort === true ? [`listen.port of the target ${name}`] : [],
    ),
  ];
  if (port === undefined) return;
  throw new TouchstoneError(
    'config-invalid',
    `\`${port}\` is fixed, and one process of a machine can have it.`,
    { remedy: 'Omit `--workers`, or leave the port out where a free one will do.' },
  );
}
