import type { Question } from './question.ts';
import type { Skill } from './skill.ts';

/** A question, or a part of one, and the skill chosen to answer it. */
export interface Step {
  question: Question;
  skill: Skill;
}

/** How questions are routed: from which score a second skill answers too, and whether clauses go apart. */
export interface Routing {
  secondSkillAt: number;
  splitsClauses: boolean;
}

const firstSkillAt = 2;

/** Scores every skill by its signals in the question; the best answers, and a strong second adds to it. */
export function routeQuestion(question: Question, skills: Skill[], routing: Routing): Step[] {
  const scored = skills.map((skill) => ({ skill, score: scoreSkill(question, skill) }));
  const ranked = scored.filter(({ score }) => score >= firstSkillAt).sort((a, b) => b.score - a.score);
  const chosen = ranked.filter(({ score }, at) => at === 0 || (at === 1 && score >= routing.secondSkillAt));
  return chosen.map(({ skill }) => ({ question, skill }));
}

/** Cuts a question where a second one begins: "…, and what does the policy exclude?". */
export function splitClauses(text: string): string[] {
  return text.split(/,? and (?=(?:what|which|how|when|who|where|does|do|is|are)\b)/i);
}

/** The sum of the weights of the signals that occur in the question. */
function scoreSkill(question: Question, skill: Skill): number {
  const found = skill.signals.filter(([phrase]) => question.has(phrase));
  return found.reduce((sum, [, weight]) => sum + weight, 0);
}
