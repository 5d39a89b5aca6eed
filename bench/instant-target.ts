/** A bot that takes no time: the answer repeats the question, and one tool is said to have been used. */
export default function answer(input: string) {
  return {
    answer: `According to the register: ${input.replace('What does the register say about', 'it speaks of')}`,
    tool_calls: [{ name: 'search_register', arguments: { query: input.slice(0, 24) } }],
  };
}
