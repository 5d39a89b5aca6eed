/**
 * What a `full-context` target asks when it is given no prompt. What is the same for every question comes first, so that
 * providers which keep the beginning of a prompt need not read it again.
 */
export const defaultPrompt = `You answer questions from the knowledge below, and from nothing else.

<knowledge>
{{knowledge}}
</knowledge>

Answer the question directly, in as few sentences as it takes. If the knowledge does not hold the answer, say that you do
not know.

Question: {{question}}`;
