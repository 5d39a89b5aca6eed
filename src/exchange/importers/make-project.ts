import path from 'node:path';
import { stringify } from 'yaml';
import { TouchstoneError } from '../../core/errors.ts';
import { packageName } from '../../core/own-package.ts';
import type { ImportContent } from './content/content.ts';
import type {
  ImportedProject,
  Importer,
  ImportNeeds,
  JsonObject,
  RecordedAnswers,
  Translation,
} from './importer.ts';
import { type CheckInCode, countFates, Ledger, lossNote } from './ledger.ts';
import { asObject, asTime, jsonObject, filled } from './values.ts';
import { findLosses, type SourcePart, WrittenValues } from './losses/find-losses.ts';
import { watchReads } from './losses/read-source.ts';
import { withValidParts } from './valid-parts.ts';
import type { ImportRecord, LedgerEntry } from '../../core/schema/api/imported-project.ts';

/**
 * Makes a project of what an importer reads: a config, the dataset, the recorded answers, a list of what became of
 * everything, and of what is left to do by hand. Nothing is written.
 */
export async function makeProject(
  importer: Importer,
  content: ImportContent,
  needs: ImportNeeds,
): Promise<ImportedProject> {
  const ledger = new Ledger();
  noteLosses(content, ledger);
  noteBesides(content, ledger);
  const watched = watchReads(content);
  const valid = withValidParts(await importer.read(watched.content, ledger, needs), ledger);
  const { codeFolder } = needs;
  const translation = codeFolder === undefined ? valid : withStubs(valid, ledger.checksInCode(), codeFolder);
  const parts = [translation.cases, translation.answers?.rows, translation.metadata, translation.config];
  const written = [...parts, ...parsedFiles(translation)];
  const values = new WrittenValues(ledger.claims().map(({ value }) => value));
  for (const part of written) values.add(part);
  ledger.settle((value) => values.holds(value));
  values.add([translation.found, ledger.entries()]);
  const losses = findLosses(partsBesides(watched.readParts(), ledger), values, importer.reads);
  for (const { path: part, count, file } of losses) ledger.lose(part, count, file === '' ? undefined : file);
  const entries = ledger.entries();
  const tool = {
    name: importer.name,
    title: importer.title,
    version: translation.version,
  };
  const source = { file: content.name, hash: content.hash };
  const { answers, cases, found } = translation;
  const record: ImportRecord = {
    tool,
    source,
    found,
    counts: { cases: cases.length, answers: answers?.rows.length ?? 0 },
    parts: countFates(entries),
    metadata: translation.metadata,
    ledger: entries,
  };
  const todo = todoOf(entries);
  return {
    record,
    hasTargets: answers !== undefined || hasTargets(translation),
    callsNothing: answers !== undefined && translation.callsNothing !== false,
    files: {
      'touchstone.config.yaml': configOf(translation, `${importer.title}: ${found}`),
      'golden.jsonl': toLines(cases),
      ...(answers !== undefined && { 'answers.jsonl': toLines(markedRows(answers, importer)) }),
      ...translation.files,
      'import.json': `${JSON.stringify(record, null, 2)}\n`,
      ...(todo !== undefined && { 'todo.md': todo }),
    },
  };
}

/** Yields the parts of files that the ledger does not name as a whole, as it does a file of another tool or one that cannot be read. */
function* partsBesides(parts: Iterable<SourcePart>, ledger: Ledger): Generator<SourcePart> {
  const named = ledger.entries().flatMap(({ fate, places }) => (fate === 'left-out' ? places : []));
  for (const part of parts) {
    const { file, fault: note } = part;
    if (file !== '' && named.some((place) => place === file || place.endsWith(`/${file}`))) continue;
    if (note === undefined) yield part;
    else ledger.leaveOut('file that cannot be read', { note, place: file });
  }
}

/** Yields what is in the further files of a project that are JSON. */
function* parsedFiles({ files = {} }: Translation): Generator {
  for (const [name, text] of Object.entries(files)) if (name.endsWith('.json')) yield JSON.parse(text);
}

const lossNotes = {
  'no number': { became: 'null', note: 'JSON has neither NaN nor infinite numbers.' },
  bytes: { became: 'their size as a text', note: 'Bytes, such as the bytes of an image, are not read.' },
};

