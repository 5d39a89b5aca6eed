// What the bot is told: for each kind of answer, the words that ask for it. It is all that the agent may edit.
export const instructions = `
- price: cost
- stock: in stock
- delivery: deliver
`;
