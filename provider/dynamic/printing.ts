/**
 * Pulumi's dynamic host prints an error of check, diff, read and delete besides answering it, so that the engine shows it under the
 * stack as well as under the resource. Ours are left to the answer; whatever else is printed stays.
 */
export function leaveErrorsToTheAnswer(): void {
  const { error: print } = console;
  console.error = (...words: unknown[]) => {
    if (!String(words[0]).startsWith("FrontdoorError: ")) print(...words);
  };
}