/** Names the files of a folder that were not imported, and how to import them. */
function noteBesides(content: ImportContent, ledger: Ledger): void {
  for (const { file, tool } of (content.form === 'folder' ? content.besides : undefined) ?? []) {
    if (tool === undefined) {
      const note = 'No tool is recognised in it. Name one with `--from`, or use it as a dataset.';
      ledger.leaveOut('file of the folder', { note, place: file });
    } else {
      const note = `Import it by itself: \`touchstone import FILE --from ${tool.name}\`.`;
      ledger.leaveOut(`file of ${tool.title}`, { note, place: file });
    }
  }
}

/** Notes the values of Parquet that JSON does not have, and the sheets of workbooks that are not read. */
function noteLosses(content: ImportContent, ledger: Ledger): void {
  const tables = content.form === 'folder' ? [...content.tables] : [[content.name, content] as const];
  for (const [place, table] of tables) {
    const sheets = 'otherSheets' in table ? (table.otherSheets ?? []) : [];
    const note = 'Only the first sheet of a workbook is read. Save this one as a file of its own.';
    for (const sheet of sheets) ledger.leaveOut('sheet of a workbook', { note, place: `${place}: ${sheet}` });
    if (!('form' in table) || table.form !== 'jsonl') continue;
    for (const [loss, count] of table.losses ?? []) {
      const part = loss === 'bytes' ? 'bytes in Parquet' : 'numbers in Parquet that are none';
      for (let index = 0; index < count; index += 1)
        ledger.approximate(part, { ...lossNotes[loss], ...(index === 0 && { place }) });
    }
  }
}

function hasTargets({ config = {} }: Translation): boolean {
  return Array.isArray(config['targets']) && config['targets'].length > 0;
}

/**
 * Returns the rows with the time at which each answer was given, where the file has one, and with the tool whose ids are among their
 * recorded facts: only that tool can be sent scores by them.
 */
function markedRows({ rows, recordedAt }: RecordedAnswers, { name }: Importer): readonly JsonObject[] {
  const startedAt = asTime(recordedAt);
  return rows.map((row) => {
    const source = asObject(row['source']);
    return {
      ...(startedAt === undefined ? row : { startedAt, ...row }),
      ...(source !== undefined && { source: jsonObject({ ...source, importedFrom: name }) }),
    };
  });
}

function toLines(rows: readonly JsonObject[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}

function configOf({ description, answers, config = {} }: Translation, found: string): string {
  const { metrics = [], targets = [], ...rest } = config;
  const allTargets = [...(answers === undefined ? [] : replayTargets(answers)), ...(targets as JsonObject[])];
  const document = {
    description,
    dataset: 'golden.jsonl',
    targets: filled(allTargets),
    ...(answers !== undefined && settingsOfAnswers(answers)),
    ...rest,
    ...(Array.isArray(metrics) &&
      (metrics.length > 0 || answers !== undefined) && {
        metrics: [...recordedMetrics(answers), ...metrics],
      }),
  };
  const missing = allTargets.length > 0 ? '' : withoutTargets;
  const comment = found.replaceAll(/\s+/g, ' ').slice(0, 200);
  return `# Imported from ${comment}.\n# What became of every part: import.json.\n${stringify(document, { lineWidth: 100 })}${missing}`;
}

/** The end of the config of cases that no target answers yet. */
const withoutTargets = `# Your bot comes here, for example (docs/connect-your-bot.md):
# targets:
#   - { use: http, url: http://localhost:3000/chat }
`;

/** The targets whose answers were recorded. */
function replayTargets({ targets, verdicts, hasLabels = false }: RecordedAnswers): object[] {
  const labels = hasLabels ? ['labels'] : [];
  return targets.map((name) => ({
    use: 'replay',
    name,
    path: 'answers.jsonl',
    target: name,
    ...(verdicts.length + labels.length > 0 && { recorded: ['verdicts', ...labels, 'source'] }),
  }));
}

/** The settings by which the recorded total is the score. */
function settingsOfAnswers({ total, verdicts, attempts }: RecordedAnswers): object {
  return { ...(attempts > 1 && { attempts }), ...scorecardOf(total, verdicts) };
}

/** Answers that have verdicts, but none on the whole, have no score. Answers without any are scored as ours are. */
function scorecardOf(total: string | undefined, verdicts: readonly string[]): object {
  if (total !== undefined) return { scorecard: { use: 'recorded', metric: recordedVerdict(total) } };
  return verdicts.length === 0 ? {} : { scorecard: null };
}

function recordedMetrics(answers: RecordedAnswers | undefined): object[] {
  const names = answers?.verdicts.filter((name) => name !== answers.total) ?? [];
  const attacks = new Set(answers?.attacks);
  return names.map((name) =>
    attacks.has(name) ? { ...recordedVerdict(name), aspect: 'resisted-attack' } : recordedVerdict(name),
  );
}

function recordedVerdict(name: string): object {
  return { use: 'recorded-verdict', name, of: name };
}

/** The text about what is left to do by hand; undefined when nothing is. */
function todoOf(entries: readonly LedgerEntry[]): string | undefined {
  const left = entries.filter(({ fate }) => fate === 'left-out');
  if (left.length === 0) return undefined;
  const [values, parts] = [
    left.filter(({ note }) => note === lossNote),
    left.filter(({ note }) => note !== lossNote),
  ];
  const sections = parts.map(({ part, note, count, places, code = [] }) => {
    const where = places.length === 0 ? '' : ` In ${places.map((place) => `\`${place}\``).join(', ')}.`;
    const texts = code.map((text) => `\n\n${indent(text)}`);
    return `## ${part} (${count})\n\n${note ?? ''}${where}${texts.join('')}\n`;
  });
  const list = values.map(
    ({ part, count, places }) =>
      `- \`${part}\` (${count})${places.length === 0 ? '' : ` in ${places.join(', ')}`}\n`,
  );
  if (list.length > 0) sections.push(`## Values that nothing here contains\n\n${list.join('')}`);
  return `# What was not taken over\n\n${sections.join('\n')}`;
}

