import { defineCommand } from '../program/define-command.ts';
import { flag, repeated, text } from '../program/input.ts';
import { json, store, yes } from '../program/shared-inputs.ts';

/** `touchstone erase`: texts of people, or all records that contain a text, overwritten with a mark. */
export const erase = defineCommand({
  name: 'erase',
  summary: "erase a person's data, or every record that contains a text",
  description:
    'Erases the texts of end users, and the texts of every record that contains a given text: questions, answers, judgements, feedback, labels and everything made from them. Traces are removed; scores, verdicts and other numbers are not. Shows what it would erase and asks first, unless you pass --yes.',
  inputs: {
    text: repeated(
      '<text>',
      'the exact text, case-sensitive; - reads one from each line of standard input; may be repeated',
    ),
    user: repeated('<id>', 'an end user, by the id that your application uses; may be repeated'),
    dryRun: flag('show what would be erased, and change nothing'),
    yes,
    project: text('<name>', 'on a server: the project (default: main)'),
    json,
    store,
  },
  help: `
Examples:
  $ touchstone erase --user user-4711 --dry-run              what the store has about a person
  $ touchstone erase --text ann@example.org --text 'Ann Lee'  asks first
  $ touchstone erase --text - --yes < names.txt              keeps them out of the shell history
  $ touchstone erase --user user-4711 --project shop         in a project of a server

What it reaches and what it does not: docs/safety.md.`,
  run: async ({ user: users = [], ...input }, output) => {
    const { eraseTexts } = await import('../../library/api/records.ts');
    const { withProjects } = await import('../server-projects.ts');
    const { describeErasure, readTexts } = await import('../texts/erasure.ts');
    const { isWithoutPeople, mainProject } = await import('../../privacy/accounts/accounts.ts');
    const { recordEvent } = await import('../../privacy/accounts/audit.ts');
    const { confirm } = await import('../confirm.ts');
    const texts = await readTexts(input.text ?? []);
    return await withProjects(input, async ({ home, openProject, who }) => {
      const opened = await openProject(input.project);
      const isDry = input.dryRun === true;
      // Asked first: what the audit log could not record is not erased.
      const isLogged = !isDry && !(await isWithoutPeople(home.accounts));
      const erased = await eraseTexts({
        store: opened,
        texts,
        users,
        isDry,
        confirm: async (planned) => {
          if (input.yes === true) return;
          console.error(describeErasure(planned, 'Found').trimEnd());
          await confirm({
            question: 'Erase these texts permanently?',
            unasked: 'Erasing cannot be undone.',
            remedy: 'Look first with `--dry-run`, and confirm with `--yes`.',
            refused: 'Nothing was erased.',
          });
        },
      });
      if (isLogged) {
        const counts = Object.entries(erased.counts).map(([kind, count]) => [kind, String(count)]);
        await recordEvent(home.accounts, {
          who,
          address: null,
          action: 'erase',
          project: input.project ?? mainProject,
          object: `${texts.length} texts, ${users.length} users`,
          details: Object.fromEntries(counts),
        });
      }
      const verb = isDry ? 'Would erase' : 'Erased';
      return await output.print(input.json, erased, () => describeErasure(erased, verb));
    });
  },
});
