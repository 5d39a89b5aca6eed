import type { Message } from '../../core/schema/message.ts';
import type { Move, Part, User } from '../../evaluate/users/user.ts';
import { buildCase } from './build-records.ts';
import type { TestRunner } from './test-runner.ts';

/** The answer after which the user behind the contract has nothing more to say. */
export const contractGoodbye = 'scenario: done';

/** The message that the user behind the contract sends until then. */
export const contractSaying = 'And what about the second one?';

/** A test runner with options for one user. */
export interface UserContractOptions extends TestRunner {
  /** The part that the user plays, for users that do not follow a goal. */
  readonly part?: Partial<Part>;
}

/**
 * Registers the tests that every user must pass with the given runner.
 * @param createUser - Creates a user that says `contractSaying` once, and ends the conversation after `contractGoodbye`
 * at the latest.
 */
export function testUserContract(
  name: string,
  createUser: () => User | Promise<User>,
  { test, expect, part = {} }: UserContractOptions,
): void {
  const user = { goal: 'To hear of both.' };
  const testCase = buildCase({ user });
  const whole: Part = { user, case: testCase, attempt: 1, seed: 7, ...part };
  const userTest = (fact: string, check: (user: User) => Promise<void>) =>
    test(`${name}: ${fact}`, async () => {
      const created = await createUser();
      try {
        await created.open?.();
        await check(created);
      } finally {
        await created.close?.();
      }
    });

  userTest(
    'a user sends a message, and ends the conversation when there is nothing more to say',
    async (created) => {
      const speaker = created.begin(whole);
      expect(await speaker.next(heard('The first one.'), unbounded)).toMatchObject({
        type: 'says',
        message: contractSaying,
      });
      const last = await speaker.next(heard('The first one.', contractGoodbye), unbounded);
      expect(last).toMatchObject({
        type: 'ends',
        ended: expect.stringMatching(/^(script-over|goal-met|gave-up)$/),
      });
    },
  );

  userTest('two simultaneous conversations are independent', async (created) => {
    const speakers = Array.from({ length: 8 }, () => created.begin(whole));
    const moves = await Promise.all(
      speakers.map(async (speaker): Promise<Move[]> => {
        const first = await speaker.next(heard('The first one.'), unbounded);
        return [first, await speaker.next(heard('The first one.', contractGoodbye), unbounded)];
      }),
    );
    for (const each of moves) expect(each).toEqual(moves[0]);
  });

  userTest('a user does not change the conversation that it is given', async (created) => {
    const said = heard('The first one.');
    const before = structuredClone(said);
    await created.begin(whole).next(said, unbounded);
    expect(said).toEqual(before);
  });

  userTest('opened again after it was closed, it plays as before', async (created) => {
    await created.close?.();
    await created.open?.();
    const first = await created.begin(whole).next(heard('The first one.'), unbounded);
    expect(first).toMatchObject({ type: 'says', message: contractSaying });
  });

  userTest('closing twice does no harm', async (created) => {
    await created.close?.();
  });

  test(`${name}: the identity is the same every time`, async () => {
    const [first, second] = [await createUser(), await createUser()];
    expect(await first.identity?.()).toEqual(await second.identity?.());
  });
}

/** Builds a conversation with the given answers of the target. */
function heard(...answers: readonly string[]): Message[] {
  return answers.flatMap((content, index): Message[] => [
    { role: 'user', content: index === 0 ? 'What is there?' : contractSaying },
    { role: 'assistant', content },
  ]);
}

const unbounded = { signal: new AbortController().signal };
