import type { Declared } from "./declared";
import type { Language } from "./languages";
import { python } from "./programs/python";
import { typescript } from "./programs/typescript";
import { yaml } from "./programs/yaml";

type Program = (declared: Declared[], about: string[]) => string;

const programs: Record<Language, Program> = { ts: typescript, python, yaml };

const about = [
  'Written by "frontdoor import". What it declares is protected, as "pulumi import" leaves what it has imported:',
  'take "protect" away from what may be deleted or replaced.',
];

/** A whole program that declares these, with nothing secret in it. */
export const programOf = (language: Language, declared: Declared[]): string => programs[language](declared, about);
