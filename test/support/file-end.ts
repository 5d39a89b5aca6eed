/** Actions that follow the tests of every file: the files of a worker share the modules of this folder. */
const actions: (() => unknown)[] = [];

/** Does something after the tests of every file from now on; an `afterAll` in a shared module would belong to the first file alone. */
export function atFileEnd(action: () => unknown): void {
  actions.push(action);
}

/** Does what the modules of this worker asked for, the last first. */
export async function endFile(): Promise<void> {
  for (const action of actions.toReversed()) await action();
}
