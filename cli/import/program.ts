import type { Declared } from "./declared";
import type { Language } from "./languages";
import { python } from "./programs/python";
import { typescript } from "./programs/typescript";
import { yaml } from "./programs/yaml";

type Program = (declared: Declared[], about: string[]) => string;

const programs: Record<Language, Program> = { ts: typescript, python, yaml };

const about = [
  'Written by "frontdoor import". All resources are protected, as after "pulumi import".',
  'Remove "protect" from a resource before you delete or replace it.',
];

/** Returns a whole program that declares these resources. It holds no secret. */
export const programOf = (language: Language, declared: Declared[]): string => programs[language](declared, about);