/** Code as an indented block, which no text can end. */
function indent(text: string): string {
  return text.replaceAll(/^/gm, '    ');
}

/**
 * Adds a stub for each check in code to a translated project: a function that throws until it is written, above it the code as
 * a comment, and the metric `function` that calls it. The code itself is never run. Throws `usage-invalid` for a folder outside
 * of the project.
 * @param folder - The folder of the stubs in the project.
 */
function withStubs(translation: Translation, checks: readonly CheckInCode[], folder: string): Translation {
  const place = path.posix.join(folder.replaceAll('\\', '/'), 'checks.mjs');
  if (path.isAbsolute(folder) || place.startsWith('..')) {
    const remedy = 'Name a folder in it, such as `--port-code code`.';
    const message = `\`--port-code ${folder}\`: the folder is not in the project.`;
    throw new TouchstoneError('usage-invalid', message, { remedy });
  }
  const groups = [...Map.groupBy(checks, ({ part, code }) => JSON.stringify([part, code])).values()];
  if (groups.length === 0) return translation;
  const { config = {}, files } = translation;
  const stubs = groups.map((group, index) => stubOf(group, `check${index + 1}`));
  const metrics = [
    ...((config['metrics'] as JsonObject[] | undefined) ?? []),
    ...stubs.map(({ name, part }) => ({
      use: 'function',
      name: `${part} (${name})`,
      path: place,
      export: name,
    })),
  ];
  return {
    ...translation,
    config: { ...config, metrics },
    files: { ...files, [place]: [opening, ...stubs.map(({ text }) => text)].join('\n') },
  };
}

const opening = `// Checks that were code, as comments: nothing of it runs. Write each one into the function below it.
// A function gets { answer, case, transcript, state } and returns true or false, or a value from 0 to 1.
// Until then its metric is not measured. See docs/reference/targets.md.
`;

function stubOf(group: readonly CheckInCode[], name: string): { name: string; part: string; text: string } {
  const { part = '', code = '' } = group[0] ?? {};
  const ids = group.map(({ caseId }) => caseId);
  const cases = ids.includes(undefined) ? undefined : [...new Set(ids)];
  const others = `if (!${JSON.stringify(cases)}.includes(testCase.id)) return { notApplicable: 'another question' };`;
  const text = [
    asComment(`${part}:\n\n${code}`),
    `/** @type {import('${packageName}/metrics').CriterionFunction} */`,
    `export function ${name}({ answer, case: testCase }) {`,
    ...(cases === undefined ? [] : [`  ${others}`]),
    `  throw new Error('${name} is not written yet');`,
    '}',
    '',
  ];
  return { name, part: part.replace(/^\w+ /, ''), text: text.join('\n') };
}

/** Returns a text as comments; every character at which JavaScript ends a line begins a new one. */
function asComment(text: string): string {
  return text
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => `// ${line}`.trimEnd())
    .join('\n');
}
