import { Stack } from "./stack";

const opened: Stack[] = [];

async function closeAll(): Promise<void> {
  for (const stack of opened.splice(0)) await stack.close();
}

afterEach(closeAll);
// Jest calls nothing after each test that is concurrent.
afterAll(closeAll);

/** Opens a stack as `Stack.open` does, and closes it at the end of the test. */
export async function ownStack(...args: Parameters<typeof Stack.open>): Promise<Stack> {
  const stack = await Stack.open(...args);
  opened.push(stack);
  return stack;
}
