import type { ToolWork } from '../../evaluate/targets/module-function.ts';
import { createToolRecorder } from '../../evaluate/targets/tool-recorder.ts';
import { askRunAt, useAsRunSays } from '../../evaluate/tools/ask-run.ts';

/** Where a run of Touchstone is asked about a call. */
export interface ToolPlace {
  /**
   * The address that came with the question, such as `tools.functions` of its line or request body. By default
   * `TOUCHSTONE_TOOLS_URL` of the environment, which a `command` target of `mode: once` has.
   */
  readonly address?: string;
}

/**
 * Uses a tool of a program of its own: `await useTool('get_order', { id }, () => getOrder(id))`. Within a run of Touchstone whose config
 * has `tools`, the call is seen, and may be mocked, replayed, refused or broken; without an address `run` is just called.
 * @param args - The arguments as they are recorded and compared.
 * @param run - Makes the call. What it returns or throws passes through unchanged, unless the run answers in its place.
 * @returns What `run` returns, or what the run of Touchstone answers.
 * @throws What `run` throws, or an `Error` with the `code` or `status` of a mocked or injected error; one, too, when the run cannot be
 * asked: then the tool is not used.
 */
export async function useTool<Result>(
  name: string,
  args: object,
  run: ToolWork<Result>,
  { address = process.env['TOUCHSTONE_TOOLS_URL'] }: ToolPlace = {},
): Promise<Result> {
  if (address === undefined || address === '') return await run();
  const ask = askRunAt(address);
  const recorder = createToolRecorder(
    async (use, own) => await useAsRunSays({ ...use, server: '' }, own, ask),
  );
  return await recorder.useTool(name, args, run);
}
