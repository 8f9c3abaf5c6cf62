import type { Declared } from "./declared";
import { python } from "./programs/python";
import { typescript } from "./programs/typescript";
import { yaml } from "./programs/yaml";

const programs = { ts: typescript, python, yaml };

export type Language = keyof typeof programs;

export const languages = Object.keys(programs) as Language[];

const about = [
  'Written by "frontdoor import". What it declares is protected, as "pulumi import" leaves what it has imported:',
  'take "protect" away from what may be deleted or replaced.',
];

/** A whole program that declares these, with nothing secret in it. */
export const programOf = (language: Language, declared: Declared[]): string => programs[language](declared, about);
