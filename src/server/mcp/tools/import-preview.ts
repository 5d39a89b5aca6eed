import { realpathSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { translateProject } from '../../../library/api/import-project.ts';
import { fates, type LedgerEntry } from '../../../core/schema/api/imported-project.ts';
import { OwnError } from '../errors.ts';
import type { Reply } from '../fit-reply.ts';
import { quote } from '../quote.ts';
import { defineTool, localOf } from '../tool.ts';

const mostExamples = 10;

/** `import_preview`: what would become of a file of another tool; nothing is written. */
export const importPreview = defineTool({
  name: 'import_preview',
  description:
    'What would become of a file or folder of another tool (promptfoo, Inspect, DeepEval, Langfuse …) inside the project: questions, answers, and each kind of part taken, approximated or dropped. Nothing is written or run.',
  input: z.strictObject({
    path: z.string().min(1).max(1000),
    from: z.string().max(50).optional().describe('The tool; recognised by the content by default.'),
  }),
  output: ['found', 'cases', 'answers', 'parts', 'ledger', 'next'],
  limit: 8000,
  isLocal: true,
  call: async ({ path: name, from }, call) => {
    const file = pathInside(name, localOf(call).folder);
    const { record } = await translateProject(file, { from });
    return {
      tool: record.tool.name,
      found: quote('file', record.found, 300),
      ...record.counts,
      parts: record.parts,
      ledger: Object.fromEntries(
        fates.map((fate) => [
          fate,
          record.ledger
            .filter((entry) => entry.fate === fate)
            .slice(0, mostExamples)
            .map(describeEntry),
        ]),
      ),
      next: 'A person or you can write the project by the command line: touchstone import FILE --to FOLDER.',
    };
  },
});

/** Returns the real path of a file in a folder, or in a folder inside of it. Throws `usage-invalid` for any other, be it by a link. */
function pathInside(name: string, folder: string): string {
  try {
    const [root, file] = [realpathSync(folder), realpathSync(path.resolve(folder, name))];
    if (file.startsWith(root + path.sep)) return file;
  } catch {
    // One that is not there and one elsewhere get the same answer, so that no answer says what is outside.
  }
  throw new OwnError(
    'usage-invalid',
    'There is no such file or folder in the folder of the project.',
    'Name one by its path from the folder of the config.',
  );
}

function describeEntry({ part, became, note, count }: LedgerEntry): Reply {
  return {
    part: quote('file', part, 100),
    ...(became !== undefined && { became: quote('file', became, 100) }),
    ...(note !== undefined && { note: quote('file', note, 150) }),
    count,
  };
}
