/**
 * Joins the modules of a command into as few files as possible. Each file costs a starting process half a millisecond
 * to find, read and link; unused code costs next to nothing.
 * @param output - The output of a bundle without groups: many small files, each shared by several commands.
 * @param command - The path of the module that starts the command.
 * @param entries - The names of the entries that must not load all of the command: what they share with it goes into
 * files of their own, in this order.
 * @returns The groups for `codeSplitting`.
 */
export function joinChunks(output, { command, entries }) {
  const chunks = new Map(
    output.filter(({ type }) => type === 'chunk').map((chunk) => [chunk.fileName, chunk]),
  );
  const all = [...chunks.values()];
  const first = all.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(command)));
  const inCommand = modulesLoadedWith(first, chunks);
  const groups = entries.map((entry) => {
    const chunk = all.find(({ isEntry, name }) => isEntry && name === entry);
    const loaded = modulesLoadedWith(chunk, chunks);
    const own = new Set(chunk.moduleIds);
    return { name: `with-${entry}`, test: (id) => loaded.has(id) && !own.has(id) };
  });
  return [...groups, { name: 'command', test: (id) => inCommand.has(id) }];
}

/** Returns the modules of a file and of all that it imports before it runs. */
function modulesLoadedWith(first, chunks) {
  const found = new Set([first]);
  for (const chunk of found)
    for (const name of chunk.imports) if (chunks.has(name)) found.add(chunks.get(name));
  return new Set(Array.from(found, ({ moduleIds }) => moduleIds).flat());
}
