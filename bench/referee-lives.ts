import { createRandom, type Random } from '../src/core/stats/index.ts';
import { isSpent, levelAfter, type RefereeBudget } from '../src/decide/referee/levels.ts';
import { isShown } from '../src/decide/referee/tests.ts';

/** Which held-out questions a version answers rightly: 1 or 0 for each. */
type Answers = Uint8Array<ArrayBuffer>;

/** What an agent sees of the held-out set, and what it makes of it. */
export type Agent = 'one bit' | 'keeps what scored higher' | 'votes by score' | 'takes rows that passed';

/** The lives of held-out sets to simulate. */
export interface Lives {
  readonly questions: number;
  readonly looks: number;
  readonly lives: number;
  /** The levels of the referee, or .05 at each look. */
  readonly levels: 'ours' | 'naive';
  readonly agent: Agent;
}

const right = 0.7;
const changed = 0.2;

/** Draws the answers of a version that is right as often as told. */
function draw(questions: number, random: Random, share = right): Answers {
  return Uint8Array.from({ length: questions }, () => (random.next() < share ? 1 : 0));
}

/** Changes a fifth of the answers, so that as many become right as wrong: a change without effect. */
function change(answers: Answers, random: Random, share = right): Answers {
  const [toWrong, toRight] = [changed / 2 / share, changed / 2 / (1 - share)];
  return answers.map((each) => (random.next() < (each === 1 ? toWrong : toRight) ? 1 - each : each));
}

function sum(answers: Answers): number {
  return answers.reduce((total, each) => total + each, 0);
}

function isConfirmed(candidate: Answers, incumbent: Answers, level: number): boolean {
  const differences = Array.from(candidate, (each, place) => each - (incumbent[place] as number));
  return isShown({ claim: { kind: 'improvement' }, measure: 'passed', level }, differences);
}

/** Returns the share of lives in which a change without effect is confirmed within the looks. */
export function shareOfFalseAnswers({ questions, looks, lives, levels, agent }: Lives): number {
  const level = levels === 'naive' ? 0.05 : levelAfter(0, { looks, surprises: 3, confidence: 0.95 });
  let wrong = 0;
  for (let life = 0; life < lives; life += 1) {
    const random = createRandom(`${agent} ${questions} ${looks} ${life}`);
    const base = draw(questions, random);
    const propose = agents[agent](base, random, looks);
    for (let look = 1; look <= looks; look += 1) {
      if (!isConfirmed(propose(look), base, level)) continue;
      wrong += 1;
      break;
    }
  }
  return wrong / lives;
}

type Propose = (look: number) => Answers;

const agents: Record<Agent, (base: Answers, random: Random, looks: number) => Propose> = {
  'one bit': (base, random) => () => change(base, random),
  'keeps what scored higher': (base, random) => {
    let [best, last] = [base, base];
    return () => {
      if (sum(last) > sum(best)) best = last;
      last = change(best, random);
      return last;
    };
  },
  // It knows which answers each try has changed, and keeps a change that was mostly in tries above the base.
  'votes by score': (base, random, looks) => {
    const votes = new Int32Array(base.length);
    return (look) => {
      if (look === looks) return base.map((each, place) => ((votes[place] as number) > 0 ? 1 - each : each));
      const tried = change(base, random);
      const vote = Math.sign(sum(tried) - sum(base));
      tried.forEach((each, place) => {
        if (each !== base[place]) votes[place] = (votes[place] as number) + vote;
      });
      return tried;
    };
  },
  'takes rows that passed': (base, random, looks) => {
    const passed = base.slice();
    return (look) => {
      if (look === looks) return passed;
      const tried = change(base, random);
      tried.forEach((each, place) => {
        if (each === 1) passed[place] = 1;
      });
      return tried;
    };
  },
};

/**
 * Simulates lives with a first version that is truly better, .60 → .80, and changes without effect after it. Returns in
 * which share the first is confirmed, and in which share of all any later one.
 */
export function livesWithRealGain({
  questions,
  looks,
  lives,
}: Pick<Lives, 'questions' | 'looks' | 'lives'>): { readonly real: number; readonly unreal: number } {
  const budget: RefereeBudget = { looks, surprises: 3, confidence: 0.95 };
  const counts = { real: 0, unreal: 0 };
  for (let life = 0; life < lives; life += 1) {
    const random = createRandom(`better ${life}`);
    const base = draw(questions, random, 0.6);
    // 2 % of the questions break.
    let incumbent = base.map((each) =>
      random.next() < (each === 1 ? 0.02 / 0.6 : 0.22 / 0.4) ? 1 - each : each,
    );
    const isReal = isConfirmed(incumbent, base, levelAfter(0, budget));
    if (!isReal) incumbent = base;
    counts.real += Number(isReal);
    const answered = { looks: 1, surprises: Number(isReal) };
    const share = isReal ? 0.8 : 0.6;
    let isWrong = false;
    for (; !isSpent(budget, answered) && !isWrong; answered.looks += 1)
      isWrong = isConfirmed(
        change(incumbent, random, share),
        incumbent,
        levelAfter(answered.surprises, budget),
      );
    counts.unreal += Number(isWrong);
  }
  return { real: counts.real / lives, unreal: counts.unreal / lives };
}
