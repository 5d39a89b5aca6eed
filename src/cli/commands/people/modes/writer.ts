import { TouchstoneError } from '../../../../core/errors.ts';
import { readGitPerson } from '../../../git-person.ts';

/** Returns the person who writes: the one named, or as git knows it. Throws `usage-invalid` when there is none. */
export async function findWriter(given: string | undefined): Promise<string> {
  const person = given ?? (await readGitPerson(process.cwd()));
  if (person !== undefined) return person;
  throw new TouchstoneError('usage-invalid', 'No person is named who says so.', {
    remedy: 'Name a person with `--by`, or set `user.name` of git.',
  });
}
