import { Stack } from "./stack";

const opened: Stack[] = [];

afterEach(async () => {
  for (const stack of opened.splice(0)) await stack.close();
});

/** Opens a stack as `Stack.open` does, and closes it at the end of the test. */
export async function ownStack(...args: Parameters<typeof Stack.open>): Promise<Stack> {
  const stack = await Stack.open(...args);
  opened.push(stack);
  return stack;
}
